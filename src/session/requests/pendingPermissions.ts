import { RequestError } from '../../acp/rpc/errors';
import type * as schema from '../../acp/schema/schema';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { SessionAction } from '../state/actions';
import type { Environment, PermissionLog } from '../ports';
import { ruleName } from '../rules/rule';
import type { Verdict } from '../rules/decide';
import {
  isReject,
  mayChoose,
  unopened,
  type AskedCall,
  type AskedFacts,
  type PermissionAnswer,
  type PermissionOption,
  type PermissionRequest,
} from '../state/permission';
import { askedOf } from '../state/permissionChanges';
import type { SessionStore } from '../state/store';
import type { Contents } from '../translate/contents';
import type { Translator } from '../translate/translate';
import { boundedText } from '../translate/updateBounds';
import { askedFacts, refsOf } from './askedFacts';
import { logEntry } from './logEntry';
import type { RequestRules, RuleSuggestions } from './requestRules';

type Outcome = Extract<SessionAction, { type: 'permissionAnswered' }>['outcome'];

interface OpenRequest {
  /** As the agent wrote them, by place. */
  readonly options: readonly schema.PermissionOption[];
  /** Keeps what is shown for as long as it can be allowed. */
  readonly holds: DisposableStore;
  answer(response: schema.RequestPermissionResponse): void;
}

/** A request that is about to be answered. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly toolCallId: string;
  readonly outcome: Outcome;
  /** What was shown when it was answered. */
  readonly asked: AskedCall;
  /** False for an answer of a kind that Parley does not know: it is no word to write something. */
  readonly isKnownKind: boolean;
}

export interface PendingPermissionsParts {
  readonly store: SessionStore;
  readonly translator: Translator;
  readonly contents: Contents;
  readonly environment: Environment;
  readonly rules: RequestRules;
  readonly log: PermissionLog;
}

/** A rule's answer to a request: the option at this place, or `cancelled` where none says no. */
interface RuledAnswer {
  readonly verdict: Verdict;
  readonly option: number | undefined;
}

/**
 * Holds the agent's permission requests until the user, or the end of the turn, answers them. What is answered
 * is what was shown: an answer names the option by its place and the revision that the user saw.
 */
export class PendingPermissions implements Disposable {
  private readonly open = new Map<string, OpenRequest>();
  private readonly willAnswer = new Emitter<AnsweredRequest>();
  /** A request is about to be answered: the agent does not know it yet. */
  readonly onWillAnswer = this.willAnswer.event;
  private readonly listener: Disposable;
  /** How many wait for what must not wait for the user. */
  private closings = 0;

  constructor(private readonly parts: PendingPermissionsParts) {
    this.listener = parts.rules.onDidChange(() => this.answerByRules());
  }

  /** Shows the request and waits. Aborting `signal` (the agent took it back) answers `cancelled`. */
  request(
    params: schema.PermissionPrompt,
    signal: AbortSignal,
  ): Promise<schema.RequestPermissionResponse> {
    const { store, translator, environment } = this.parts;
    const { sessionId, toolCall, options } = params;
    if (options.length > MAX_OPTIONS) {
      const message = `Invalid params: at most ${MAX_OPTIONS} options can be offered`;
      return Promise.reject(RequestError.invalidParams(message));
    }
    if (hasMistakableAllow(options)) {
      const text = l10n.t('A request was rejected because its options look the same.');
      store.dispatch(translator.notice('warning', text, toolCall.title));
      const message = 'Invalid params: to allow once and always needs two values of optionId';
      return Promise.reject(RequestError.invalidParams(message));
    }
    // What is asked after Stop is answered as what was open then.
    if (signal.aborted || store.state.cancelling || this.closings > 0) {
      return Promise.resolve(CANCELLED);
    }
    const actions = translator.toolCall(store.state, toolCall, 'asked', sessionId);
    for (const action of actions) store.dispatch(action);
    const call = actions.find(action => action.type === 'toolCallChanged');
    // Its id in the chat, where another call may have had it already.
    const { toolCallId } = call ?? toolCall;
    const id = environment.newId();
    const asked = askedOf(store.state, toolCallId);
    const shown = options.map(optionOf);
    const ruled = asked && this.ruled(asked, shown);
    if (asked && ruled) {
      return Promise.resolve(this.answeredByRule({ id, toolCallId, asked }, ruled, options));
    }
    return new Promise(resolve => {
      const holds = new DisposableStore();
      this.open.set(id, { options, holds, answer: resolve });
      signal.addEventListener('abort', () => this.settle(id, 'cancelled', CANCELLED));
      store.dispatch({
        type: 'permissionRequested',
        request: {
          id,
          toolCallId,
          title:
            boundedText(params.title ?? toolCall.title ?? '') ||
            l10n.t('The agent asks for permission'),
          options: shown,
          requestedAt: environment.now(),
          ...this.reason(params, asked, id),
          facts: this.facts(id, 0, toolCallId),
        },
      });
      this.hold(id);
    });
  }

