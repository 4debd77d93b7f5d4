import type { FileContent } from '../model';

const split = new WeakMap<FileContent, readonly string[]>();

/**
 * The lines of `text`, each with its own ending, so that joining them gives `text` again whatever endings
 * it mixes and whether or not its last line has one. An empty text has no lines.
 */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The lines of a content; none for what is absent or binary. */
export function linesOf(content: FileContent): readonly string[] {
  if (content.kind !== 'text') return [];
  let lines = split.get(content);
  if (!lines) {
    lines = splitLines(content.text);
    split.set(content, lines);
  }
  return lines;
}

/** The content of these lines. */
export function contentOf(lines: readonly string[]): FileContent {
  const content: FileContent = { kind: 'text', text: lines.join('') };
  // A line without an ending runs into the next one; else they are what splitting would give, and dear.
  if (lines.every((line, index) => line.endsWith('\n') || index === lines.length - 1)) {
    split.set(content, lines);
  }
  return content;
}

export function sameContent(a: FileContent, b: FileContent): boolean {
  switch (a.kind) {
    case 'absent':
      return b.kind === 'absent';
    case 'text':
      return b.kind === 'text' && a.text === b.text;
    case 'binary':
      return b.kind === 'binary' && a.hash === b.hash;
  }
}
