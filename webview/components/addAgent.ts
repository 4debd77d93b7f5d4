import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import type { AgentForm } from '../../src/shared/intents';
import { emitIntent } from '../intent';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';

type Field = keyof AgentForm;

const EMPTY: AgentForm = { name: '', command: '', args: '', variable: '', key: '' };

/** The fields of an agent that is to be added. */
@customElement('parley-add-agent')
export class AddAgentElement extends LightElement {
  /** Names that are taken. */
  @property({ attribute: false }) taken: readonly string[] = [];
  @state() private form = EMPTY;
  /** What is wrong, once it was tried. */
  @state() private problems: Readonly<Partial<Record<Field, string>>> = {};

  override focus(): void {
    this.querySelector('input')?.focus();
  }

  /** Tells the host what was filled in; where something is missing, the caret goes there. */
  submit(): void {
    const form = trimmed(this.form);
    this.problems = problemsOf(form, this.taken);
    const [first] = Object.keys(this.problems);
    if (first === undefined) emitIntent(this, { type: 'addAgent', ...form });
    else {
      void this.updateComplete.then(() =>
        this.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus(),
      );
    }
  }

  protected override render() {
    return html`<div class="addagent" role="group" aria-label=${l10n.t('Another agent')}>
      ${this.field('name', l10n.t('Name'), 'Gemini CLI')}
      ${this.field('command', l10n.t('Command'), 'gemini')}
      ${this.field('args', l10n.t('Arguments'), '--acp')}
      ${this.field('variable', l10n.t('Environment variable for its key'), 'GEMINI_API_KEY')}
      ${
        this.form.variable.trim() === '' && this.form.key === ''
          ? nothing
          : this.field('key', l10n.t('Key'), '', l10n.t("Kept in the system's secret storage."))
      }
    </div>`;
  }

  private field(name: Field, label: string, example: string, help?: string): TemplateResult {
    const problem = this.problems[name];
    const id = `agent-${name}`;
    return html`<div class="field">
      <label class="lab" for=${id}>${label}</label>
      <input
        class="text"
        id=${id}
        name=${name}
        type=${name === 'key' ? 'password' : 'text'}
        autocomplete="off"
        spellcheck="false"
        placeholder=${example}
        aria-invalid=${problem ? 'true' : 'false'}
        aria-describedby=${ifDefined(problem || help ? `${id}-note` : undefined)}
        .value=${this.form[name]}
        @input=${(event: Event) => this.fill(name, (event.target as HTMLInputElement).value)}
      />
      ${
        problem
          ? html`<p class="err" id="${id}-note">${icon('error', { small: true })}${problem}</p>`
          : help
            ? html`<p class="hint" id="${id}-note">${help}</p>`
            : nothing
      }
    </div>`;
  }

  private fill(name: Field, value: string): void {
    this.form = { ...this.form, [name]: value };
    const { [name]: _, ...others } = this.problems;
    this.problems = others;
  }
}

function trimmed(form: AgentForm): AgentForm {
  const fields = Object.entries(form).map(([name, value]: [string, string]) => [
    name,
    value.trim(),
  ]);
  return { ...EMPTY, ...(Object.fromEntries(fields) as Partial<AgentForm>) };
}

function problemsOf(
  { name, command, variable, key }: AgentForm,
  taken: readonly string[],
): Readonly<Partial<Record<Field, string>>> {
  const required = l10n.t('Required');
  return {
    ...(name === '' && { name: required }),
    ...(taken.includes(name) && { name: l10n.t('There is already an agent with this name.') }),
    ...(command === '' && { command: required }),
    ...(variable !== '' &&
      !/^[A-Za-z_]\w*$/.test(variable) && {
        variable: l10n.t('Letters, digits and _ only, such as MY_API_KEY.'),
      }),
    ...(key !== '' && variable === '' && { variable: required }),
  };
}
