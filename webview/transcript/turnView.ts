import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { messagesOf, waitingRequests } from '../../src/session/state/selectors';
import { ownParts } from '../../src/session/state/lanes';
import type { Part, Turn, TurnEnd } from '../../src/session/state/state';
import { workedFor } from '../../src/session/state/workTime';
import { copy } from '../markdown/markdownElement';
import { button, innerIconButton } from '../ui/button';
import { icon } from '../ui/icon';
import { tryAgainButtons } from './answerActions';
import { toggled } from './contentView';
import { terminalOf, type ViewContext } from './context';
import { changeCounts } from './diffView';
import { isOnlyRun, workKey } from './window/places';
import { actionButton, partsView } from './partView';
import { promptName, promptView } from './promptView';
import { workingOn } from './toolText';
import { changesOf, duration, toolCount, toolsText, withTools } from './words';

/** Parts of a turn that is short. */
const SHORT = 40;

export interface TurnPlace {
  /** The newest turn: it is not folded, and its end offers what to do next. */
  readonly latest: boolean;
  /** One of the last few. */
  readonly near: boolean;
  /** It runs now. */
  readonly live: boolean;
}

/** One prompt and what came of it. */
export function turnView(context: ViewContext, turn: Turn, place: TurnPlace): TemplateResult {
  const own = ownParts(turn);
  // What a short turn did is there at once when its fold is opened.
  const isReady = place.near && turn.parts.length <= SHORT;
  const foldOf = (work: readonly Part[]) => foldView(context, turn, work, isReady);
  return html`<article
    class=${place.live ? 'turn live' : place.latest ? 'turn newest' : 'turn'}
    aria-label=${promptName(messagesOf(turn)[0])}
    data-turn-id=${turn.id}
  >
    ${turn.prompt ? promptView(context, turn.prompt, { id: turn.id, live: place.live }) : nothing}
    ${partsView(context, turn, own, {
      name: turn.id,
      live: place.live,
      tail: place.latest,
      foldOf: place.latest ? undefined : foldOf,
    })}
    ${place.live ? workLine(context, turn) : endView(context, turn, place)}
    ${place.live || isDoneLine(turn, place) ? nothing : replyLine(context, turn)}
  </article>`;
}

/** What a finished turn did, where it did it. What it said is never inside. */
function foldView(
  context: ViewContext,
  turn: Turn,
  work: readonly Part[],
  isReady: boolean,
): TemplateResult {
  const isOnly = isOnlyRun(turn, work);
  const key = workKey(turn, work);
  const open = context.folds.get(key, false);
  const done = isOnly ? turn.parts : work;
  const { added, removed } = changesOf(done);
  const tools = done.filter(part => part.kind === 'tool');
  const short = isOnly ? l10n.t('Worked for {0}', lasted(turn)) : runTitle(work, tools.length);
  const title = isOnly ? withTools(short, tools.length) : short;
  // The count of tools gives way to the time and the lines.
  const rest = title.startsWith(short) ? title.slice(short.length) : '';
  return html`<details class="fold work-fold" ?open=${open} @toggle=${toggled(context, key)}>
    <summary tabindex="-1" data-item>
      ${icon(workIcon(turn, tools))}<span class="cut" title=${title}
        >${rest ? html`${short}<span class="hide-s">${rest}</span>` : title}</span
      >${changeCounts(added, removed)}<i
        class="codicon tip codicon-chevron-right"
        aria-hidden="true"
      ></i>
    </summary>
    ${
      isReady || context.folds.get(key, false)
        ? html`<div class="folded">
            ${partsView(context, turn, work, { name: key, live: false })}
          </div>`
        : nothing
    }
  </details>`;
}

function runTitle(work: readonly Part[], tools: number): string {
  if (tools > 0) return toolsText(tools);
  return work.some(({ kind }) => kind === 'plan') ? l10n.t('Plan') : l10n.t('Thought');
}

/** What failed or was refused is not done. */
function workIcon(turn: Turn, tools: readonly Extract<Part, { kind: 'tool' }>[]): string {
  if (tools.some(({ status }) => status !== 'completed')) {
    return turn.end?.reason === 'cancelled' ? 'stop-circle' : 'tools';
  }
  return 'check';
}

function workLine(context: ViewContext, turn: Turn): TemplateResult | typeof nothing {
  if (waitingRequests(context.session).length > 0) return nothing;
  const text = working(context, turn);
  return html`<p class="work" role="status" aria-live="off">
    ${icon('loading', { spin: true })}<b class="cut" title=${text}>${text}</b>
  </p>`;
}

function working(context: ViewContext, turn: Turn): string {
  if (context.session.cancelling) return l10n.t('Stopping');
  const running = turn.parts.findLast(part => part.kind === 'tool' && part.status === 'running');
  if (running?.kind === 'tool') {
    const id = running.content.find(content => content.kind === 'terminal')?.terminalId;
    const terminal = id === undefined ? undefined : terminalOf(context, id);
    return workingOn(running, context.session.cwd, terminal);
  }
  return ownParts(turn).at(-1)?.kind === 'text' ? l10n.t('Writing') : l10n.t('Working');
}

