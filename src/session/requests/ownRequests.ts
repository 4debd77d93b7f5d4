import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import type * as schema from '../../acp/schema/schema';
import * as l10n from '@vscode/l10n';
import type { Environment } from '../ports';
import type { SessionStore } from '../state/store';
import type { Translator } from '../translate/translate';
import type { PendingPermissions } from './pendingPermissions';

export interface OwnRequestsParts {
  readonly store: SessionStore;
  readonly translator: Translator;
  readonly permissions: PendingPermissions;
  readonly environment: Environment;
}

/** What an agent does through the editor without having asked, and what to say to it when it may not. */
export interface OwnRequest {
  /** A word for the id of its call. */
  readonly name: 'write' | 'read' | 'run';
  readonly call: Omit<schema.ToolCallUpdate, 'toolCallId' | 'status'>;
  readonly rejected: string;
  readonly cancelled: string;
}

/** Requests that Parley makes itself, shown as tool calls like those of the agent. */
export class OwnRequests {
  constructor(private readonly parts: OwnRequestsParts) {}

  /**
   * Resolves with the id of its call once it is allowed.
   * @throws RequestError when it is not
   */
  async ask({ name, call, rejected, cancelled }: OwnRequest, signal: AbortSignal): Promise<string> {
    const { store, environment, permissions } = this.parts;
    const toolCallId = `parley-${name}-${environment.newId()}`;
    const { outcome } = await permissions.request(
      {
        sessionId: store.state.sessionId ?? '',
        toolCall: { ...call, toolCallId, status: 'pending' },
        options: [
          { optionId: 'allow', name: l10n.t('Allow'), kind: 'allow_once' },
          { optionId: 'reject', name: l10n.t('Reject'), kind: 'reject_once' },
        ],
      },
      signal,
    );
    if (outcome.outcome === 'selected' && outcome.optionId === 'allow') return toolCallId;
    if (outcome.outcome === 'selected') throw new RequestError(ErrorCode.invalidRequest, rejected);
    throw new RequestError(ErrorCode.requestCancelled, cancelled);
  }

  ended(toolCallId: string, status: 'completed' | 'failed'): void {
    const { store, translator } = this.parts;
    for (const action of translator.toolCall(store.state, { toolCallId, status }, 'changed')) {
      store.dispatch(action);
    }
  }
}
