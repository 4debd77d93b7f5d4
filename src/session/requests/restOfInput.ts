/** What of a call's input its request shows nowhere else: nothing that is approved is hidden. Pure. */
import type { FileDiff } from '../translate/contents';

type Fields = Readonly<Record<string, unknown>>;

/** What the card of a request shows already. */
export interface ShownParts {
  readonly title: string;
  /** Fields that the card shows as the command and its folder. */
  readonly commandFields: readonly string[];
  readonly diffs: readonly FileDiff[];
  /** Texts shown beside the change or command. */
  readonly texts: readonly string[];
  /** The session's folder, from which files may be named. */
  readonly cwd: string;
}

/** The fields of `input` that are shown nowhere else; undefined when there are none. */
export function restOfInput(input: unknown, shown: ShownParts): unknown {
  if (input === undefined || input === null || input === '') return undefined;
  if (typeof input === 'string') return isInDiffs(input, shown) ? undefined : input;
  if (!isRecord(input)) return input;
  const rest = Object.entries(input).filter(([key, value]) => {
    if (shown.commandFields.includes(key)) return false;
    if (typeof value === 'string' && WORDS.has(key)) {
      return value !== shown.title && !shown.texts.some(text => text.trim() === value.trim());
    }
    return !(CHANGES.has(key) && isInDiffs(value, shown));
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

const WORDS = new Set(['description', 'reason', 'explanation', 'title']);

/** Fields by which agents give the change that the diffs show. */
const CHANGES = new Set([
  ...['file_path', 'filePath', 'filepath', 'path', 'fileName', 'file', 'absolute_path'],
  ...['old_string', 'oldString', 'old_str', 'oldStr', 'oldText', 'old_text'],
  ...['new_string', 'newString', 'new_str', 'newStr', 'newText', 'new_text', 'content', 'text'],
  ...['input', 'patch', 'patchText', 'patch_text', 'diff', 'changes', 'edits', 'unified_diff'],
]);

/** Whether each line of each text in `value` stands in the diffs, or names one of their files. */
function isInDiffs(value: unknown, { diffs, cwd }: ShownParts): boolean {
  if (diffs.length === 0) return false;
  const known = new Set<string>();
  for (const { path, oldPath = path, oldText, newText } of diffs) {
    const names = [path, oldPath].flatMap(name => [name, relative(name, cwd)]);
    for (const text of [...names, oldText ?? '', newText]) {
      for (const line of linesOf(text)) known.add(line);
    }
  }
  const isKnown = (line: string): boolean => {
    if (line === '' || known.has(line) || known.has(line.replace(/^[+\- ]/, ''))) return true;
    const header = HEADER.exec(line);
    if (!header) return MARKS.test(line);
    const path = (header[1] ?? '').trim().replace(/^[ab]\//, '');
    return path === '/dev/null' || known.has(path) || known.has(`/${path}`);
  };
  const words = new Set([
    ...CHANGE_WORDS,
    ...(diffs.some(({ change }) => change === 'deleted') ? ['delete', 'remove'] : []),
    ...(diffs.some(({ change }) => change === 'moved') ? ['move', 'rename'] : []),
  ]);
  return everyText(value, text => linesOf(text).every(isKnown), words);
}

/** Lines of patches that name a file. */
const HEADER =
  /^(?:\*\*\* (?:Add|Update|Delete) File:|\*\*\* Move to:|---|\+\+\+|Index:|rename (?:from|to)) ?(.*)$/;
/** Lines of patches that say nothing of their own. */
const MARKS =
  /^(?:\*\*\* (?:Begin|End) Patch|\*\*\* End of File|@@.*|=+|\\ No newline at end of file|index [\da-f]+\.\.[\da-f]+(?: \d+)?|similarity index \d+%)$/;
/** Values of fields that say only what kind of change the diff shows. */
const CHANGE_WORDS = ['add', 'update', 'modify', 'create', 'edit', 'write'];

function everyText(
  value: unknown,
  test: (text: string) => boolean,
  words: ReadonlySet<string>,
): boolean {
  if (typeof value === 'string') return test(value);
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.every(item => everyText(item, test, words));
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([key, item]) =>
    key === 'type' || key === 'kind'
      ? typeof item === 'string' && words.has(item)
      : (CHANGES.has(key) || test(key)) && everyText(item, test, words),
  );
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

function relative(path: string, cwd: string): string {
  const prefix = `${cwd.replace(/[\\/]+$/, '')}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
