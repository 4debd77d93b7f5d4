/** What VS Code puts into a drag from the Explorer or of an editor's tab, and a browser into that of a link. */
const TYPES = ['application/vnd.code.uri-list', 'text/uri-list', 'resourceurls'] as const;

/** Whether dragged data names files or pages. */
export function hasUris(data: DataTransfer | null): boolean {
  return data !== null && TYPES.some(type => data.types.includes(type));
}

/** The addresses in dropped data; the host decides which of them may be attached. */
export function droppedUris(data: DataTransfer | null): readonly string[] {
  for (const type of TYPES) {
    const text = data?.getData(type) ?? '';
    const uris = type === 'resourceurls' ? listed(text) : text.split(/\r?\n/);
    const found = uris.filter(uri => uri !== '' && !uri.startsWith('#'));
    if (found.length > 0) return found;
  }
  return [];
}

function listed(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
