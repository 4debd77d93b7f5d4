import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type {
  ChoiceField,
  ChoicesField,
  FormChoice,
  FormField,
  FormValue,
  NumberField,
  TextField,
} from '../../src/session/state/elicitation';
import { icon } from '../ui/icon';

/** Up to this many choices are shown at once; more of them, without descriptions, in a list that opens. */
const MANY_CHOICES = 6;
/** A text that may be longer than this gets several lines. */
const LONG_TEXT = 160;

/** One field of a form as it stands. */
export interface FieldView {
  readonly field: FormField;
  /** Unique in the page. */
  readonly id: string;
  readonly value: FormValue | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: FormValue | undefined) => void;
}

/** What a field starts with: what the agent proposes. */
export function initialValue(field: FormField): FormValue | undefined {
  switch (field.kind) {
    case 'boolean':
      // What is needed and left unticked is a no.
      return field.value ?? (field.required ? false : undefined);
    case 'text':
    case 'number':
    case 'choice':
    case 'choices':
      return field.value;
    case 'unknown':
      return undefined;
    default:
      return assertNever(field);
  }
}

export function fieldView(view: FieldView): TemplateResult {
  const { field } = view;
  switch (field.kind) {
    case 'text':
      return labelled(view, textControl(view, field));
    case 'number':
      return labelled(view, numberControl(view, field));
    case 'boolean':
      return html`<div class="field" data-field=${field.name}>
        <label class="check"
          ><input
            type="checkbox"
            id=${view.id}
            .checked=${live(view.value === true)}
            aria-describedby=${describedBy(view)}
            @change=${(event: Event) => view.onChange((event.target as HTMLInputElement).checked)}
          /><span>${field.label}</span></label
        >
        ${below(view)}
      </div>`;
    case 'choice':
      return field.choices.length > MANY_CHOICES && field.choices.every(plain)
        ? labelled(view, selectControl(view, field))
        : group(view, radios(view, field));
    case 'choices':
      return group(view, checks(view, field), countHint(field));
    case 'unknown':
      return html`<div class="field" data-field=${field.name}>
        <p class="lab">${field.label}${neededMark(view)}</p>
        <p class="help">
          ${l10n.t('The agent asks for an answer of an unknown kind: {0}', field.type)}
        </p>
        ${below(view)}
      </div>`;
    default:
      return assertNever(field);
  }
}

function labelled(view: FieldView, control: TemplateResult): TemplateResult {
  const { field, id } = view;
  return html`<div class="field" data-field=${field.name}>
    <p class="lab"><label for=${id}>${field.label}</label>${neededMark(view)}</p>
    ${control} ${below(view)}
  </div>`;
}

function group(
  view: FieldView,
  controls: readonly TemplateResult[],
  hint: string | undefined = undefined,
): TemplateResult {
  const { field, id } = view;
  const one = field.kind === 'choice';
  return html`<div
    class="field"
    role=${one ? 'radiogroup' : 'group'}
    data-field=${field.name}
    aria-labelledby=${`${id}-label`}
    aria-required=${one ? field.required : nothing}
    aria-invalid=${one ? view.problem !== undefined : nothing}
    aria-describedby=${describedBy(view)}
  >
    <p class="lab"><span id=${`${id}-label`}>${field.label}</span>${neededMark(view, hint)}</p>
    ${controls} ${below(view)}
  </div>`;
}

function neededMark({ field, id }: FieldView, hint?: string): TemplateResult | typeof nothing {
  const words = [field.required ? l10n.t('required') : '', hint ?? ''].filter(Boolean).join(', ');
  return words === '' ? nothing : html` <small id=${`${id}-needed`}>${words}</small>`;
}

/** The agent's description, and what is wrong. */
function below(view: FieldView): TemplateResult {
  const { field, id, problem } = view;
  return html`${
    field.description ? html`<p class="help" id=${`${id}-help`}>${field.description}</p>` : nothing
  }${
    problem
      ? html`<p class="err" id=${`${id}-problem`}>
          ${icon('error', { small: true, tone: 'bad' })}<span>${problem}</span>
        </p>`
      : nothing
  }`;
}

function describedBy({ field, id, problem }: FieldView): string | typeof nothing {
  const needed = field.required || (field.kind === 'choices' && countHint(field) !== undefined);
  const ids = [
    problem ? `${id}-problem` : '',
    needed ? `${id}-needed` : '',
    field.description ? `${id}-help` : '',
  ];
  return ids.filter(Boolean).join(' ') || nothing;
}

