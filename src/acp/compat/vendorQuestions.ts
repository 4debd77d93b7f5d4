/**
 * What Cursor and Grok ask the user with methods of their own: questions to choose from, a plan to agree to, a
 * list of steps. They wait for the answer, and give the turn up (or wait for ever) when nobody knows the method.
 * Asked as the forms, the permissions and the plans of the schema, and answered in their shapes. Qwen Code asks
 * its questions as permission to go on, and wants the answers beside it.
 */
import * as l10n from '@vscode/l10n';
import { isObject, list, name, object, type Json } from '../schema/guards/primitives';
import { ClientMethod } from '../schema/methods';
import type * as schema from '../schema/schema';
import type { AnsweredRequest, IncomingRequest } from './incomingRequest';

const METHOD = /^_?(cursor|x\.ai)\/(\w+)$/;

/** Calls whose sessions are remembered: of those under way, there are far fewer. */
const MAX_CALLS = 200;

/** Reads what one agent asks in its own way. */
export class VendorQuestions {
  /** The sessions of tool calls: Cursor names none when it asks. */
  private readonly sessions = new Map<string, string>();
  private lastSession: string | undefined;
  /** The steps of Cursor's plans, by session. */
  private readonly steps = new Map<string, readonly Json[]>();

  /** An update of the agent: it says which session its next question is about. */
  heard({ sessionId, update }: schema.SessionNotification): void {
    this.lastSession = sessionId;
    if (update.sessionUpdate !== 'tool_call') return;
    this.sessions.set(update.toolCallId, sessionId);
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > MAX_CALLS && oldest !== undefined) this.sessions.delete(oldest);
  }

  /** Undefined for methods that are none of these, and for parameters that are of no use. */
  read(method: string, params: unknown): IncomingRequest | AnsweredRequest | undefined {
    const [, vendor, asked] = METHOD.exec(method) ?? [];
    if (vendor === undefined || !isObject(params)) return undefined;
    const raw = unwrapped(params);
    const toolCallId = name(raw['toolCallId']);
    const known = toolCallId === undefined ? undefined : this.sessions.get(toolCallId);
    const sessionId = name(raw['sessionId']) ?? known ?? this.lastSession;
    if (sessionId === undefined) return undefined;
    const scope = { sessionId, ...(toolCallId !== undefined && { toolCallId }) };
    switch (`${vendor}/${asked}`) {
      case 'cursor/ask_question':
        return questions(raw, scope, cursorAnswers);
      case 'x.ai/ask_user_question':
        return questions(raw, scope, grokAnswers);
      case 'cursor/create_plan':
        return plan(raw, scope, cursorPlanAnswer);
      case 'x.ai/exit_plan_mode':
        return plan(raw, scope, grokPlanAnswer);
      case 'cursor/update_todos':
        return this.todos(raw, sessionId);
      default:
        return undefined;
    }
  }

  /**
   * Undefined for permission that is asked for anything but the answers to questions. The call that a question
   * belongs to comes with it: nothing else may announce it before the answer.
   */
  readPermission(params: unknown): IncomingRequest | undefined {
    const { sessionId, toolCall, options } = object(params) ?? {};
    const { toolCallId, rawInput, _meta } = object(toolCall) ?? {};
    const meta = object(_meta);
    const isQuestion = meta?.['toolName'] === 'ask_user_question';
    const asked =
      meta?.['qwenQuestions'] ?? (isQuestion ? object(rawInput)?.['questions'] : undefined);
    const session = name(sessionId);
    if (asked === undefined || session === undefined) return undefined;
    const call = name(toolCallId);
    const scope = { sessionId: session, ...(call !== undefined && { toolCallId: call }) };
    const question = questions({ questions: asked }, scope, (response, chosen) =>
      qwenAnswers(response, chosen, list(object)(options) ?? []),
    );
    const update = { ...object(toolCall), sessionUpdate: 'tool_call_update' };
    return question && { ...question, updates: [{ sessionId: session, update }] };
  }

  /** Cursor calls it a notification and sends a request, of all steps or of those that have changed. */
  private todos({ todos, merge }: Json, sessionId: string): AnsweredRequest | undefined {
    const raw = list(object)(todos);
    if (raw === undefined) return undefined;
    const known = merge === true ? (this.steps.get(sessionId) ?? []) : [];
    const changed = new Map(raw.map(step => [step['id'], step]));
    const entries = known.map(step => ({ ...step, ...changed.get(step['id']) }));
    const ids = new Set(known.map(step => step['id']));
    const all = [...entries, ...raw.filter(({ id }) => id === undefined || !ids.has(id))];
    this.steps.set(sessionId, all);
    return {
      updates: [{ sessionId, update: { sessionUpdate: 'plan', entries: all } }],
      answered: { outcome: { outcome: 'accepted' } },
    };
  }
}

/** Grok may put the parameters beside the name of the method once more. */
function unwrapped(params: Json): Json {
  const { method, params: inner } = params;
  return typeof method === 'string' && isObject(inner) ? inner : params;
}

interface Scope {
  readonly sessionId: string;
  readonly toolCallId?: string;
}

// ── questions ────────────────────────────────────────────────────────────────────────────────────────

type Chosen = readonly (readonly [question: Json, values: readonly string[]])[];

