import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { AgentChoice } from '../../src/shared/panelState';
import { isComposing } from '../composer/isComposing';
import { emitIntent } from '../intent';
import { button } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import type { AddAgentElement } from './addAgent';
import { initial } from './header';

/** Stands for an agent that is not in the list. No agent can have this name: it is no text. */
const ANOTHER = Symbol('another');

/** Agents that need something first are many: so many of them are shown without being asked for. */
const OFFERS = 3;

/** What a panel without any chat shows: which agent to talk to. */
@customElement('parley-first-run')
export class FirstRunElement extends LightElement {
  @property({ attribute: false }) agents: readonly AgentChoice[] = [];
  @property({ attribute: false }) defaultAgent = '';
  @property({ attribute: false }) isRestricted = false;
  @state() private chosen: string | typeof ANOTHER | undefined;
  @state() private showsAll = false;
  /** Another agent was asked for: its fields are there. */
  @state() private isAsked = false;

  override focus(): void {
    this.querySelector<HTMLElement>('input:checked')?.focus();
  }

  protected override render() {
    const hidden = this.agents.length - this.shown.length;
    return html`<section class="log" aria-label=${l10n.t('Start')}>
      <div class="hero">
        <div class="say">
          <h2>${l10n.t('Chat with a coding agent')}</h2>
          <p>
            ${l10n.t(
              'Parley runs the agent you already use and shows its work here. You allow what it may do, and see each edit as a diff.',
            )}
          </p>
        </div>
        ${this.isRestricted ? restricted(this) : nothing}
        <div>
          <div
            class="pickagent"
            role="radiogroup"
            aria-label=${l10n.t('Agent')}
            @keydown=${(event: KeyboardEvent) => this.onKey(event)}
          >
            ${repeat(
              this.shown,
              agent => agent.name,
              agent => this.row(agent),
            )}
            ${this.isRestricted ? nothing : this.anotherRow()}
          </div>
          ${hidden > 0 ? this.more(hidden) : nothing} ${this.form()}
          <div class="acts">
            ${button({
              label: l10n.t('Start chat'),
              kind: 'primary',
              onClick: () => this.start(),
            })}
            ${button({
              label: l10n.t('Edit Agents'),
              kind: 'plain',
              onClick: () => emitIntent(this, { type: 'editAgents' }),
            })}
          </div>
        </div>
        <p class="hint">
          ${l10n.t('Parley itself sends no data. The agent you choose talks to its own provider.')}
        </p>
      </div>
    </section>`;
  }

  private get selected(): string | typeof ANOTHER {
    const { chosen } = this;
    if (chosen === ANOTHER) return chosen;
    const { agents, defaultAgent } = this;
    const named = (name: unknown) => agents.find(agent => agent.name === name);
    const standard = named(defaultAgent);
    // The demo is what one tries for want of an agent of one's own.
    const own = standard?.builtIn === false ? standard : agents.find(({ found }) => found);
    return (named(chosen) ?? own ?? standard ?? agents[0])?.name ?? ANOTHER;
  }

  /** Those that are here, and some of those that are not. */
  private get shown(): readonly AgentChoice[] {
    const { agents, showsAll } = this;
    const offered = agents.filter(({ offer }) => offer !== undefined);
    const left = showsAll ? [] : offered.slice(OFFERS);
    return agents.filter(agent => !left.includes(agent));
  }

  private more(count: number): TemplateResult {
    return html`<p class="more">
      <button type="button" class="link" @click=${() => (this.showsAll = true)}>
        ${l10n.t('Show {0} more agents', count)}
      </button>
    </p>`;
  }

  private row(agent: AgentChoice): TemplateResult {
    return html`<label>
      <input
        type="radio"
        name="agent"
        .checked=${this.selected === agent.name}
        @change=${() => (this.chosen = agent.name)}
      />
      <span class="mark" aria-hidden="true">${initial(agent.name)}</span>
      <span class="two"
        ><span class="cut" title=${agent.name}>${agent.name}</span
        ><small class="cut" title=${agent.detail}>${agent.detail}</small>${fit(agent)}</span
      >
    </label>`;
  }

  private anotherRow(): TemplateResult {
    const detail = l10n.t('Any program that speaks ACP');
    return html`<label>
      <input
        type="radio"
        name="agent"
        .checked=${this.selected === ANOTHER}
        @change=${() => this.askForAnother()}
      />
      <span class="mark" aria-hidden="true">${icon('add')}</span>
      <span class="two"
        ><span class="cut" title=${l10n.t('Another agent…')}>${l10n.t('Another agent…')}</span
        ><small class="cut" title=${detail}>${detail}</small></span
      >
    </label>`;
  }

  /** Kept while another is chosen: what was filled in is not lost. */
  private form(): TemplateResult | typeof nothing {
    if (!this.isAsked) return nothing;
    return html`<parley-add-agent
      ?hidden=${this.selected !== ANOTHER}
      .taken=${this.agents.map(({ name }) => name)}
      @keydown=${(event: KeyboardEvent) => {
        if (!isComposing(event)) this.onKey(event);
      }}
    ></parley-add-agent>`;
  }

  private askForAnother(): void {
    this.chosen = ANOTHER;
    this.isAsked = true;
    void import('./addAgent');
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    this.start();
  }

  private start(): void {
    const { selected } = this;
    if (selected === ANOTHER) {
      if (this.isAsked) this.querySelector<AddAgentElement>('parley-add-agent')?.submit();
      else this.askForAnother();
    } else emitIntent(this, { type: 'newChat', agentName: selected });
  }
}

/** Why there is no other agent than the built-in one. */
function restricted(element: FirstRunElement): TemplateResult {
  return html`<div role="note">
    <p>
      ${icon('warning', { small: true, tone: 'warn' })}
      ${l10n.t(
        'You have not trusted this workspace, so only the built-in agent can be started. Other agents run programs and read the files in the folder.',
      )}
    </p>
    <div class="acts">
      ${button({
        label: l10n.t('Manage Workspace Trust'),
        kind: 'plain',
        onClick: () => emitIntent(element, { type: 'manageTrust' }),
      })}
    </div>
  </div>`;
}

function fit(agent: AgentChoice): TemplateResult | typeof nothing {
  const mark = agent.builtIn ? l10n.t('Built in') : agent.offer;
  if (mark !== undefined) return html`<span class="fit">${mark}</span>`;
  if (agent.found === undefined) return nothing;
  return agent.found
    ? html`<span class="fit">${icon('check', { small: true, tone: 'ok' })}${l10n.t('Found')}</span>`
    : html`<span class="fit"
        >${icon('warning', { small: true, tone: 'warn' })}${l10n.t('Not found')}</span
      >`;
}
