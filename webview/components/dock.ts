import { withoutEscapes } from '../../src/base/escapeSequences';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import { visibleText } from '../../src/base/visibleText';
import type { Message, NamedPlan, PlanEntry } from '../../src/session/state/state';
import type { BackgroundWork } from '../../src/session/state/background';
import type { PanelChanges } from '../../src/shared/panelState';
import { emitIntent } from '../intent';
import { linkTarget } from '../markdown/linkTarget';
import '../markdown/markdownElement';
import { baseName } from '../transcript/words';
import { button, iconButton } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { styles } from '../ui/styles';
import './changes';
import './queue';

/** `plan:<id>`: a plan with a name of its own. */
export type DockSection = 'plan' | `plan:${string}` | 'background' | 'changes' | 'queue';

/** Tells that the user folded or opened a section. */
export interface DockFoldDetail {
  readonly section: DockSection;
  readonly open: boolean;
}

/**
 * What sits on the composer: a request out of sight, the plan, the changes and the queue, each in one row
 * that opens. Absent when all of them are. Tells `parley-dock-fold` and `parley-reveal` (a request id).
 */
@customElement('parley-dock')
export class DockElement extends LightElement {
  /** The oldest request or form that waits out of sight. */
  @property({ attribute: false }) waiting:
    { readonly id: string; readonly title: string } | undefined;
  @property({ attribute: false }) plan: readonly PlanEntry[] | undefined;
  @property({ attribute: false }) plans: readonly NamedPlan[] = [];
  @property({ attribute: false }) changes: PanelChanges | undefined;
  /** Deciding on the changes is the next step. */
  @property({ attribute: false }) settled = false;
  /** A turn runs: a step in progress is being worked on. */
  @property({ attribute: false }) running = false;
  /** What the agent has at work. */
  @property({ attribute: false }) background: readonly BackgroundWork[] = [];
  @property({ attribute: false }) queue: readonly Message[] = [];
  /** Why the queue waits. */
  @property({ attribute: false }) queueNote = '';
  /** It waits until the user sends something. */
  @property({ attribute: false }) queuePaused = false;
  @property({ attribute: false }) open: Readonly<Partial<Record<DockSection, boolean>>> = {};
  private hadFocus = false;

  protected override willUpdate(): void {
    this.hadFocus = this.contains(document.activeElement);
  }

  /** What had the focus may be gone: decided on, sent or dropped. */
  protected override updated(): void {
    if (!this.hadFocus || this.contains(document.activeElement)) return;
    this.dispatchEvent(new CustomEvent('parley-focus-composer', { bubbles: true }));
  }

  protected override render() {
    const { waiting, plan, plans, background, changes, queue } = this;
    const rows = plans.length + background.length + queue.length;
    if (!waiting && !plan && !changes && rows === 0) return nothing;
    return html`<div class="dock">
      ${waiting ? this.waitingRow(waiting) : nothing}
      ${plan ? this.planSection(plan, 'plan') : nothing} ${plans.map(each => this.namedPlan(each))}
      ${background.length > 0 ? this.backgroundSection(background) : nothing}
      ${changes ? this.changesSection(changes) : nothing}
      ${queue.length > 0 ? this.queueSection(queue) : nothing}
    </div>`;
  }

  private waitingRow(request: { readonly id: string; readonly title: string }): TemplateResult {
    const text = l10n.t('Waiting: {0}', visibleText(request.title));
    return html`<section class="waiting" aria-label=${l10n.t('Waiting for you')}>
      <div class="rowh">
        ${icon('bell-dot', { small: true, tone: 'warn' })}
        <span class="cut grow step" title=${text}>${text}</span>
        ${button({
          label: l10n.t('Show'),
          kind: 'secondary',
          tiny: true,
          onClick: () =>
            this.dispatchEvent(
              new CustomEvent<string>('parley-reveal', { detail: request.id, bubbles: true }),
            ),
        })}
      </div>
    </section>`;
  }

