/** Requests that a line shows whole: only those are answered where there is no more room. Pure. */
import { textPieces } from '../../base/visibleText';
import { mayAllow, type PermissionOption, type PermissionRequest } from './permission';

/** What a notification or a row of a list shows without cutting it, in characters. */
const MAX_LINE = 80;

/** Whether it asks for no more than its command or title says: nothing risky, outside, or beside it. */
export function isPlain(request: PermissionRequest, cwd: string): boolean {
  const { asked, facts } = request;
  if ((facts.risks ?? []).length > 0 || (facts.warnings ?? []).length > 0) return false;
  if (facts.restOfInput || asked.content.some(({ kind }) => kind !== 'terminal')) return false;
  if (facts.command && facts.command.folder !== cwd) return false;
  return mayAllow(request);
}

/**
 * The command, where it is all that is asked and can be read in a line: what it looks like is what it is, and nothing of
 * it is taken for a link or an icon.
 */
export function plainCommand(request: PermissionRequest, cwd: string): string | undefined {
  const { facts, asked, before } = request;
  if (!facts.command || before || asked.locations.length > 0 || !isPlain(request, cwd)) {
    return undefined;
  }
  const { line, shell } = facts.command;
  const words = shell === undefined ? line : `${shell} ${line}`;
  const isLine = !/[\r\n\t]| {2}|^ | $|\]\(|\$\(/.test(words);
  const isSeen = textPieces(words, { code: true }).every(({ kind }) => kind === 'plain');
  return isLine && isSeen && [...words].length <= MAX_LINE ? words : undefined;
}

/** The place of the agent's own answer for this once, if there is just one. */
export function onceOption(
  options: readonly PermissionOption[],
  answer: 'allow' | 'reject',
): number | undefined {
  const kind = `${answer}_once`;
  const place = options.findIndex(option => option.kind === kind);
  return place < 0 || options.filter(option => option.kind === kind).length > 1 ? undefined : place;
}
