import * as path from 'node:path';

const ICONS: ReadonlyMap<string, string> = new Map([
  ...each('markdown', ['.md', '.markdown', '.mdx']),
  ...each('json', ['.json', '.jsonc', '.json5']),
  ...each('file-media', ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.svg', '.ico', '.mp3', '.mp4']),
  ...each('file-pdf', ['.pdf']),
  ...each('file-zip', ['.zip', '.gz', '.tgz', '.tar', '.7z', '.jar']),
  ...each('file-binary', ['.exe', '.dll', '.so', '.bin', '.wasm']),
  ...each('file', ['', '.txt', '.log', '.csv', '.lock']),
]);

/** The codicon of a file, by the end of its name; most files are code. */
export function fileIcon(file: string): string {
  return ICONS.get(path.extname(file).toLowerCase()) ?? 'file-code';
}

function each(icon: string, ends: readonly string[]): (readonly [string, string])[] {
  return ends.map(end => [end, icon] as const);
}
