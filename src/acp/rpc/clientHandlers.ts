import type * as schema from '../schema/schema';

/**
 * What the agent may call. Parameters have passed the guards: required fields are there and of the right
 * type. Throw a `RequestError` to choose what the agent gets; anything else is logged and answered
 * "Internal error". `signal` aborts when the agent cancels its request or the connection closes.
 */
export interface ClientHandlers {
  /** Synchronous: order depends on it. */
  sessionUpdate(params: schema.SessionNotification): void;
  requestPermission(
    params: schema.PermissionPrompt,
    signal: AbortSignal,
  ): Promise<schema.RequestPermissionResponse>;
  readTextFile(
    params: schema.ReadTextFileRequest,
    signal: AbortSignal,
  ): Promise<schema.ReadTextFileResponse>;
  writeTextFile(
    params: schema.WriteTextFileRequest,
    signal: AbortSignal,
  ): Promise<schema.WriteTextFileResponse>;
  createTerminal(
    params: schema.CreateTerminalRequest,
    signal: AbortSignal,
  ): Promise<schema.CreateTerminalResponse>;
  terminalOutput(params: schema.TerminalOutputRequest): Promise<schema.TerminalOutputResponse>;
  waitForTerminalExit(
    params: schema.WaitForTerminalExitRequest,
    signal: AbortSignal,
  ): Promise<schema.WaitForTerminalExitResponse>;
  killTerminal(params: schema.KillTerminalRequest): Promise<schema.KillTerminalResponse>;
  releaseTerminal(params: schema.ReleaseTerminalRequest): Promise<schema.ReleaseTerminalResponse>;
  /** A form or a page. */
  createElicitation(
    params: schema.CreateElicitationRequest,
    signal: AbortSignal,
  ): Promise<schema.CreateElicitationResponse>;
  /** Synchronous. Ids that nobody knows are ignored. */
  completeElicitation(params: schema.CompleteElicitationNotification): void;
}
