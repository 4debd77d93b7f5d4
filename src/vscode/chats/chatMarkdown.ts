import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever';
import { withoutEscapes } from '../../base/escapeSequences';
import type { ContentView, DiffView } from '../../session/state/content';
import { allTurns } from '../../session/state/selectors';
import type { Part, SessionState, ToolCallPart, Turn } from '../../session/state/state';
import { titleOf } from './panelSource';

/**
 * The whole chat as a markdown text that reads well outside Parley.
 * @param mask takes secrets out
 */
export function chatMarkdown(state: SessionState, mask: (text: string) => string): string {
  const agent = state.agent.title ?? state.agent.name;
  const turns = allTurns(state);
  const date = new Date(state.createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const head = `# ${titleOf(state)}\n\n${agent}, ${date} UTC`;
  const text = [head, ...turns.map(turn => turnMarkdown(turn, agent))].join('\n\n');
  return `${mask(withoutEscapes(text))}\n`;
}

function turnMarkdown(turn: Turn, agent: string): string {
  const { prompt } = turn;
  const attached = (prompt?.attachments ?? []).map(({ label }) => `\`${label}\``).join(', ');
  const asked = prompt
    ? [`## ${vscode.l10n.t('You')}`, prompt.text, ...(attached === '' ? [] : [attached])]
    : [];
  const parts = turn.parts.map(partMarkdown).filter(text => text !== '');
  return [...asked, ...(parts.length > 0 ? [`## ${agent}`, ...parts] : [])].join('\n\n');
}

function partMarkdown(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text.trim();
    case 'thought':
      return quoted(part.text.trim());
    case 'content':
      return contentMarkdown(part.block);
    case 'tool':
      return toolMarkdown(part);
    case 'plan':
      return part.entries
        .map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${content}`)
        .join('\n');
    case 'notice':
      return quoted(part.detail === undefined ? part.text : `${part.text}\n${part.detail}`);
    case 'user':
      return quoted(`**${vscode.l10n.t('You')}**\n\n${part.message.text}`);
    default:
      return assertNever(part);
  }
}

function toolMarkdown(part: ToolCallPart): string {
  const lines = [`**${part.title}** (${part.toolKind}, ${part.status})`];
  if (part.note !== undefined) lines.push(quoted(part.note));
  for (const item of part.content) {
    switch (item.kind) {
      case 'block':
        lines.push(contentMarkdown(item.block));
        break;
      case 'diff': {
        const { diff } = item;
        const body = diff.hunks
          .flatMap(hunk => hunk.lines.map(({ sign, text }) => `${sign}${text}`))
          .join('\n');
        lines.push(diffLine(diff), ...(body === '' ? [] : [fenced(body, 'diff')]));
        break;
      }
      case 'terminal':
        break;
      default:
        assertNever(item);
    }
  }
  return lines.join('\n\n');
}

/** The file, what happens to it, and how many lines change. */
function diffLine({ path, oldPath, change, oldTextUnknown, added, removed }: DiffView): string {
  const counts = `+${added} −${oldTextUnknown ? '?' : removed}`;
  const file = `\`${path}\``;
  switch (change) {
    case 'deleted':
      return oldTextUnknown || removed === 0
        ? `${file} ${vscode.l10n.t('(deleted; its text is not available)')}`
        : `${file} ${vscode.l10n.t('(deleted)')} ${counts}`;
    case 'moved':
      return oldPath === undefined
        ? `${file} ${vscode.l10n.t('(moved)')} ${counts}`
        : `${file} ${vscode.l10n.t('(moved from {0})', `\`${oldPath}\``)} ${counts}`;
    case 'added':
    case 'modified':
      return `${file} ${counts}`;
    default:
      return assertNever(change);
  }
}

function contentMarkdown(block: ContentView): string {
  switch (block.kind) {
    case 'text':
      return block.text.text.trim();
    case 'image':
    case 'audio':
      return `_${block.mimeType}_`;
    case 'link':
      return `[${block.title ?? block.name}](${block.uri})`;
    case 'resource':
      return block.text ? `\`${block.uri}\`\n\n${fenced(block.text.text, '')}` : `\`${block.uri}\``;
    case 'unknown':
      return fenced(block.json.text, 'json');
    default:
      return assertNever(block);
  }
}

function fenced(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n');
}