function textControl(view: FieldView, field: TextField): TemplateResult {
  const { id, problem } = view;
  const text = typeof view.value === 'string' ? view.value : '';
  const onInput = (event: Event) => view.onChange((event.target as HTMLInputElement).value);
  if ((field.maxLength ?? 0) > LONG_TEXT || field.value?.includes('\n')) {
    return html`<textarea
      class="text"
      rows="2"
      id=${id}
      .value=${live(text)}
      aria-invalid=${problem !== undefined}
      aria-required=${field.required}
      aria-describedby=${describedBy(view)}
      @input=${onInput}
    ></textarea>`;
  }
  const [type, mode, example] = textManner(field.format);
  return html`<input
    class="text"
    id=${id}
    type=${type}
    inputmode=${ifDefined(mode)}
    placeholder=${ifDefined(example)}
    .value=${live(text)}
    autocomplete="off"
    spellcheck="false"
    aria-invalid=${problem !== undefined}
    aria-required=${field.required}
    aria-describedby=${describedBy(view)}
    @input=${onInput}
  />`;
}

/** The kind of input, of keyboard, and an example where the form of the answer is not plain. */
function textManner(format: string | undefined): readonly [string, string?, string?] {
  switch (format) {
    case 'email':
      return ['text', 'email', 'name@example.com'];
    case 'uri':
      return ['text', 'url', 'https://example.com'];
    case 'date':
      return ['date'];
    case 'date-time':
      return ['text', 'text', '2026-01-31T09:30:00Z'];
    default:
      return ['text'];
  }
}

function numberControl(view: FieldView, field: NumberField): TemplateResult {
  const { id, value, problem } = view;
  return html`<input
    class="text"
    id=${id}
    type="text"
    inputmode=${field.integer ? 'numeric' : 'decimal'}
    placeholder=${ifDefined(rangeHint(field))}
    .value=${live(value === undefined ? '' : String(value))}
    autocomplete="off"
    aria-invalid=${problem !== undefined}
    aria-required=${field.required}
    aria-describedby=${describedBy(view)}
    @input=${(event: Event) => view.onChange((event.target as HTMLInputElement).value)}
  />`;
}

function rangeHint({ minimum, maximum }: NumberField): string | undefined {
  if (minimum !== undefined && maximum !== undefined) {
    return l10n.t('{0} to {1}', minimum, maximum);
  }
  if (minimum !== undefined) return l10n.t('{0} or more', minimum);
  return maximum === undefined ? undefined : l10n.t('{0} or less', maximum);
}

function selectControl(view: FieldView, field: ChoiceField): TemplateResult {
  const { id, value, problem } = view;
  // Without a proposal nothing is chosen; what need not be answered can be taken back.
  const none = !field.required || field.value === undefined;
  return html`<select
    class="text pick"
    id=${id}
    aria-invalid=${problem !== undefined}
    aria-required=${field.required}
    aria-describedby=${describedBy(view)}
    @change=${(event: Event) => {
      const { selectedIndex } = event.target as HTMLSelectElement;
      view.onChange(field.choices[selectedIndex - (none ? 1 : 0)]?.value);
    }}
  >
    ${
      none
        ? html`<option .selected=${live(value === undefined)}>
            ${field.required ? l10n.t('Choose one') : l10n.t('No answer')}
          </option>`
        : nothing
    }
    ${field.choices.map(
      choice => html`<option .selected=${live(choice.value === value)}>${choice.label}</option>`,
    )}
  </select>`;
}

function radios(view: FieldView, field: ChoiceField): readonly TemplateResult[] {
  return field.choices.map(choice => {
    const chosen = choice.value === view.value;
    return choiceRow(
      choice,
      html`<input
        type="radio"
        name=${view.id}
        .checked=${live(chosen)}
        @change=${() => view.onChange(choice.value)}
        @click=${() => {
          // What need not be answered can be taken back: by the same press.
          if (chosen && !field.required) view.onChange(undefined);
        }}
      />`,
    );
  });
}

function checks(view: FieldView, field: ChoicesField): readonly TemplateResult[] {
  const chosen = Array.isArray(view.value) ? (view.value as readonly string[]) : [];
  return field.choices.map(choice =>
    choiceRow(
      choice,
      html`<input
        type="checkbox"
        .checked=${live(chosen.includes(choice.value))}
        @change=${(event: Event) => {
          const on = (event.target as HTMLInputElement).checked;
          // In the order of the choices, however they were ticked.
          view.onChange(
            field.choices
              .map(({ value }) => value)
              .filter(value => (value === choice.value ? on : chosen.includes(value))),
          );
        }}
      />`,
    ),
  );
}

function choiceRow(choice: FormChoice, input: TemplateResult): TemplateResult {
  return html`<label class="check"
    >${input}<span
      >${choice.label}${choice.description ? html`<small>${choice.description}</small>` : nothing}</span
    ></label
  >`;
}

function plain(choice: FormChoice): boolean {
  return choice.description === undefined;
}

function countHint({ minItems, maxItems }: ChoicesField): string | undefined {
  if (maxItems !== undefined && minItems !== undefined && minItems > 0) {
    return minItems === maxItems
      ? l10n.t('choose {0}', minItems)
      : l10n.t('choose {0} to {1}', minItems, maxItems);
  }
  if (maxItems !== undefined) return l10n.t('up to {0}', maxItems);
  return minItems !== undefined && minItems > 1 ? l10n.t('at least {0}', minItems) : undefined;
}