  /** What the request says of itself beside its call, whose title the card has. */
  private reason(
    { title, description }: schema.PermissionPrompt,
    asked: AskedCall | undefined,
    id: string,
  ): Pick<PermissionRequest, 'reason'> {
    const own = asked?.title && title !== asked.title ? [title] : [];
    const text = boundedText([...own, description].filter(Boolean).join('\n\n'));
    return text === '' ? {} : { reason: this.parts.translator.words(text, `${id}/reason`) };
  }

  /**
   * The user chose. False when that does not count: the request is gone or not what the user saw, or there is
   * something of it that they have not seen.
   */
  answer({ requestId, revision, option: place }: PermissionAnswer): boolean {
    const request = this.find(requestId, revision);
    const sent = this.open.get(requestId)?.options;
    const option = request?.options[place];
    if (!request || !sent || !option || !mayChoose(request, option)) return false;
    const response = responseOf(sent, place);
    this.settle(requestId, isReject(option) ? 'rejected' : 'allowed', response, option);
    return true;
  }

  /** The user wants to see what the agent changed of a request since it was shown. */
  review(requestId: string, revision: number): void {
    const request = this.find(requestId, revision);
    if (!request?.changed) return;
    this.parts.store.dispatch({
      type: 'permissionReviewed',
      requestId,
      facts: this.facts(requestId, revision + 1, request.toolCallId),
    });
    this.hold(requestId);
  }

  /** Rules that would answer the request, as it was shown. */
  suggestions(requestId: string): RuleSuggestions | undefined {
    const { store, rules } = this.parts;
    const request = store.state.permissions.find(({ id }) => id === requestId);
    return request && rules.suggestionsFor(request.asked);
  }

  /** The user has opened these parts of what is asked in the editor. */
  opened(refs: readonly string[]): void {
    const { store } = this.parts;
    for (const request of store.state.permissions) {
      const own = unopened(request).filter(ref => refs.includes(ref));
      if (own.length === 0 || !this.open.has(request.id)) continue;
      store.dispatch({ type: 'permissionOpened', requestId: request.id, refs: own });
    }
  }

  /** Answers everything `cancelled`, as ACP asks after `session/cancel`. */
  cancelAll(): void {
    for (const id of [...this.open.keys()]) this.settle(id, 'cancelled', CANCELLED);
  }

  /** Also what is asked until `done` has settled: that must not wait for the user. */
  async cancelAllUntil(done: Promise<void>): Promise<void> {
    this.closings += 1;
    try {
      this.cancelAll();
      await done;
    } finally {
      this.closings -= 1;
    }
  }

  dispose(): void {
    this.listener.dispose();
    this.cancelAll();
    this.willAnswer.dispose();
  }

  /** The request, if it is still the one that the user saw. */
  private find(requestId: string, revision: number): PermissionRequest | undefined {
    const request = this.parts.store.state.permissions.find(({ id }) => id === requestId);
    return request?.revision === revision ? request : undefined;
  }

  private facts(requestId: string, revision: number, toolCallId: string): AskedFacts {
    const { store, contents, rules } = this.parts;
    const asked = askedOf(store.state, toolCallId);
    return asked ? askedFacts(asked, contents, rules, `request/${requestId}/${revision}`) : {};
  }

  /** Keeps what the request shows for as long as it waits. */
  private hold(requestId: string): void {
    const request = this.parts.store.state.permissions.find(({ id }) => id === requestId);
    if (request) this.open.get(requestId)?.holds.add(this.parts.contents.hold(refsOf(request)));
  }

  /** What the rules answer; undefined when the user is asked. */
  private ruled(asked: AskedCall, options: readonly PermissionOption[]): RuledAnswer | undefined {
    const verdict = this.parts.rules.verdictOf(asked);
    if (verdict.decision === 'ask') return undefined;
    const kind = verdict.decision === 'allow' ? 'allow_once' : 'reject_once';
    const places = options.flatMap((option, place) => (option.kind === kind ? [place] : []));
    const [option] = places;
    if (verdict.decision === 'reject') return { verdict, option };
    // What lasts at the agent, and which of several, is the user's to choose.
    return places.length === 1 ? { verdict, option } : undefined;
  }

