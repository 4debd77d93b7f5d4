import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { withoutEscapes } from '../../src/base/escapeSequences';
import { partsBelow, partsUnder } from '../../src/session/state/lanes';
import { laneOf, lastOfLane } from '../../src/session/state/partIndex';
import type {
  NoticeAction,
  NoticePart,
  Part,
  PlanEntry,
  PlanPart,
  ThoughtPart,
  ToolCallPart,
  Turn,
} from '../../src/session/state/state';
import { button } from '../ui/button';
import { icon } from '../ui/icon';
import { contentView, fold, toggled } from './contentView';
import { steeredView } from './promptView';
import { requestFor, type ViewContext } from './context';
import { runs } from './groups';
import { readsView } from './readsView';
import { terminalsOf, toolView, type Nested } from './toolView';
import { duration } from './words';

/** About as high as a row of a list is, in pixels. */
const ROW_GUESS = 40;

/** A list of parts: its name among the lists of the conversation, and how it is shown. */
export interface PartList {
  readonly name: string;
  /** The turn runs: its last part may still grow. */
  readonly live: boolean;
  /** Begins at its end while the reader is there. */
  readonly tail?: boolean;
  /** What stands for a run of work; the words between keep their elements when it comes. */
  readonly foldOf?: ((work: readonly Part[]) => TemplateResult) | undefined;
}

/** Parts in order, those near the view, each rendered again only when something it shows has changed. */
export function partsView(
  context: ViewContext,
  turn: Turn,
  parts: readonly Part[],
  { name, live, tail = false, foldOf }: PartList,
): unknown {
  const { folds, windows } = context;
  const groups = foldOf ? runs(parts) : context.groups.of(context, turn, name, parts);
  return windows.draw(name, groups, { guess: ROW_GUESS, tail }, group => {
    if (group.isWork) return foldOf?.(group.parts);
    const shown = group.parts.flatMap(part => withNested(turn, part));
    const tools = shown.filter(part => part.kind === 'tool');
    const dependencies: unknown[] = [
      ...shown,
      ...shown.map(part => folds.revision(part.id)),
      ...tools.flatMap(part => terminalsOf(context, part)),
      live && shown.some(part => isLast(turn, part)),
      context.theme,
      shown.length > 1 && windows.version,
    ];
    for (const tool of tools) {
      const request = requestFor(context, turn.id, tool.toolCallId);
      if (request) {
        dependencies.push(
          request,
          context.session.permissions,
          context.isSettled,
          folds.revision(request.id),
        );
      }
    }
    return guard(dependencies, () =>
      group.reads
        ? readsView(context, tools)
        : partView(context, turn, group.parts[0] as Part, live),
    );
  });
}

/** @param turnIsLive whether the turn runs: then its last part may still grow */
function partView(
  context: ViewContext,
  turn: Turn,
  part: Part,
  turnIsLive: boolean,
): TemplateResult {
  const live = turnIsLive && isLast(turn, part);
  switch (part.kind) {
    case 'text':
      return html`<parley-markdown
        class="md"
        data-part="text"
        data-id=${part.id}
        data-item
        tabindex="-1"
        .text=${part.text}
        .live=${live}
      ></parley-markdown>`;
    case 'thought':
      return thoughtView(context, part, live);
    case 'content':
      return html`<div data-part="content" data-id=${part.id} data-item tabindex="-1">
        ${contentView(context, part.block, part.id)}
      </div>`;
    case 'tool':
      return toolView(context, part, turn.id, nested(context, turn, part, turnIsLive));
    case 'plan':
      return planView(context, part);
    case 'notice':
      return noticeView(context, part);
    case 'user':
      return steeredView(context, part, turn.id);
    default:
      return html`<p class="quiet" data-part="unknown">${JSON.stringify(part satisfies never)}</p>`;
  }
}

/** The part and everything that stands under it. */
function withNested(turn: Turn, part: Part): readonly Part[] {
  return part.kind === 'tool' ? [part, ...partsBelow(turn, part.toolCallId)] : [part];
}

/** Whether it may still grow while the turn runs: nothing has come after it where it stands. */
function isLast({ parts }: Turn, part: Part): boolean {
  return parts[lastOfLane(parts, laneOf(part))] === part;
}

/** What the subagent that this call began has said and done. */
function nested(
  context: ViewContext,
  turn: Turn,
  part: ToolCallPart,
  live: boolean,
): Nested | undefined {
  const parts = partsUnder(turn, part.toolCallId);
  if (parts.length === 0) return undefined;
  const all = partsBelow(turn, part.toolCallId);
  return {
    steps: all.filter(({ kind }) => kind === 'tool').length,
    waits: all.some(other => other.kind === 'tool' && other.status === 'awaiting'),
    view: () => partsView(context, turn, parts, { name: `${part.id}#steps`, live }),
  };
}