  private namedPlan(plan: NamedPlan): TemplateResult {
    const section = `plan:${plan.planId}` as const;
    switch (plan.kind) {
      case 'steps':
        return this.planSection(plan.entries, section);
      case 'file':
        return this.planFile(plan.uri);
      case 'text':
        return this.planText(plan.text, section);
      default:
        return assertNever(plan);
    }
  }

  private planFile(uri: string): TemplateResult {
    const href = linkTarget(uri);
    const name = baseName(uri) || uri;
    return html`<section class="plan" data-part="plan" aria-label=${l10n.t('Plan, {0}', name)}>
      <div class="rowh">
        ${icon('checklist', { small: true })}<b>${l10n.t('Plan')}</b>
        <span class="cut grow step" title=${uri}>${name}</span>
        ${
          href === undefined
            ? nothing
            : button({
                label: l10n.t('Open'),
                kind: 'secondary',
                tiny: true,
                onClick: () => emitIntent(this, { type: 'openLink', href }),
              })
        }
      </div>
    </section>`;
  }

  private planText(text: string, section: DockSection): TemplateResult {
    const open = this.open[section] ?? false;
    const first =
      withoutEscapes(text)
        .trim()
        .split('\n', 1)[0]
        ?.replace(/^#+\s*/, '') ?? '';
    return html`<section class="plan" data-part="plan" aria-label=${l10n.t('Plan, {0}', first)}>
      <div class="rowh">
        ${this.turner(
          section,
          open,
          html`<b>${l10n.t('Plan')}</b>${
              open ? nothing : html`<span class="cut grow step" title=${first}>${first}</span>`
            }`,
        )}
      </div>
      ${
        open
          ? html`<parley-markdown
              class="md"
              tabindex="0"
              .text=${text}
              .live=${false}
            ></parley-markdown>`
          : nothing
      }
    </section>`;
  }

  private planSection(plan: readonly PlanEntry[], section: DockSection): TemplateResult {
    const open = this.open[section] ?? false;
    const done = plan.filter(({ status }) => status === 'completed').length;
    const current = plan.find(({ status }) => status === 'in_progress');
    const step = withoutEscapes(current?.content ?? '');
    return html`<section
      class="plan"
      data-part="plan"
      aria-label=${l10n.t('Plan, {0} of {1} done', done, plan.length)}
    >
      <div class="rowh">
        ${this.turner(
          section,
          open,
          html`<b>${l10n.t('Plan')}</b><span class="sum num">${done}/${plan.length}</span>${
              !open && current
                ? html`<span class="cut grow step" title=${step}>${step}</span>`
                : nothing
            }`,
        )}
      </div>
      <div class="prog"><i ${styles({ width: `${(100 * done) / plan.length}%` })}></i></div>
      <ul class=${open ? '' : 'vh'} aria-label=${l10n.t('Plan')}>
        ${plan.map(entry => planEntry(entry, this.running))}
      </ul>
    </section>`;
  }

  private backgroundSection(work: readonly BackgroundWork[]): TemplateResult {
    const open = this.open.background ?? false;
    const [first] = work;
    const title = work.length === 1 ? l10n.t('1 at work') : l10n.t('{0} at work', work.length);
    const step = first ? workTitle(first) : '';
    return html`<section class="background" aria-label=${l10n.t('Background work')}>
      <div class="rowh">
        ${this.turner(
          'background',
          open,
          html`<b>${title}</b>${
              open ? nothing : html`<span class="cut grow step" title=${step}>${step}</span>`
            }`,
        )}
      </div>
      ${
        open
          ? html`<ul aria-label=${l10n.t('Background work')}>
              ${work.map(each => this.workRow(each))}
            </ul>`
          : nothing
      }
    </section>`;
  }

  private workRow(work: BackgroundWork): TemplateResult {
    const { id, kind, stops } = work;
    const title = workTitle(work);
    return html`<li data-work=${id}>
      ${icon(kind === 'terminal' ? 'terminal' : kind === 'subagent' ? 'hubot' : 'tools', { small: true })}
      <span class="cut grow" title=${title}>${title}</span>
      ${
        stops
          ? iconButton({
              icon: 'stop-circle',
              label: l10n.t('Stop {0}', title),
              title: l10n.t('Stop'),
              onClick: () =>
                emitIntent(
                  this,
                  kind === 'terminal'
                    ? { type: 'killTerminal', terminalId: id }
                    : { type: 'cancelToolCall', toolCallId: id },
                ),
            })
          : nothing
      }
    </li>`;
  }

  private changesSection(changes: PanelChanges): TemplateResult {
    const open = this.open.changes ?? false;
    return html`<parley-changes
      class="changes"
      .changes=${changes}
      .open=${open}
      .settled=${this.settled}
      @parley-fold=${() => this.fold('changes', !open)}
    ></parley-changes>`;
  }

  private queueSection(queue: readonly Message[]): TemplateResult {
    const open = this.open.queue ?? true;
    const title =
      queue.length === 1
        ? l10n.t('1 message waiting')
        : l10n.t('{0} messages waiting', queue.length);
    return html`<section class="wait" aria-label=${l10n.t('Queue')}>
      <div class="rowh">
        ${this.turner('queue', open, html`<b class="cut">${title}</b>`)}
        ${this.queuePaused ? this.resume(queue) : html`<span class="sum hide-s">${this.queueNote}</span>`}
      </div>
      ${open ? html`<parley-queue .queue=${queue}></parley-queue>` : nothing}
    </section>`;
  }

  /** Sends what waits, one after the other, after a stop. */
  private resume([first]: readonly Message[]): TemplateResult {
    return html`<span class="late"
      ><span class="vh">${l10n.t('Paused because you stopped the agent.')}</span>${button({
        label: l10n.t('Resume'),
        kind: 'plain',
        title: l10n.t(
          'You stopped the agent, so these messages wait. Resume sends them one after the other; so does your next message.',
        ),
        onClick: () => {
          if (first) emitIntent(this, { type: 'queueSendNow', messageId: first.id });
        },
      })}</span
    >`;
  }

  private turner(section: DockSection, open: boolean, content: TemplateResult): TemplateResult {
    return html`<button
      type="button"
      class="turner"
      aria-expanded=${open}
      @click=${() => this.fold(section, !open)}
    >
      ${icon(open ? 'chevron-down' : 'chevron-right', { small: true })}${content}
    </button>`;
  }

  private fold(section: DockSection, open: boolean): void {
    this.dispatchEvent(
      new CustomEvent<DockFoldDetail>('parley-dock-fold', {
        detail: { section, open },
        bubbles: true,
      }),
    );
  }
}

function planEntry(entry: PlanEntry, running: boolean): TemplateResult {
  const { status } = entry;
  const content = withoutEscapes(entry.content);
  switch (status) {
    case 'completed':
      return html`<li class="done">
        ${icon('check')}<span><span class="vh">${l10n.t('Completed')}: </span>${content}</span>
      </li>`;
    case 'in_progress':
      return html`<li class="now">
        ${running ? icon('loading', { spin: true }) : icon('circle-filled')}<span
          ><span class="vh">${l10n.t('In progress')}: </span>${content}</span
        >
      </li>`;
    case 'pending':
      return html`<li>
        ${icon('circle-outline')}<span
          ><span class="vh">${l10n.t('Pending')}: </span>${content}</span
        >
      </li>`;
  }
}

function workTitle({ kind, title }: BackgroundWork): string {
  const words = visibleText(withoutEscapes(title)).trim().replace(/\s+/g, ' ');
  if (words !== '') return words;
  return kind === 'subagent' ? l10n.t('Subagent') : l10n.t('Background work');
}
