import { withoutEscapes } from '../../src/base/escapeSequences';
import * as l10n from '@vscode/l10n';
import { ownParts, partsUnder } from '../../src/session/state/lanes';
import { firstChange } from '../../src/session/state/partIndex';
import { waitingRequests } from '../../src/session/state/selectors';
import type { Part, SessionState, Turn } from '../../src/session/state/state';
import { FORMATTING } from '../markdown/htmlRenderer';
import { toolsText } from '../transcript/words';

export interface Announcement {
  readonly text: string;
  /** `now` interrupts what is being said; `prose` may be held back to keep a pace. */
  readonly manner: 'now' | 'event' | 'prose';
}

/**
 * What a listener must hear of the change from `before` to `after` of one chat. Pure.
 * @param lane the call of the subagent that is shown instead of the chat: its words are read out, not the agent's
 */
export function announcementsOf(
  before: SessionState,
  after: SessionState,
  lane?: string,
): Announcement[] {
  if (before.chatId !== after.chatId) return [];
  return [
    ...problem(before, after),
    ...requests(before, after),
    ...turnChanges(before, after, turn => inLane(turn, lane)),
  ];
}

function problem(before: SessionState, after: SessionState): Announcement[] {
  const { connection } = after;
  if (connection.kind !== 'failed' || connection === before.connection) return [];
  const { title, detail } = connection.problem;
  return [{ text: l10n.t('{0}: {1}', title, detail), manner: 'now' }];
}

function requests(before: SessionState, after: SessionState): Announcement[] {
  if (before.permissions === after.permissions && before.elicitations === after.elicitations) {
    return [];
  }
  const known = new Set(waitingRequests(before).map(({ id }) => id));
  return waitingRequests(after)
    .filter(({ id }) => !known.has(id))
    .map(({ title }) => ({ text: l10n.t('Waiting for you: {0}', title), manner: 'now' }));
}

function turnChanges(
  before: SessionState,
  after: SessionState,
  own: (turn: Turn) => Turn,
): Announcement[] {
  const turn = after.activeTurn;
  if (turn && turn.id === before.activeTurn?.id) {
    return [...failures(before.activeTurn, turn), ...prose(own(before.activeTurn), own(turn))];
  }
  const said: Announcement[] = [];
  const ended = before.activeTurn;
  if (ended) {
    const now = after.turns.find(({ id }) => id === ended.id);
    if (now)
      said.push(
        ...failures(ended, now),
        ...lastProse(own(ended), own(now)),
        ...ending(now, after.queue.length),
      );
  }
  if (turn) said.push({ text: l10n.t('Working'), manner: 'event' });
  return said;
}

function ending(turn: Turn, queued: number): Announcement[] {
  switch (turn.end?.reason) {
    case 'end_turn':
      return [{ text: doneText(turn), manner: 'event' }];
    case 'cancelled':
      return [{ text: stoppedText(queued), manner: 'event' }];
    case 'interrupted':
      // The connection says why.
      return [];
    default:
      return [{ text: l10n.t('Ended early'), manner: 'event' }];
  }
}

function stoppedText(queued: number): string {
  if (queued === 0) return l10n.t('Stopped');
  return queued === 1
    ? l10n.t('Stopped. 1 message waits until you resume.')
    : l10n.t('Stopped. {0} messages wait until you resume.', queued);
}

function doneText(turn: Turn): string {
  const tools = turn.parts.filter(({ kind }) => kind === 'tool').length;
  const files = new Set(
    turn.parts.flatMap(part =>
      part.kind === 'tool' && part.status === 'completed'
        ? part.content.flatMap(content => (content.kind === 'diff' ? [content.diff.path] : []))
        : [],
    ),
  ).size;
  const words = [l10n.t('Done')];
  if (tools > 0) words.push(toolsText(tools));
  if (files > 0) {
    words.push(files === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', files));
  }
  return words.join(', ');
}

/** Tools speak only when they fail (or wait: see `requests`). */
function failures(before: Turn, after: Turn): Announcement[] {
  if (before.parts === after.parts) return [];
  const from = firstChange(before.parts, after.parts);
  const failed = new Set(
    before.parts
      .slice(from)
      .flatMap(part => (part.kind === 'tool' && part.status === 'failed' ? [part.id] : [])),
  );
  return after.parts
    .slice(from)
    .flatMap(part =>
      part.kind === 'tool' && part.status === 'failed' && !failed.has(part.id)
        ? [{ text: l10n.t('{0} failed', withoutEscapes(part.title)), manner: 'event' } as const]
        : [],
    );
}

/** What is folded away is not read out: what subagents say, or all others than the one that is shown. */
function inLane(turn: Turn, lane: string | undefined): Turn {
  return { ...turn, parts: lane === undefined ? ownParts(turn) : partsUnder(turn, lane) };
}

/** Paragraphs that became complete: those before the last blank line, or of a part that another follows. */
function prose(before: Turn, after: Turn): Announcement[] {
  if (before.parts === after.parts) return [];
  const end = before.parts.length - 1;
  const from = Math.max(0, Math.min(firstChange(before.parts, after.parts), end));
  return after.parts.slice(from).flatMap((part, place) => {
    const index = from + place;
    const old = before.parts[index];
    const last = index === after.parts.length - 1;
    if (part === old && (last || index < end)) return [];
    return paragraphsBetween(old, index === end, part, last);
  });
}

function lastProse(before: Turn, after: Turn): Announcement[] {
  const end = before.parts.length - 1;
  return after.parts
    .slice(Math.max(0, end))
    .flatMap((part, place) =>
      paragraphsBetween(
        before.parts[Math.max(0, end) + place],
        place === 0 && end >= 0,
        part,
        false,
      ),
    );
}

function paragraphsBetween(
  before: Part | undefined,
  wasLast: boolean,
  after: Part,
  isLast: boolean,
): Announcement[] {
  if (after.kind !== 'text') return [];
  const said = before?.kind === 'text' ? complete(before.text, wasLast) : '';
  const fresh = complete(after.text, isLast).slice(said.length);
  return fresh
    .split(/\n\s*\n/)
    .map(plainText)
    .filter(text => text !== '')
    .map(text => ({ text, manner: 'prose' }));
}

/** The paragraphs of a streamed text that will not grow any more. */
function complete(text: string, growing: boolean): string {
  if (!growing) return text;
  const end = text.lastIndexOf('\n\n');
  return end < 0 ? '' : text.slice(0, end);
}

/** Tags that are not shown either; others are words. */
const FORMATTING_TAG = new RegExp(`</?(?:${[...FORMATTING].join('|')})(?=[\\s/>])[^<>]*>`, 'g');

/** Markdown without the signs that a listener would hear spelled out. */
function plainText(markdown: string): string {
  const codes: string[] = [];
  return (
    markdown
      .replace(/^\s*(```|~~~).*$/gm, '')
      .replace(/(?<!`)(`+)(?!`)([^]+?)(?<!`)\1(?!`)/g, (_, _ticks, code: string) => {
        codes.push(code.trim());
        return `\uE000${codes.length - 1}\uE001`;
      })
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\[\^[^\]\s]+\]:?/g, '')
      .replace(FORMATTING_TAG, '')
      .replace(/\$\$?|\\[()[\]]/g, '')
      .replace(/^[ \t]*(#{1,6}|>|[-*+]|\|)[ \t]+/gm, '')
      .replace(/^[|:\- ]+$/gm, '')
      .replace(/[*`|]+/g, '')
      // Inside a word it is part of a name: `API_KEY`.
      .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
      .replace(/\uE000(\d+)\uE001/g, (_, at: string) => codes[Number(at)] ?? '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
