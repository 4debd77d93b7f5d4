import type { PermissionEntry } from '../ports';
import type { Verdict } from '../rules/decide';
import { ruleName } from '../rules/rule';
import { commandInput, parsedInput } from '../state/commandInput';
import type { AskedCall } from '../state/permission';
import type { SessionState } from '../state/state';
import type { Contents } from '../translate/contents';
import { namedFiles, shownDiffs, terminalCommand } from './askedFacts';

/** UTF-16 units of a text, and files, that are written down. */
const MAX_TEXT = 2_000;
const MAX_FILES = 50;

export interface Decided {
  readonly asked: AskedCall;
  readonly outcome: 'allowed' | 'rejected';
  /** Of the rules that decided; undefined for the user. */
  readonly verdict: Verdict | undefined;
  readonly contents: Contents;
}

/** What was decided, as the permission log has it. */
export function logEntry(
  { asked, outcome, verdict, contents }: Decided,
  { chatId, agent }: SessionState,
  at: number,
): PermissionEntry {
  const { title, toolKind, rawInput } = asked;
  const input = rawInput && parsedInput(contents.whole(rawInput));
  const command = commandInput(input)?.line ?? terminalCommand(asked);
  const files = [...new Set(namedFiles(asked, shownDiffs(asked, contents), contents))];
  return {
    at,
    chatId,
    agent: agent.name,
    title: cut(title),
    kind: toolKind,
    ...(command !== undefined && { command: cut(command) }),
    ...(files.length > 0 && { files: files.slice(0, MAX_FILES).map(cut) }),
    outcome,
    by: verdict ? 'rule' : 'user',
    ...(verdict && { rules: verdict.rules.map(ruleName) }),
  };
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
