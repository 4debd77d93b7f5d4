/** A compaction of the agent's memory as one notice that changes in place, with its summary folded in. */
import type * as schema from '../../acp/schema/schema';
import * as l10n from '@vscode/l10n';
import type { SessionAction } from '../state/actions';

type Notice = Pick<
  Extract<SessionAction, { type: 'noticeAdded' }>,
  'level' | 'text' | 'detail' | 'key' | 'body'
>;

export function compactionKey(compactionId: string): string {
  return `compaction:${compactionId}`;
}

/** What the notice says now. Absent fields of the update leave the summary as it is; null clears it. */
export function compactionNotice(update: schema.CompactionUpdate): Notice {
  const { summary, error, status } = update;
  const body = summary === undefined ? undefined : (summary ?? []).map(textOf).join('\n\n');
  return {
    key: compactionKey(update.compactionId),
    ...words(status),
    ...(typeof error === 'string' && error !== '' && { detail: error }),
    ...(body !== undefined && { body }),
  };
}

function words(status: schema.CompactionStatus): Pick<Notice, 'level' | 'text'> {
  switch (status) {
    case 'completed':
      return {
        level: 'info',
        text: l10n.t('The agent summarized the chat to free up context.'),
      };
    case 'cancelled':
      return { level: 'info', text: l10n.t('Summarizing the chat was canceled.') };
    case 'failed':
      return { level: 'warning', text: l10n.t('The agent could not summarize the chat.') };
    default:
      return {
        level: 'info',
        text: l10n.t('The agent is summarizing the chat to free up context.'),
      };
  }
}

/** What a block of a summary says; blocks other than text are named. */
export function textOf(block: schema.ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  return `_${'uri' in block && block.uri ? block.uri : block.type}_`;
}
