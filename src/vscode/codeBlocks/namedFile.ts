/** A name in a fence's info string: `ts src/a.ts`, `ts:src/a.ts`, `title="src/a.ts"`, `12:20:src/a.ts`. */
const IN_INFO = /(?:^|[\s:="'{])((?:[\w.@~+-]+\/)*[\w.@~+-]+\.\w{1,10})(?=$|[\s"'},])/;

/** In quotes it may have blanks. */
const QUOTED = /["']([^"'\n]+\.\w{1,10})["']/;

/** A comment that is nothing but a path. */
const IN_COMMENT =
  /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*((?:[\w.@~+-]+\/)*[\w.@~+-]+\.\w{1,10})\s*(?:\*\/|-->)?\s*$/;

const IN_DIFF = /^\+\+\+ (?:b\/)?(\S+)/m;

/** The file that a code block itself says it is of: beside its fence, in its first line, or in the head of its diff. */
export function namedFile(info: string, text: string): string | undefined {
  const inDiff = isDiff(info) ? IN_DIFF.exec(text)?.[1] : undefined;
  if (inDiff !== undefined && inDiff !== '/dev/null') return inDiff;
  return (
    QUOTED.exec(info)?.[1] ??
    IN_INFO.exec(info)?.[1] ??
    IN_COMMENT.exec(text.split('\n', 1)[0] ?? '')?.[1]
  );
}

export function isDiff(info: string): boolean {
  return /^(?:diff|patch)\b/i.test(info);
}
