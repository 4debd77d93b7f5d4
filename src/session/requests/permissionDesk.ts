import { RequestError } from '../../acp/errors';
import type * as schema from '../../acp/schema';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import type { SessionAction } from '../state/actions';
import type { Environment } from '../ports';
import type { PermissionOption } from '../state/state';
import type { SessionStore } from '../state/store';
import type { Translator } from '../translate/translate';
import { boundedCall, boundedText } from '../translate/updateBounds';

type Outcome = Extract<SessionAction, { type: 'permissionAnswered' }>['outcome'];

interface OpenRequest {
  readonly toolCallId: string;
  readonly options: readonly PermissionOption[];
  answer(response: schema.RequestPermissionResponse): void;
}

/** A request that is about to be answered. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly toolCallId: string;
  readonly outcome: Outcome;
  /** False for an answer of a kind that Parley does not know: it is no word to write something. */
  readonly isKnownKind: boolean;
}

/** Holds the agent's permission requests until the user, or the end of the turn, answers them. */
export class PermissionDesk {
  private readonly open = new Map<string, OpenRequest>();
  private readonly willAnswer = new Emitter<AnsweredRequest>();
  /** A request is about to be answered: the agent does not know it yet. */
  readonly onWillAnswer = this.willAnswer.event;

  constructor(
    private readonly store: SessionStore,
    private readonly translator: Translator,
    private readonly environment: Environment,
  ) {}

  /** Shows the request and waits. Aborting `signal` (the agent took it back) answers `cancelled`. */
  request(
    params: schema.RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<schema.RequestPermissionResponse> {
    const { store, environment } = this;
    const { sessionId } = params;
    const toolCall = boundedCall(params.toolCall);
    if (params.options.length > MAX_OPTIONS) {
      const message = `Invalid params: at most ${MAX_OPTIONS} options can be offered`;
      return Promise.reject(RequestError.invalidParams(message));
    }
    // What is asked after Stop is answered as what was open then.
    if (signal.aborted || store.state.cancelling) return Promise.resolve(CANCELLED);
    const actions = this.translator.toolCall(store.state, toolCall, 'asked', sessionId);
    for (const action of actions) store.dispatch(action);
    const told = actions.find(action => action.type === 'toolCallChanged');
    // Its id in the chat, where another call may have had it already.
    const { toolCallId } = told ?? toolCall;
    const id = environment.newId();
    const options = params.options.map(optionOf);
    return new Promise(resolve => {
      this.open.set(id, { toolCallId, options, answer: resolve });
      signal.addEventListener('abort', () => this.settle(id, 'cancelled', CANCELLED));
      store.dispatch({
        type: 'permissionRequested',
        request: {
          id,
          toolCallId,
          title: toolCall.title || l10n.t('The agent asks for permission'),
          options,
          requestedAt: environment.now(),
        },
      });
    });
  }

  /** The user chose. Unknown ids are ignored: the request may just have been taken back. */
  answer(requestId: string, optionId: string): void {
    const option = this.open.get(requestId)?.options.find(other => other.optionId === optionId);
    if (!option) return;
    const response = { outcome: { outcome: 'selected' as const, optionId } };
    const outcome = isAllow(option) ? 'allowed' : 'rejected';
    this.settle(requestId, outcome, response, option.kind !== 'unknown');
  }

  /** Answers the request with the agent's own option of that kind; false when it offers none. */
  answerByKind(requestId: string, kind: PermissionOption['kind']): boolean {
    const option = this.open.get(requestId)?.options.find(other => other.kind === kind);
    if (option) this.answer(requestId, option.optionId);
    return option !== undefined;
  }

  /** Answers everything `cancelled`, as ACP asks after `session/cancel`. */
  cancelAll(): void {
    for (const id of [...this.open.keys()]) this.settle(id, 'cancelled', CANCELLED);
  }

  private settle(
    requestId: string,
    outcome: Outcome,
    response: schema.RequestPermissionResponse,
    isKnownKind = true,
  ): void {
    const request = this.open.get(requestId);
    if (!request) return;
    this.open.delete(requestId);
    const { toolCallId } = request;
    this.willAnswer.fire({ requestId, toolCallId, outcome, isKnownKind });
    this.store.dispatch({
      type: 'permissionAnswered',
      requestId,
      outcome,
      at: this.environment.now(),
    });
    request.answer(response);
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

function optionOf({ optionId, name, kind }: schema.PermissionOption): PermissionOption {
  return { optionId, name: boundedText(name), kind: KINDS.has(kind) ? kind : 'unknown' };
}

/** An option of a kind Parley does not know counts as an answer, not as a refusal. */
function isAllow(option: PermissionOption): boolean {
  return option.kind !== 'reject_once' && option.kind !== 'reject_always';
}
