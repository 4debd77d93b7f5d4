/** What of a call's input its request shows nowhere else: nothing that is approved is hidden. Pure. */
import { isRecord } from '../../base/isRecord';
import { fileChange } from '../../acp/schema/fileChange';
import { AFTER, BEFORE, PATCHES, PATHS, WHOLE } from '../state/changeFields';
import { proposalOf, TARGETS, textAt, UNIFIED } from '../translate/edits/proposals';
import type { FileDiff } from '../translate/contents';
import { ShownChanges } from './shownChanges';

type Fields = Readonly<Record<string, unknown>>;

/** What the card of a request shows already. */
export interface ShownParts {
  /** Fields that the card shows as the command and its folder. */
  readonly commandFields: readonly string[];
  readonly diffs: readonly FileDiff[];
  /** Texts shown whole beside the change or command. */
  readonly texts: readonly string[];
  /** The session's folder, from which files may be named. */
  readonly cwd: string;
}

/** The fields of `input` that are shown nowhere else; undefined when there are none. */
export function restOfInput(input: unknown, shown: ShownParts): unknown {
  if (input === undefined || input === null || input === '') return undefined;
  const changes = new ShownChanges(shown.diffs, shown.cwd);
  if (typeof input === 'string') return isProposed(input, changes) ? undefined : input;
  if (!isRecord(input)) return input;
  const texts = new Set(shown.texts.map(text => text.trim()));
  const commandFields = new Set(shown.commandFields);
  const rest = Object.entries(input).filter(([key, value]) => {
    if (commandFields.has(key)) return false;
    if (typeof value === 'string' && WORDS.has(key)) return !texts.has(value.trim());
    return !isShownField(input, key, changes);
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

const WORDS = new Set(['description', 'reason', 'explanation', 'title']);

/** Whether the diffs show all that the field says. */
function isShownField(input: Fields, key: string, shown: ShownChanges): boolean {
  const value = input[key];
  if (key === 'changes') return areShownByPath(value, shown);
  const path = textAt(input, PATHS);
  if (key === 'edits') return areShownEdits(value, path, shown);
  if (typeof value !== 'string') return false;
  if (PATHS.includes(key)) return shown.names(value);
  if (PATCHES.includes(key) || WHOLE.includes(key)) {
    return isProposed({ path, [key]: value }, shown);
  }
  const [oldText, newText] = [textAt(input, BEFORE), textAt(input, AFTER)];
  const isRead =
    (BEFORE.includes(key) && value === oldText) || (AFTER.includes(key) && value === newText);
  return isRead && isProposed({ path, oldText, newText }, shown);
}

function areShownEdits(edits: unknown, path: string | undefined, shown: ShownChanges): boolean {
  if (!Array.isArray(edits)) return false;
  const read = proposalOf({ path, edits }, 'edit');
  return (
    edits.every(edit => isRecord(edit) && hasOnly(edit, [PATHS, BEFORE, AFTER])) &&
    read.changes.length === edits.length &&
    shown.say(read)
  );
}

function areShownByPath(changes: unknown, shown: ShownChanges): boolean {
  return (
    isRecord(changes) &&
    Object.entries(changes).every(
      ([path, entry]) => isReadWhole(entry) && isProposed({ changes: { [path]: entry } }, shown),
    )
  );
}

/** Whether a change by path has no field but those that are read. */
function isReadWhole(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const [[key = '', inner] = []] = Object.entries(entry);
  const isFormer = Object.keys(entry).length === 1 && isRecord(inner);
  const kind = fileChange(isFormer ? key : (entry['type'] ?? entry['kind']));
  const texts = kind === 'added' || kind === 'deleted' ? [WHOLE] : [UNIFIED, TARGETS];
  return isFormer ? hasOnly(inner, texts) : hasOnly(entry, [['type', 'kind'], ...texts]);
}

/** Whether each field of `fields` is a text, of another one of these groups. */
function hasOnly(fields: Fields, groups: readonly (readonly string[])[]): boolean {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const used = new Set(given.map(([key]) => groups.find(group => group.includes(key))));
  return (
    used.size === given.length &&
    !used.has(undefined) &&
    given.every(([, value]) => typeof value === 'string')
  );
}

function isProposed(input: unknown, shown: ShownChanges): boolean {
  return shown.say(proposalOf(input, 'edit'));
}
