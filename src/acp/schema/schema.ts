/**
 * The ACP types Parley uses, from the SDK of the protocol, and the few that agents use though the stable
 * schema lacks them. Types only: a value import of the SDK would bundle its validators (140 KiB) and cost
 * hundreds of milliseconds at activation.
 */
import type {
  AvailableCommand,
  ClientCapabilities,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  RequestPermissionRequest,
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
export interface TitleCapability {
  readonly title?: object | null;
}

/** `session/archive` and `session/unarchive` of the unstable schema. */
export interface ArchiveCapability {
  readonly archive?: object | null;
}

export interface ArchiveSessionRequest {
  readonly sessionId: string;
}

export interface SetTitleRequest {
  readonly sessionId: string;
  readonly title: string;
}

/** The end of a turn, where the answer to its prompt is that: with v2, a `state_update` reports it. */
export interface PromptResponse {
  readonly stopReason?: string;
  readonly usage?: TurnUsage;
}

/** Of one turn; of the unstable schema, and sent by most. */
export interface TurnUsage {
  readonly totalTokens: number;
}

/** What the agent does for its user at the moment (v2). */
export interface StateUpdate {
  readonly state: string;
  readonly stopReason?: string;
  readonly usage?: TurnUsage;
  /** With the stop reason `error`. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** With what v2 says of a request itself, beside the call that it is about. */
export type PermissionPrompt = RequestPermissionRequest & {
  readonly title?: string;
  readonly description?: string;
};

/** Of v2 alone. */
export interface CancelToolCallRequest {
  readonly sessionId: string;
  readonly toolCallId: string;
}
export interface CancelTerminalRequest {
  readonly sessionId: string;
  readonly terminalId: string;
}

/** With what the unstable schema adds: child sessions of subagents, and plans with names. */
export type DraftClientCapabilities = ClientCapabilities & {
  readonly subagents?: object;
  readonly plan?: object;
};

/** What opening a session answers, whichever way it was opened. */
export type OpenedSession = (NewSessionResponse | LoadSessionResponse | ResumeSessionResponse) & {
  readonly models?: SessionModelState | null;
  /** With v2; otherwise an update has them. */
  readonly availableCommands?: readonly AvailableCommand[];
};
