/**
 * The ACP types Parley uses, from the SDK of the protocol, and the few that agents use though the stable
 * schema lacks them. Types only: a value import of the SDK would bundle its validators (140 KiB) and cost
 * hundreds of milliseconds at activation.
 */
import type {
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  ResumeSessionResponse,
} from '@agentclientprotocol/sdk';

export type * from '@agentclientprotocol/sdk';

/** Models as agents offered them before `configOptions`; many still do. */
export interface SessionModelState {
  readonly availableModels: readonly {
    readonly modelId: string;
    readonly name: string;
    readonly description?: string | null;
  }[];
  readonly currentModelId: string;
}

export interface SetSessionModelRequest {
  readonly sessionId: string;
  readonly modelId: string;
}

/** `session/fork` of the unstable schema, and the capability that offers it. */
export type ForkSessionRequest = NewSessionRequest & { readonly sessionId: string };
export interface ForkCapability {
  readonly fork?: object | null;
}

/** What opening a session answers, whichever way it was opened. */
export type OpenedSession = (NewSessionResponse | LoadSessionResponse | ResumeSessionResponse) & {
  readonly models?: SessionModelState | null;
};
