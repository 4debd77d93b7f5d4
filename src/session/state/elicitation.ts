/**
 * What an agent asks the user outside its prose (ACP's `elicitation/create`): a form to fill in, or a web page
 * to visit. Plain JSON, as a view shows it.
 */

/** Waits for the user; a page that was opened stays until the agent says that it is done. */
export type Elicitation = ElicitationForm | ElicitationPage;

interface ElicitationBase {
  /** Parley's own; what intents name. */
  readonly id: string;
  /** What the agent says it needs. Plain text. */
  readonly message: string;
  /** The tool call that it is asked for. */
  readonly toolCallId?: string;
  readonly requestedAt: number;
}

export interface ElicitationForm extends ElicitationBase {
  readonly kind: 'form';
  readonly title?: string;
  readonly description?: string;
  /** In the agent's order. */
  readonly fields: readonly FormField[];
  /** What was wrong with the last answer, in sentences, by the name of the field. */
  readonly problems?: Readonly<Record<string, string>>;
}

export interface ElicitationPage extends ElicitationBase {
  readonly kind: 'page';
  /** The whole address, as the agent sent it. */
  readonly url: string;
  /** The host (with its port) as it is really asked for: ASCII, `xn--…` where it has other letters. */
  readonly host: string;
  /** How the host looks with its own letters, where that differs: letters may be lookalikes, so warn. */
  readonly lookalike?: string;
  /** Why it cannot be opened, as a sentence: it is not http(s), or not an address at all. */
  readonly refused?: string;
  /** True once the user consented: the page is open and nothing waits for the user here. */
  readonly opened: boolean;
}

export type FormField =
  TextField | NumberField | BooleanField | ChoiceField | ChoicesField | UnknownField;

interface FieldBase {
  /** The key in the answer. */
  readonly name: string;
  /** The agent's title, or else the name. */
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly value?: string;
  /** In characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression that matches somewhere; checked by the host. */
  readonly pattern?: string;
  /** `email`, `uri`, `date` (YYYY-MM-DD) or `date-time` (ISO 8601); others are not checked. */
  readonly format?: string;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly value?: number;
  /** Inclusive. */
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
  readonly value?: boolean;
}

/** One of several. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly value?: string;
  readonly choices: readonly FormChoice[];
}

/** Any of several. */
export interface ChoicesField extends FieldBase {
  readonly kind: 'choices';
  readonly value?: readonly string[];
  readonly choices: readonly FormChoice[];
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Of a type that Parley does not know: it is named, and cannot be filled in. */
export interface UnknownField extends FieldBase {
  readonly kind: 'unknown';
  readonly type: string;
}

export interface FormChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** What was filled in, by field name. A number may still be the text that was typed. */
export type FormValues = Readonly<Record<string, FormValue>>;

export type FormValue = string | number | boolean | readonly string[];

/** Whether the user has something to do about it. */
export function isWaiting(elicitation: Elicitation): boolean {
  return elicitation.kind === 'form' || !elicitation.opened;
}