function thoughtView(context: ViewContext, part: ThoughtPart, live: boolean): TemplateResult {
  const open = context.folds.get(part.id, false);
  const thinking = live && part.endedAt === undefined;
  const title = thinking
    ? l10n.t('Thinking…')
    : part.endedAt === undefined || part.endedAt - part.startedAt < 1000
      ? l10n.t('Thought')
      : thoughtFor(part.endedAt - part.startedAt);
  return html`<details
    class="fold thought"
    data-part="thought"
    data-id=${part.id}
    data-fold=${part.id}
    ?open=${open}
    @toggle=${toggled(context, part.id)}
  >
    <summary tabindex="-1" data-item>
      ${icon('lightbulb')}<span class="cut" title=${title}>${title}</span>${icon('chevron-right')}
    </summary>
    ${
      context.folds.get(part.id, false)
        ? html`<parley-markdown
            class="body md"
            .text=${part.text}
            .live=${thinking}
          ></parley-markdown>`
        : nothing
    }
  </details>`;
}

function thoughtFor(milliseconds: number): string {
  return milliseconds < 60_000
    ? l10n.t('Thought for {0}s', Math.round(milliseconds / 1000))
    : l10n.t('Thought for {0}', duration(milliseconds));
}

function planView(context: ViewContext, part: PlanPart): TemplateResult {
  const open = context.folds.get(part.id, false);
  const done = part.entries.filter(entry => entry.status === 'completed').length;
  const title = l10n.t('Plan, {0} of {1} done', done, part.entries.length);
  return html`<details
    class="fold plan-part"
    data-part="plan"
    data-id=${part.id}
    data-fold=${part.id}
    ?open=${open}
    @toggle=${toggled(context, part.id)}
  >
    <summary tabindex="-1" data-item>
      ${icon('checklist')}<span class="cut" title=${title}>${title}</span>${icon('chevron-right')}
    </summary>
    <ul aria-label=${l10n.t('Plan')}>
      ${part.entries.map(entryView)}
    </ul>
  </details>`;
}

function entryView(entry: PlanEntry): TemplateResult {
  const [glyph, word] =
    entry.status === 'completed'
      ? ['check', l10n.t('Completed: ')]
      : entry.status === 'in_progress'
        ? ['circle-filled', l10n.t('In progress: ')]
        : ['circle-outline', l10n.t('Pending: ')];
  return html`<li class=${entry.status === 'completed' ? 'done' : ''}>
    ${icon(glyph)}<span><span class="vh">${word}</span>${withoutEscapes(entry.content)}</span>
  </li>`;
}

export function noticeView(context: ViewContext, part: NoticePart): TemplateResult {
  const glyph = part.level === 'error' ? 'error' : part.level === 'warning' ? 'warning' : 'info';
  const tone = part.level === 'error' ? 'bad' : part.level === 'warning' ? 'warn' : undefined;
  const actions = part.actions.flatMap(action => actionButton(context, action));
  return html`<div
    class="notice"
    data-part="notice"
    data-id=${part.id}
    data-item
    tabindex="-1"
    role=${part.level === 'error' ? 'alert' : 'note'}
  >
    ${icon(glyph, tone ? { tone } : {})}
    <div class="grow">
      <p>${withoutEscapes(part.text)}</p>
      ${part.detail ? html`<p class="detail">${withoutEscapes(part.detail)}</p>` : nothing}
      ${
        part.body
          ? fold(
              context,
              l10n.t('Details'),
              `${part.id}#body`,
              undefined,
              () =>
                html`<parley-markdown
                  class="md"
                  .text=${part.body}
                  .live=${false}
                ></parley-markdown>`,
            )
          : nothing
      }
      ${actions.length > 0 ? html`<div class="acts">${actions}</div>` : nothing}
    </div>
  </div>`;
}

export function actionButton(context: ViewContext, action: NoticeAction): TemplateResult[] {
  const make = (label: string, onClick: () => void): TemplateResult[] => [
    button({ label, kind: 'secondary', onClick }),
  ];
  switch (action) {
    case 'retry':
      return make(l10n.t('Try Again'), () => context.send({ type: 'retry' }));
    case 'goOn':
      return make(l10n.t('Continue'), () => context.send({ type: 'goOn' }));
    case 'stop':
      return make(l10n.t('Stop'), () => context.send({ type: 'stop' }));
    case 'continue':
      return make(l10n.t('Continue'), () => context.send({ type: 'continue' }));
    case 'restart':
      return make(l10n.t('Restart'), () => context.send({ type: 'restartAgent' }));
    case 'showLog':
      return make(l10n.t('Show Log'), () => context.send({ type: 'showLog' }));
    case 'forceStop':
      return make(l10n.t('Force Stop'), () => context.send({ type: 'forceStop' }));
    case 'newChat':
      return make(l10n.t('New Chat'), () => context.send({ type: 'newChat' }));
    case 'signIn': {
      const { connection } = context.session;
      const [method] = connection.kind === 'signIn' ? connection.methods : [];
      return method
        ? make(l10n.t('Sign In'), () => context.send({ type: 'signIn', methodId: method.id }))
        : [];
    }
    default:
      return make(String(action satisfies never), () => undefined);
  }
}
