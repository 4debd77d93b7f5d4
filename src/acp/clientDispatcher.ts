import type { Logger } from '../base/logger';
import type { ClientHandlers } from './clientHandlers';
import { RequestError } from './errors';
import { ClientMethod } from './methods';
import type { RpcHandlers } from './rpcPeer';
import type * as schema from './schema';

/** Hands what the agent calls to the handlers. */
export class ClientDispatcher implements RpcHandlers {
  constructor(
    private readonly handlers: ClientHandlers,
    private readonly logger: Logger,
  ) {}

  notification(method: string, params: unknown): void {
    if (method === ClientMethod.sessionUpdate) {
      this.handlers.sessionUpdate(params as schema.SessionNotification);
    } else this.logger.debug(`Ignored from the agent: notification "${method}"`);
  }

  async request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const { handlers } = this;
    switch (method) {
      case ClientMethod.requestPermission:
        return handlers.requestPermission(params as schema.RequestPermissionRequest, signal);
      case ClientMethod.readTextFile:
        return handlers.readTextFile(params as schema.ReadTextFileRequest);
      case ClientMethod.writeTextFile:
        return handlers.writeTextFile(params as schema.WriteTextFileRequest);
      case ClientMethod.createTerminal:
        return handlers.createTerminal(params as schema.CreateTerminalRequest);
      case ClientMethod.terminalOutput:
        return handlers.terminalOutput(params as schema.TerminalOutputRequest);
      case ClientMethod.waitForTerminalExit:
        return handlers.waitForTerminalExit(params as schema.WaitForTerminalExitRequest, signal);
      case ClientMethod.killTerminal:
        return handlers.killTerminal(params as schema.KillTerminalRequest);
      case ClientMethod.releaseTerminal:
        return handlers.releaseTerminal(params as schema.ReleaseTerminalRequest);
      default:
        throw RequestError.methodNotFound(method);
    }
  }
}