function endView(
  context: ViewContext,
  turn: Turn,
  place: TurnPlace,
): TemplateResult | typeof nothing {
  const { end } = turn;
  if (!end || turn.endedAt === undefined) return nothing;
  const time = lasted(turn);
  const said = ownParts(turn).at(-1);
  if (end.reason === 'end_turn') {
    return isDoneLine(turn, place) ? doneLine(context, turn, time) : nothing;
  }
  // Below the last turn stands why the agent is gone.
  const gone = end.reason === 'interrupted' && place.latest;
  const heard =
    (said?.kind === 'notice' && said.level !== 'info') ||
    (gone && context.session.connection.kind === 'failed');
  if (heard) return nothing;
  // Some agents cancel the turn themselves when the user says no.
  const refused = said?.kind === 'tool' && said.status === 'rejected';
  const { glyph, text, goOn } = endWords(end, time, refused);
  const stopped = end.reason === 'cancelled' && !refused;
  const files = stopped ? filesChanged(turn) : 0;
  const actions = place.latest && goOn ? actionButton(context, 'continue') : [];
  return html`<div class="notice" data-part="notice" data-item tabindex="-1" role="note">
    ${icon(glyph, glyph === 'error' ? { tone: 'bad' } : {})}
    <div class="grow">
      <p>${files > 0 ? `${text} ${filesKept(files)}` : text}</p>
      ${
        actions.length > 0
          ? html`<div class="acts">
              ${actions}${files > 0 && turn.prompt ? restoreButton(context, turn) : nothing}
            </div>`
          : nothing
      }
    </div>
  </div>`;
}

function restoreButton(context: ViewContext, { id: turnId }: Turn): TemplateResult {
  return button({
    label: l10n.t('Restore to Before This Prompt…'),
    kind: 'plain',
    onClick: () => context.send({ type: 'restorePrompt', turnId }),
  });
}

function filesKept(files: number): string {
  return files === 1
    ? l10n.t('Its edit to 1 file is still there.')
    : l10n.t('Its edits to {0} files are still there.', files);
}

function filesChanged({ parts }: Turn): number {
  const paths = parts.flatMap(part =>
    part.kind === 'tool' && part.status === 'completed'
      ? part.content.flatMap(content => (content.kind === 'diff' ? [content.diff.path] : []))
      : [],
  );
  return new Set(paths).size;
}

function doneLine(context: ViewContext, turn: Turn, time: string): TemplateResult {
  const title = withTools(l10n.t('Done in {0}', time), toolCount(turn));
  return html`<div class="endline" data-item tabindex="-1">
    <span class="cut grow" title=${title}>${title}</span>
    ${tryAgainButtons(context, turn.id)}${copyReply(turn)}
  </div>`;
}

function isDoneLine({ end, prompt }: Turn, place: TurnPlace): boolean {
  return end?.reason === 'end_turn' && place.latest && prompt !== undefined;
}

/** Below a turn that has no line about its end: where the line was while it was the latest. */
function replyLine(context: ViewContext, turn: Turn): TemplateResult | typeof nothing {
  const again = turn.prompt ? tryAgainButtons(context, turn.id) : nothing;
  const copies = copyReply(turn);
  if (again === nothing && copies === nothing) return nothing;
  return html`<div class="endline reply" data-item tabindex="-1">${again}${copies}</div>`;
}

function copyReply(turn: Turn): TemplateResult | typeof nothing {
  if (!ownParts(turn).some(part => part.kind === 'text' && part.text !== '')) return nothing;
  return innerIconButton({
    icon: 'copy',
    label: l10n.t('Copy Answer'),
    onClick: event => void copy(event.currentTarget as HTMLElement, replyOf(turn)),
  });
}

function replyOf(turn: Turn): string {
  return ownParts(turn)
    .flatMap(part => (part.kind === 'text' ? [part.text] : []))
    .join('\n\n');
}

/** What an end other than the usual one means, and whether going on makes sense. */
function endWords(
  end: TurnEnd,
  time: string,
  refused: boolean,
): { readonly glyph: string; readonly text: string; readonly goOn: boolean } {
  switch (end.reason) {
    case 'end_turn':
      return { glyph: 'check', text: l10n.t('Done in {0}', time), goOn: false };
    case 'cancelled':
      if (refused) {
        return {
          glyph: 'stop-circle',
          text: l10n.t(
            'The agent stopped when you rejected its request. Tell it what to do instead.',
          ),
          goOn: false,
        };
      }
      return {
        glyph: 'stop-circle',
        text: l10n.t('You stopped the agent after {0}.', time),
        goOn: true,
      };
    case 'refusal':
      return {
        glyph: 'circle-slash',
        text: l10n.t('The agent declined to continue. Rephrase your message, or start a new chat.'),
        goOn: false,
      };
    case 'max_tokens':
      return {
        glyph: 'warning',
        text: l10n.t("The answer reached the model's length limit. Continue to get the rest."),
        goOn: true,
      };
    case 'max_turn_requests':
      return {
        glyph: 'warning',
        text: l10n.t('The agent reached its limit of steps. Continue to let it work on.'),
        goOn: true,
      };
    case 'failed':
      return { glyph: 'error', text: l10n.t('Failed after {0}.', time), goOn: true };
    case 'interrupted':
      return {
        glyph: 'debug-disconnect',
        text: l10n.t('The agent quit after {0}. Its changes so far are kept.', time),
        goOn: false,
      };
    case 'other':
      return { glyph: 'info', text: l10n.t('Ended after {0}.', time), goOn: true };
    default:
      return { glyph: 'info', text: String(end.reason satisfies never), goOn: false };
  }
}

/** No turn takes no time at all: a part of a second counts as one. */
function lasted(turn: Turn): string {
  return duration(Math.max(1000, workedFor(turn, turn.startedAt)));
}
