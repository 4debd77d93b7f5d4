import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever';
import { withoutEscapes } from '../../base/escapeSequences';
import type { ContentView, DiffView } from '../../session/state/content';
import { allTurns, terminalOf, waitingRequests } from '../../session/state/selectors';
import type {
  Message,
  Part,
  PlanEntry,
  SessionState,
  ToolCallPart,
  ToolStatus,
  Turn,
} from '../../session/state/state';
import { titleOf } from './panelSource';

export { titleOf };

/**
 * The chat from top to bottom as plain text, with nothing folded away: what is shown as a sign is a word here.
 * @param mask takes secrets out
 */
export function chatText(state: SessionState, mask: (text: string) => string): string {
  const turns = allTurns(state).map(turn => turnText(state, turn));
  const waiting = waitingRequests(state).map(({ title }) =>
    vscode.l10n.t('Waiting for you: {0}', title),
  );
  return `${mask(withoutEscapes([titleOf(state), ...turns, ...waiting].join('\n\n')))}\n`;
}

function turnText(state: SessionState, turn: Turn): string {
  const asked = turn.prompt ? [messageText(turn.prompt)] : [];
  const agent = `${state.agent.title ?? state.agent.name}:`;
  const parts = turn.parts.map(part => partText(state, part)).filter(text => text !== '');
  return [...asked, ...(parts.length > 0 ? [agent] : []), ...parts].join('\n\n');
}

function messageText({ text, attachments }: Message): string {
  const attached = attachments.map(({ title }) => vscode.l10n.t('Attached: {0}', title));
  return [vscode.l10n.t('You:'), text, ...attached].join('\n');
}

function partText(state: SessionState, part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text.trim();
    case 'thought':
      return `${vscode.l10n.t('Thought:')}\n${part.text.trim()}`;
    case 'content':
      return contentText(part.block);
    case 'tool':
      return toolText(state, part);
    case 'plan':
      return [vscode.l10n.t('Plan:'), ...part.entries.map(entryText)].join('\n');
    case 'notice':
      return [part.text, part.detail, part.body].filter(Boolean).join('\n');
    case 'user':
      return messageText(part.message);
    default:
      return assertNever(part);
  }
}

function entryText({ content, status }: PlanEntry): string {
  switch (status) {
    case 'completed':
      return vscode.l10n.t('Completed: {0}', content);
    case 'in_progress':
      return vscode.l10n.t('In progress: {0}', content);
    case 'pending':
      return vscode.l10n.t('Pending: {0}', content);
    default:
      return assertNever(status);
  }
}

function toolText(state: SessionState, part: ToolCallPart): string {
  const lines = [
    vscode.l10n.t('Tool: {0}, {1}', part.title || part.toolKind, statusText(part.status)),
  ];
  if (part.note !== undefined) lines.push(part.note);
  for (const item of part.content) {
    switch (item.kind) {
      case 'block':
        lines.push(contentText(item.block));
        break;
      case 'diff':
        lines.push(diffText(item.diff));
        break;
      case 'terminal': {
        const terminal = terminalOf(state, item.terminalId);
        if (terminal) lines.push(terminal.command, terminal.output + (terminal.screen ?? ''));
        break;
      }
      default:
        assertNever(item);
    }
  }
  return lines.filter(line => line !== '').join('\n');
}

function statusText(status: ToolStatus): string {
  switch (status) {
    case 'pending':
      return vscode.l10n.t('pending');
    case 'awaiting':
      return vscode.l10n.t('waiting for you');
    case 'running':
      return vscode.l10n.t('running');
    case 'completed':
      return vscode.l10n.t('completed');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'rejected':
      return vscode.l10n.t('rejected');
    case 'cancelled':
      return vscode.l10n.t('canceled');
    default:
      return assertNever(status);
  }
}

/** Each changed line says in words what becomes of it. */
function diffText({ path, hunks, added, removed }: DiffView): string {
  const head = vscode.l10n.t('{0}: {1} lines added, {2} removed', path, added, removed);
  const lines = hunks.flatMap(hunk =>
    hunk.lines.map(({ sign, text }) => {
      if (sign === '+') return vscode.l10n.t('Added: {0}', text);
      return sign === '-' ? vscode.l10n.t('Removed: {0}', text) : text;
    }),
  );
  return [head, ...lines].join('\n');
}

function contentText(block: ContentView): string {
  switch (block.kind) {
    case 'text':
      return block.text.text.trim();
    case 'image':
      return vscode.l10n.t('Image: {0}', block.uri ?? block.mimeType);
    case 'audio':
      return vscode.l10n.t('Audio: {0}', block.mimeType);
    case 'link':
      return `${block.title ?? block.name}: ${block.uri}`;
    case 'resource':
      return [block.uri, block.text?.text ?? ''].filter(Boolean).join('\n');
    case 'unknown':
      return block.json.text;
    default:
      return assertNever(block);
  }
}
