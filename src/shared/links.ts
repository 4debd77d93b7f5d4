/** Where a link in an agent's prose leads. Lines and columns are 1-based. */
export type LinkTarget =
  { readonly kind: 'web'; readonly url: string } | FileLink | { readonly kind: 'refused' };

export interface FileLink {
  readonly kind: 'file';
  /** As written, or that of a `file:` address: absolute, or from a folder of the workspace. */
  readonly path: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly column?: number;
}

const REFUSED = { kind: 'refused' } as const;

/** A path, perhaps with a drive, and the place in it: `#L5`, `#L5-L7`, `:5`, `:5-7` or `:5:3`. */
const PLACE =
  /^(?<path>(?:[a-z]:(?=[\\/]))?[^:]+?)(?:#L(?<hashLine>\d+)(?:C\d+)?(?:-L?(?<hashEnd>\d+)(?:C\d+)?)?|:(?<line>\d+)(?:-(?<end>\d+)|:(?<column>\d+)(?:[:-]\d+)*)?)?$/is;

/**
 * Reads a link. Only web pages and files are links; commands, other programs' schemes and data are not, nor
 * are other machines' files: merely to look for one would sign in there.
 */
export function parseLink(href: string): LinkTarget {
  const text = withoutControls(href).trim();
  if (/^https?:\/\//i.test(text)) {
    return URL.canParse(text) ? { kind: 'web', url: new URL(text).toString() } : REFUSED;
  }
  let file: string;
  if (/^file:\/\//i.test(text)) {
    if (!URL.canParse(text)) return REFUSED;
    const { host, pathname, hash } = new URL(text);
    if (host !== '' && host !== 'localhost') return REFUSED;
    file = decoded(pathname).replace(/^\/(?=[a-z]:)/i, '') + hash;
  } else if (/^[a-z][a-z0-9+.-]+:(?!\d)/i.test(text)) {
    // A scheme of two letters or more; `C:\` is a drive, and `Makefile:12` a file and its line.
    return REFUSED;
  } else {
    file = decoded(text);
  }
  if (/^(?:#|[\\/]{2})/.test(file)) return REFUSED;
  const place = PLACE.exec(file)?.groups;
  const path = place?.['path'];
  if (path === undefined) return REFUSED;
  const line = positive(place?.['hashLine'] ?? place?.['line']);
  const endLine = positive(place?.['hashEnd'] ?? place?.['end']);
  const column = positive(place?.['column']);
  return {
    kind: 'file',
    path,
    ...(line !== undefined && { line }),
    ...(endLine !== undefined && { endLine }),
    ...(column !== undefined && { column }),
  };
}

/** Browsers ignore control characters inside a scheme; so must the check. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '');
}

function positive(digits: string | undefined): number | undefined {
  const value = digits === undefined ? NaN : Number.parseInt(digits, 10);
  return value >= 1 ? value : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