function questions(
  raw: Json,
  scope: Scope,
  answer: (response: schema.CreateElicitationResponse, chosen: Chosen) => object,
): IncomingRequest | undefined {
  const asked = list(object)(raw['questions']) ?? [];
  if (asked.length === 0) return undefined;
  const properties = Object.fromEntries(asked.map((each, index) => [`q${index}`, property(each)]));
  return {
    method: ClientMethod.createElicitation,
    params: {
      ...scope,
      mode: 'form',
      message: name(raw['title']) ?? '',
      requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
    },
    answer: (response: schema.CreateElicitationResponse) => {
      const filledIn: unknown = 'content' in response ? response.content : undefined;
      const content = isObject(filledIn) ? filledIn : undefined;
      return answer(
        response,
        asked.map((each, index) => [each, valuesOf(content?.[`q${index}`])]),
      );
    },
  };
}

function property(question: Json): object {
  const title = textOf(question);
  const options = (list(object)(question['options']) ?? []).map(option => {
    const label = name(option['label']) ?? name(option['id']) ?? '';
    const description = name(option['description']);
    return {
      const: name(option['id']) ?? label,
      title: label,
      ...(description && { description }),
    };
  });
  if (options.length === 0) return { type: 'string', title };
  return question['allowMultiple'] === true || question['multiSelect'] === true
    ? { type: 'array', title, items: { anyOf: options } }
    : { type: 'string', title, oneOf: options };
}

function textOf(question: Json): string {
  return name(question['prompt']) ?? name(question['question']) ?? '';
}

function valuesOf(value: unknown): readonly string[] {
  return [value].flat().filter(each => typeof each === 'string');
}

function cursorAnswers({ action }: schema.CreateElicitationResponse, chosen: Chosen): object {
  switch (action) {
    case 'accept': {
      const answers = chosen.map(([{ id }, selectedOptionIds]) => ({
        questionId: id,
        selectedOptionIds,
      }));
      return { outcome: { outcome: 'answered', answers } };
    }
    case 'decline':
      return { outcome: { outcome: 'skipped' } };
    default:
      return { outcome: { outcome: 'cancelled' } };
  }
}

/** Grok identifies its questions by their text. */
function grokAnswers({ action }: schema.CreateElicitationResponse, chosen: Chosen): object {
  switch (action) {
    case 'accept': {
      const answers = Object.fromEntries(
        chosen.map(([question, values]) => [
          textOf(question),
          question['multiSelect'] === true ? values : (values[0] ?? ''),
        ]),
      );
      return { outcome: 'accepted', answers, annotations: {} };
    }
    case 'decline':
      return { outcome: 'skip_interview' };
    default:
      return { outcome: 'cancelled' };
  }
}

/** Qwen Code numbers its questions, and takes one text for each. */
function qwenAnswers(
  { action }: schema.CreateElicitationResponse,
  chosen: Chosen,
  options: readonly Json[],
): object {
  const kind = action === 'accept' ? 'allow_once' : 'reject_once';
  const option = options.find(each => each['kind'] === kind);
  if (action === 'cancel' || option === undefined) return { outcome: { outcome: 'cancelled' } };
  const outcome = { outcome: 'selected', optionId: option['optionId'] };
  if (action !== 'accept') return { outcome };
  const answers = chosen.map(([, values], index) => [String(index), values.join(', ')] as const);
  return { outcome, answers: Object.fromEntries(answers.filter(([, text]) => text !== '')) };
}

// ── plans ────────────────────────────────────────────────────────────────────────────────────────────

type PlanAnswer = 'accept' | 'reject' | 'cancelled';

function plan(
  raw: Json,
  scope: Scope,
  answer: (answer: PlanAnswer) => object,
): IncomingRequest | undefined {
  const text = planText(raw);
  if (text === '') return undefined;
  return {
    method: ClientMethod.requestPermission,
    params: {
      sessionId: scope.sessionId,
      toolCall: {
        toolCallId: scope.toolCallId ?? 'plan',
        title: name(raw['name']) ?? l10n.t('Plan'),
        kind: 'switch_mode',
        content: [{ type: 'content', content: { type: 'text', text } }],
      },
      options: [
        { optionId: 'accept', kind: 'allow_once', name: l10n.t('Start Implementation') },
        { optionId: 'reject', kind: 'reject_once', name: l10n.t('Keep Planning') },
      ],
    },
    answer: ({ outcome }: schema.RequestPermissionResponse) => {
      if (outcome.outcome === 'cancelled') return answer('cancelled');
      return answer(outcome.optionId === 'accept' ? 'accept' : 'reject');
    },
  };
}

function planText(raw: Json): string {
  const parts = [raw['overview'], raw['plan'] ?? raw['planContent'], todoText(raw['todos'])];
  const phases = (list(object)(raw['phases']) ?? []).flatMap(phase => [
    `### ${name(phase['name']) ?? ''}`,
    todoText(phase['todos']),
  ]);
  return [...parts, ...phases].map(name).filter(Boolean).join('\n\n');
}

function todoText(todos: unknown): string {
  const texts = (list(object)(todos) ?? []).map(({ content }) => name(content)).filter(Boolean);
  return texts.map(text => `- ${text}`).join('\n');
}

function cursorPlanAnswer(answer: PlanAnswer): object {
  const outcomes = { accept: 'accepted', reject: 'rejected', cancelled: 'cancelled' };
  return { outcome: { outcome: outcomes[answer] } };
}

function grokPlanAnswer(answer: PlanAnswer): object {
  if (answer === 'accept') return { outcome: 'approved' };
  return answer === 'reject'
    ? { outcome: 'request_changes', feedback: '' }
    : { outcome: 'abandoned' };
}
