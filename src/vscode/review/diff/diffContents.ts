import type { FileDiff } from '../../../session/translate/contents';

/** A request for permission as it was shown, by the ids the state knows it by. */
export interface RequestKey {
  readonly chatId: string;
  readonly requestId: string;
  readonly revision: number;
}

/** A file's edit as an agent described it; either whole texts or snippets of the file. */
export interface AgentDiff extends FileDiff {
  /** The request that waits for this edit to be allowed, if one does. */
  readonly request?: RequestKey;
}

/** Finds what the state only refers to. */
export interface DiffContents {
  diff(chatId: string, ref: string): AgentDiff | undefined;
}

export interface DiffSides {
  readonly left: string;
  readonly right: string;
  /** True when both sides are the whole file, so that line numbers are the file's. */
  readonly whole: boolean;
}

/**
 * The two sides to show. Agents describe an edit by whole texts or by snippets; a snippet found exactly
 * once in the file is shown in its place. Line endings are LF on both sides: only text differs.
 * @param current the file as it is now; undefined when there is none.
 */
export function diffSides(diff: AgentDiff, current: string | undefined): DiffSides {
  const right = lf(diff.newText);
  if (diff.change === 'deleted') return deletionSides(diff, current);
  if (isUnknown(diff)) return unknownSides(diff, current);
  if (diff.oldText === null) return { left: '', right, whole: true };
  const left = lf(diff.oldText);
  const file = current === undefined ? undefined : lf(current);
  if (file === undefined || file === left || file === right) return { left, right, whole: true };
  const before = (): DiffSides | undefined => {
    const now = replaceOnly(file, left, right);
    return now === undefined ? undefined : { left: file, right: now, whole: true };
  };
  const after = (): DiffSides | undefined => {
    const was = replaceOnly(file, right, left);
    return was === undefined ? undefined : { left: was, right: file, whole: true };
  };
  // While a request waits the file has the old text. Later it has the new one, which may contain the old.
  const found = diff.request ? (before() ?? after()) : (after() ?? before());
  return found ?? { left, right, whole: false };
}

/** The file's whole text against nothing; once it is deleted, the text that the agent gave. */
function deletionSides({ oldText, newText }: AgentDiff, current: string | undefined): DiffSides {
  return { left: lf(current ?? oldText ?? ''), right: lf(newText), whole: false };
}

/** Whether the file exists, and its old text was not given. */
function isUnknown({ change, oldText }: AgentDiff): boolean {
  return oldText === null && (change === 'modified' || change === 'moved');
}

/** The text to be written over the file; without one the file stays as it is. */
function unknownSides({ newText, request }: AgentDiff, current: string | undefined): DiffSides {
  const right = lf(newText);
  const file = current === undefined ? undefined : lf(current);
  if (right === '') {
    return { left: file ?? right, right: file ?? right, whole: false };
  }
  return { left: request ? (file ?? '') : '', right, whole: true };
}

/** `text` with its only occurrence of `part` replaced; undefined when there is none or more than one. */
function replaceOnly(text: string, part: string, replacement: string): string | undefined {
  if (part === '') return undefined;
  const at = text.indexOf(part);
  if (at < 0 || text.indexOf(part, at + 1) >= 0) return undefined;
  return text.slice(0, at) + replacement + text.slice(at + part.length);
}

function lf(text: string): string {
  return text.replace(/\r\n/g, '\n');
}
