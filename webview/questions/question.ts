import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import * as l10n from '@vscode/l10n';
import type {
  Elicitation,
  ElicitationForm,
  ElicitationPage,
  FormField,
  FormValue,
  FormValues,
} from '../../src/session/state/elicitation';
import { checkAnswer } from '../../src/session/state/formAnswer';
import { emitIntent } from '../intent';
import { button } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { fieldView, initialValue } from './fields';

/** What was filled in so far, for the page's memory. */
export interface FilledDetail {
  readonly requestId: string;
  readonly values: FormValues;
}

/**
 * `<parley-question .request .agentName>`: a form that the agent wants filled in, or a page that it wants
 * visited. It never takes the focus by itself. Tells `parley-filled` while the user fills it in, and
 * `parley-focus-composer` on Esc, and `parley-question-drawn` once; the answer goes as an intent.
 */
@customElement('parley-question')
export class QuestionElement extends LightElement {
  @property({ attribute: false }) request: Elicitation | undefined;
  @property({ attribute: false }) agentName = '';
  /** It is the oldest that waits: its answer is the panel's next step. */
  @property({ attribute: false }) first = false;
  /** What was filled in before the page was reloaded. */
  @property({ attribute: false }) filled: FormValues | undefined;
  @state() private values: FormValues = {};
  @state() private problems: Readonly<Record<string, string>> = {};
  /** The answer is on its way. */
  @state() private sent = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { request } = this;
    if (!changed.has('request') || !request) return;
    this.sent = false;
    if (request.kind !== 'form') return;
    if (changed.get('request')?.id !== request.id) {
      this.values = { ...proposed(request.fields), ...this.filled };
      this.problems = {};
    }
    // What only the host can check.
    if (request.problems) this.problems = request.problems;
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new CustomEvent('parley-question-drawn', { bubbles: true }));
  }

  protected override render() {
    const { request, agentName } = this;
    if (!request) return nothing;
    return html`<form
      class="ask"
      novalidate
      tabindex="-1"
      aria-label=${l10n.t('{0} asks: {1}', agentName, request.message)}
      data-request-id=${request.id}
      @submit=${(event: Event) => event.preventDefault()}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}
    >
      <div class="top">
        ${icon('bell-dot', { tone: 'warn' })}
        <div class="grow">
          <h2>${request.message}</h2>
          <p>${l10n.t('{0} asks', agentName)}</p>
        </div>
      </div>
      <div class="in">${request.kind === 'form' ? this.form(request) : this.page(request)}</div>
    </form>`;
  }

  private form(request: ElicitationForm): TemplateResult {
    const { title, description, fields } = request;
    return html`${title ? html`<h3>${title}</h3>` : nothing}
      ${description ? html`<p class="help">${description}</p>` : nothing}
      ${fields.map((field, index) =>
        fieldView({
          field,
          id: `${request.id}-${index}`,
          value: this.values[field.name],
          problem: this.problems[field.name],
          onChange: value => this.change(field, value),
        }),
      )}
      <div class="acts">
        ${this.action(l10n.t('Submit'), this.first ? 'primary' : 'secondary', () => this.submit())}
        ${this.action(l10n.t('Decline'), 'secondary', () => this.answer('decline'))}
        ${this.action(l10n.t('Cancel'), 'plain', () => this.answer('cancel'))}
      </div>`;
  }

  private page(request: ElicitationPage): TemplateResult {
    const { url, host, lookalike, refused, opened } = request;
    return html`${
        host ? html`<p class="host">${l10n.t('Page at')} <b class="mono">${host}</b></p>` : nothing
      }
      <div class="block">
        <pre class="cmd" tabindex="0" aria-label=${l10n.t('Address')}>${url}</pre>
      </div>
      ${
        lookalike
          ? html`<p class="risk" role="note">
              ${icon('warning', { tone: 'warn' })}<span
                >${l10n.t('This address is really "{0}" and may imitate a site you know. Open it only if you trust it.', lookalike)}</span
              >
            </p>`
          : nothing
      }
      ${
        refused
          ? html`<p class="risk">${icon('error', { tone: 'bad' })}<span>${refused}</span></p>`
          : nothing
      }
      ${
        opened
          ? html`<p class="hint busy" role="status">
              ${icon('loading', { small: true, spin: true, tone: 'run' })}
              ${l10n.t('Opened in your browser. {0} continues when you are done there.', this.agentName)}
            </p>`
          : nothing
      }
      <div class="acts">
        ${
          opened
            ? this.action(l10n.t('Dismiss'), 'secondary', () => this.answer('cancel'))
            : html`${
                refused
                  ? nothing
                  : this.action(
                      l10n.t('Open in Browser'),
                      this.first && !lookalike ? 'primary' : 'secondary',
                      () => this.answer('accept'),
                    )
              }
              ${this.action(l10n.t('Decline'), 'secondary', () => this.answer('decline'))}
              ${this.action(l10n.t('Cancel'), 'plain', () => this.answer('cancel'))}`
        }
      </div>`;
  }

  private action(
    label: string,
    kind: 'primary' | 'secondary' | 'plain',
    act: () => void,
  ): TemplateResult {
    return button({
      label,
      kind,
      disabled: this.sent,
      // The second press of a double click must not answer what comes up in this one's place.
      onClick: event => {
        if (!(event instanceof MouseEvent && event.detail > 1)) act();
      },
    });
  }

  private change(field: FormField, value: FormValue | undefined): void {
    const { [field.name]: _, ...others } = this.values;
    this.values = value === undefined ? others : { ...others, [field.name]: value };
    const { [field.name]: solved, ...problems } = this.problems;
    if (solved !== undefined) this.problems = problems;
    this.dispatchEvent(
      new CustomEvent<FilledDetail>('parley-filled', {
        detail: { requestId: this.request?.id ?? '', values: this.values },
        bubbles: true,
      }),
    );
  }

  private submit(): void {
    const { request } = this;
    if (request?.kind !== 'form' || this.sent) return;
    const { content, problems } = checkAnswer(request.fields, this.typed(request.fields));
    this.problems = problems;
    const [wrong] = Object.keys(problems);
    if (wrong === undefined) {
      this.sent = true;
      this.answer('accept', JSON.stringify(content));
    } else {
      void this.updateComplete.then(() => this.controlOf(wrong)?.focus());
    }
  }

  /** A date that is only begun has no value, and must not be taken for none. */
  private typed(fields: readonly FormField[]): FormValues {
    const begun = fields.filter(({ name }) => {
      const control = this.controlOf(name);
      return control instanceof HTMLInputElement && control.validity.badInput;
    });
    return { ...this.values, ...Object.fromEntries(begun.map(({ name }) => [name, '?'])) };
  }

  private controlOf(name: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(
      `[data-field="${CSS.escape(name)}"] :is(input, textarea, select)`,
    );
  }

  private answer(action: 'accept' | 'decline' | 'cancel', values?: string): void {
    emitIntent(this, {
      type: 'answerElicitation',
      requestId: this.request?.id ?? '',
      action,
      ...(values !== undefined && { values }),
    });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const { target } = event;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.dispatchEvent(new CustomEvent('parley-focus-composer', { bubbles: true }));
    } else if (event.key === 'Enter' && target instanceof HTMLInputElement) {
      event.preventDefault();
      this.submit();
    }
  }
}

function proposed(fields: readonly FormField[]): FormValues {
  const values: Record<string, FormValue> = {};
  for (const field of fields) {
    const value = initialValue(field);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}
