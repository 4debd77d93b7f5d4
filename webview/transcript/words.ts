import * as l10n from '@vscode/l10n';
import { numberText } from '../../src/base/language';
import type { DiffView } from '../../src/session/state/content';
import type { ToolCallPart, ToolContent, ToolStatus, Turn } from '../../src/session/state/state';

/** `7 s`, `2 min 14 s`, `1 h 5 min`; with tenths below ten seconds when `precise`. */
export function duration(milliseconds: number, precise = false): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (precise && seconds < 10) return l10n.t('{0} s', numberText(seconds, 1, true));
  const whole = Math.floor(seconds);
  if (whole < 60) return l10n.t('{0} s', whole);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) {
    return whole % 60 === 0
      ? l10n.t('{0} min', minutes)
      : l10n.t('{0} min {1} s', minutes, whole % 60);
  }
  return l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

export function bytes(count: number): string {
  if (count < 1024) return l10n.t('{0} bytes', count);
  if (count < 1024 * 1024) return l10n.t('{0} KB', Math.round(count / 1024));
  return l10n.t('{0} MB', numberText(count / 1024 / 1024, 1, true));
}

export function statusWord(status: ToolStatus): string {
  switch (status) {
    case 'pending':
      return l10n.t('Pending');
    case 'awaiting':
      return l10n.t('Waiting for you');
    case 'running':
      return l10n.t('Running');
    case 'completed':
      return l10n.t('Completed');
    case 'failed':
      return l10n.t('Failed');
    case 'rejected':
      return l10n.t('Rejected');
    case 'cancelled':
      return l10n.t('Canceled');
    default:
      return String(status satisfies never);
  }
}

/** `+5 −2` in words. */
export function changeWords(added: number, removed: number): string {
  if (removed === 0) return added === 1 ? l10n.t('1 line added') : l10n.t('{0} lines added', added);
  if (added === 0) {
    return removed === 1 ? l10n.t('1 line removed') : l10n.t('{0} lines removed', removed);
  }
  return l10n.t('{0} lines added, {1} removed', added, removed);
}

export function toolCount(turn: Turn): number {
  return turn.parts.filter(part => part.kind === 'tool').length;
}

export function toolsText(tools: number): string {
  return tools === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', tools);
}

/** `, 9 tools`, or nothing. */
export function withTools(sentence: string, tools: number): string {
  if (tools === 0) return sentence;
  return tools === 1 ? l10n.t('{0}, 1 tool', sentence) : l10n.t('{0}, {1} tools', sentence, tools);
}

/** Lines added and removed by the diffs of these calls; what was refused or failed changed nothing. */
export function changesOf(parts: readonly { readonly kind: string }[]): {
  readonly added: number;
  readonly removed: number;
} {
  return changeTotals(
    parts.flatMap(part => {
      const { content, status } = part as ToolCallPart;
      return part.kind !== 'tool' || /^(?:failed|rejected|cancelled)$/.test(status) ? [] : content;
    }),
  );
}

export function changeTotals(content: readonly ToolContent[]): {
  readonly added: number;
  readonly removed: number;
} {
  const diffs = content.flatMap(item => (item.kind === 'diff' ? [item.diff] : []));
  return {
    added: diffs.reduce((sum, diff) => sum + diff.added, 0),
    removed: diffs.reduce((sum, diff) => sum + diff.removed, 0),
  };
}

/** The paths of the files that these diffs are of, each once. */
export function filesOf(diffs: readonly DiffView[]): readonly string[] {
  return [...new Set(diffs.map(({ path }) => path))];
}

/** Which of the files are deleted or moved: lines do not say it. Empty when none is. */
export function fatesOf(diffs: readonly DiffView[]): string {
  const deleted = filesOf(diffs.filter(({ change }) => change === 'deleted')).length;
  const moved = filesOf(diffs.filter(({ change }) => change === 'moved')).length;
  if (filesOf(diffs).length === 1) {
    return deleted > 0 ? l10n.t('Deleted') : moved > 0 ? l10n.t('Moved') : '';
  }
  return [
    ...(deleted > 0 ? [l10n.t('{0} deleted', deleted)] : []),
    ...(moved > 0 ? [l10n.t('{0} moved', moved)] : []),
  ].join(', ');
}

export function baseName(path: string): string {
  return /[^\\/]+(?=[\\/]*$)/.exec(path)?.[0] ?? path;
}

/** The folder of `path`, from `root` on when it is inside. */
export function folderOf(path: string, root: string): string {
  const shown = relativePath(path, root);
  return shown.slice(0, Math.max(0, shown.length - baseName(shown).length - 1));
}

export function relativePath(path: string, root: string): string {
  const prefix = root.replace(/[\\/]+$/, '');
  const inside =
    prefix !== '' && path.startsWith(prefix) && /^[\\/]/.test(path.slice(prefix.length));
  return inside ? path.slice(prefix.length + 1) : path;
}
