import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import * as l10n from '@vscode/l10n';
import { numberText } from '../../src/base/language';
import type { Connection } from '../../src/session/state/state';
import { emitIntent } from '../intent';
import { button } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { Ticks } from '../ui/ticks';

type Starting = Extract<Connection, { kind: 'starting' }>;

/** The steps of starting an agent, which of them runs and for how long it may. */
@customElement('parley-connecting')
export class ConnectingElement extends LightElement {
  @property({ attribute: false }) connection: Starting | undefined;
  @property({ attribute: false }) agentName = '';
  /** Where the session works, for its step. */
  @property({ attribute: false }) workspaceName: string | undefined;
  @property({ attribute: false }) now: () => number = Date.now;
  /** One line at the end of a conversation instead of the whole picture. */
  @property({ attribute: false }) brief = false;

  constructor() {
    super();
    new Ticks(this, () => this.connection !== undefined);
  }

  protected override render() {
    const { connection } = this;
    if (!connection) return nothing;
    return this.brief ? this.line(connection) : this.steps(connection);
  }

  private line(connection: Starting): TemplateResult {
    return html`<div class="starting">
      ${icon('loading', { spin: true, tone: 'run' })}
      <span class="cut grow quiet" title=${connection.command}
        >${l10n.t('Starting {0}', this.agentName)}</span
      >
      <span class="num hint">${this.elapsed(connection)}</span>
      ${this.cancelButton(true)}
    </div>`;
  }

  private steps(connection: Starting): TemplateResult {
    const { workspaceName } = this;
    const steps: readonly { readonly id: Starting['step']; readonly text: string }[] = [
      { id: 'process', text: l10n.t('Started') },
      { id: 'initialize', text: l10n.t('Waiting for an answer') },
      {
        id: 'session',
        text: workspaceName ? l10n.t('New session in {0}', workspaceName) : l10n.t('New session'),
      },
    ];
    const current = steps.findIndex(({ id }) => id === connection.step);
    return html`<div class="hero">
      <div class="say">
        <h2>${l10n.t('Starting {0}', this.agentName)}</h2>
        <p class="cut mono" title=${connection.command}>${connection.command}</p>
      </div>
      <ul class="steps" aria-label=${l10n.t('Progress')}>
        ${steps.map((step, index) => this.step(step.text, index - current, connection))}
      </ul>
      <div class="acts">
        ${this.cancelButton(false)}
        ${button({
          label: l10n.t('Show Log'),
          kind: 'plain',
          onClick: () => emitIntent(this, { type: 'showLog' }),
        })}
      </div>
    </div>`;
  }

  /** @param place below zero: done; zero: running; above: to come. */
  private step(text: string, place: number, connection: Starting): TemplateResult {
    if (place > 0) {
      return html`<li>${icon('circle-outline')}<span class="cut" title=${text}>${text}</span></li>`;
    }
    if (place === 0) {
      return html`<li class="now" aria-current="step">
        ${icon('loading', { spin: true, tone: 'run' })}<span class="cut" title=${text}>${text}</span
        ><span class="num">${this.elapsed(connection)}</span>
      </li>`;
    }
    // The whole time so far is known, so only the step right before the running one has a time.
    const took = (connection.stepStartedAt - connection.startedAt) / 1000;
    return html`<li>
      ${icon('check')}<span class="cut" title=${text}>${text}</span>${
        place === -1
          ? html`<span class="num">${l10n.t('{0} s', numberText(took, 1, true))}</span>`
          : nothing
      }
    </li>`;
  }

  private elapsed({ stepStartedAt, timeoutSeconds }: Starting): string {
    const seconds = Math.max(0, Math.floor((this.now() - stepStartedAt) / 1000));
    return timeoutSeconds === undefined
      ? l10n.t('{0} s', seconds)
      : l10n.t('{0} of {1} s', seconds, timeoutSeconds);
  }

  private cancelButton(tiny: boolean): TemplateResult {
    return button({
      label: l10n.t('Cancel'),
      kind: 'secondary',
      tiny,
      onClick: () => emitIntent(this, { type: 'cancelStart' }),
    });
  }
}