  private answeredByRule(
    { id, toolCallId, asked }: { id: string; toolCallId: string; asked: AskedCall },
    { verdict, option }: RuledAnswer,
    options: readonly schema.PermissionOption[],
  ): schema.RequestPermissionResponse {
    const { store, environment } = this.parts;
    const outcome = outcomeOf(verdict);
    this.willAnswer.fire({ requestId: id, toolCallId, outcome, asked, isKnownKind: true });
    const [at, note] = [environment.now(), noteOf(verdict)];
    store.dispatch({ type: 'permissionAnswered', requestId: id, toolCallId, outcome, note, at });
    this.log(asked, outcome, verdict);
    return responseOf(options, option);
  }

  /** New rules answer what waits already. */
  private answerByRules(): void {
    for (const { id, asked, options, changed } of this.parts.store.state.permissions) {
      const open = this.open.get(id);
      const ruled = open && !changed ? this.ruled(asked, options) : undefined;
      if (!open || !ruled) continue;
      const { verdict, option } = ruled;
      const response = responseOf(open.options, option);
      this.settle(id, outcomeOf(verdict), response, undefined, verdict);
    }
  }

  private log(asked: AskedCall, outcome: Outcome, verdict?: Verdict): void {
    const { store, contents, log, environment } = this.parts;
    if (outcome === 'cancelled') return;
    log.record(logEntry({ asked, outcome, verdict, contents }, store.state, environment.now()));
  }

  private settle(
    requestId: string,
    outcome: Outcome,
    response: schema.RequestPermissionResponse,
    chosen?: PermissionOption,
    verdict?: Verdict,
  ): void {
    const open = this.open.get(requestId);
    const request = this.parts.store.state.permissions.find(({ id }) => id === requestId);
    if (!open) return;
    this.open.delete(requestId);
    if (request) {
      const { toolCallId, asked } = request;
      const isKnownKind = chosen?.kind !== 'unknown';
      this.willAnswer.fire({ requestId, toolCallId, outcome, asked, isKnownKind });
    }
    const at = this.parts.environment.now();
    const note = verdict && { note: noteOf(verdict) };
    this.parts.store.dispatch({ type: 'permissionAnswered', requestId, outcome, ...note, at });
    if (request) this.log(request.asked, outcome, verdict);
    open.holds.dispose();
    open.answer(response);
  }
}

/** Nobody chooses among more. */
const MAX_OPTIONS = 100;

const CANCELLED: schema.RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

const KINDS: ReadonlySet<string> = new Set([
  'allow_once',
  'allow_always',
  'reject_once',
  'reject_always',
]);

function outcomeOf({ decision }: Verdict): 'allowed' | 'rejected' {
  return decision === 'allow' ? 'allowed' : 'rejected';
}

function noteOf({ decision, rules }: Verdict): string {
  const names = rules.slice(0, MAX_NAMED).map(rule => `\`${ruleName(rule)}\``);
  const all = [...names, ...(rules.length > MAX_NAMED ? ['…'] : [])].join(', ');
  return decision === 'allow'
    ? l10n.t('Allowed by your rule {0}', all)
    : l10n.t('Rejected by the rule {0}', all);
}

/** Rules that are named in a line. */
const MAX_NAMED = 3;

/** The option at that place; an agent that gave a refusal the id of something else would take it for that. */
function responseOf(
  options: readonly schema.PermissionOption[],
  place: number | undefined,
): schema.RequestPermissionResponse {
  const chosen = place === undefined ? undefined : options[place];
  if (!chosen) return CANCELLED;
  const { optionId } = chosen;
  const isMistakable =
    isReject(optionOf(chosen)) &&
    options.some(other => other.optionId === optionId && !isReject(optionOf(other)));
  return isMistakable ? CANCELLED : { outcome: { outcome: 'selected', optionId } };
}

/** An agent could take "allow once" for "always", or for an answer that nobody knows. */
function hasMistakableAllow(options: readonly schema.PermissionOption[]): boolean {
  const kinds = new Map<string, string>();
  return options.map(optionOf).some(option => {
    if (isReject(option)) return false;
    const other = kinds.get(option.optionId) ?? option.kind;
    kinds.set(option.optionId, option.kind);
    return other !== option.kind;
  });
}

function optionOf({ optionId, name, kind }: schema.PermissionOption): PermissionOption {
  return { optionId, name: boundedText(name), kind: KINDS.has(kind) ? kind : 'unknown' };
}
