import type { Logger } from '../base/logger';
import type { ClientHandlers } from './clientHandlers';
import type { Dialect } from './dialects';
import { RequestError } from './errors';
import type { Guard } from './guards/primitives';
import * as guards from './guards/requests';
import { sessionNotification } from './guards/updates';
import { ClientMethod } from './methods';
import type { RpcHandlers } from './rpcPeer';

type Call = (params: unknown, signal: AbortSignal) => Promise<object>;

/** Guards what the agent calls and hands it to the handlers. */
export class ClientDispatcher implements RpcHandlers {
  private readonly calls: ReadonlyMap<string, Call>;
  private readonly ignored = new Set<string>();

  constructor(
    private readonly handlers: ClientHandlers,
    private readonly logger: Logger,
    private readonly dialect: () => Dialect,
  ) {
    const terminal = guards.terminalReference;
    const namesTerminal = 'sessionId and terminalId';
    const text = 'sessionId, path';
    this.calls = new Map<string, Call>([
      [
        ClientMethod.requestPermission,
        checked(
          guards.requestPermission,
          'sessionId, toolCall with toolCallId, and at least one option with optionId',
          (params, signal) => handlers.requestPermission(params, signal),
        ),
      ],
      [
        ClientMethod.readTextFile,
        checked(guards.readTextFile, text, params => handlers.readTextFile(params)),
      ],
      [
        ClientMethod.writeTextFile,
        checked(guards.writeTextFile, `${text} and content`, params =>
          handlers.writeTextFile(params),
        ),
      ],
      [
        ClientMethod.createTerminal,
        checked(
          guards.createTerminal,
          'sessionId, command; args as strings, env as {name, value}, cwd as a path',
          params => handlers.createTerminal(params),
        ),
      ],
      [
        ClientMethod.terminalOutput,
        checked(terminal, namesTerminal, params => handlers.terminalOutput(params)),
      ],
      [
        ClientMethod.waitForTerminalExit,
        checked(terminal, namesTerminal, (params, signal) =>
          handlers.waitForTerminalExit(params, signal),
        ),
      ],
      [
        ClientMethod.killTerminal,
        checked(terminal, namesTerminal, params => handlers.killTerminal(params)),
      ],
      [
        ClientMethod.releaseTerminal,
        checked(terminal, namesTerminal, params => handlers.releaseTerminal(params)),
      ],
    ]);
  }

  notification(method: string, params: unknown): void {
    if (method !== ClientMethod.sessionUpdate) {
      this.ignore('notification', method);
      return;
    }
    const guarded = sessionNotification(params);
    if (guarded === undefined) {
      this.logger.warn(`Ignored from the agent: a malformed "${method}" (${kindOf(params)})`);
      return;
    }
    const update = this.dialect().readUpdate(guarded.update);
    this.handlers.sessionUpdate(update === guarded.update ? guarded : { ...guarded, update });
  }

  async request(method: string, params: unknown, signal: AbortSignal): Promise<object> {
    const call = this.calls.get(method);
    if (call === undefined) {
      this.ignore('request', method);
      throw RequestError.methodNotFound(method);
    }
    return call(params, signal);
  }

  /** Logs the first of each: extensions may come by the thousand. */
  private ignore(what: string, method: string): void {
    const key = `${what} ${method}`;
    if (this.ignored.size >= MAX_IGNORED || this.ignored.has(key)) return;
    this.ignored.add(key);
    this.logger.info(`Ignored from the agent: ${what} "${method}", which Parley does not know`);
  }
}

const MAX_IGNORED = 200;

/** @param needs what the agent is told to send when its parameters are of no use. */
function checked<T>(
  guard: Guard<T>,
  needs: string,
  handle: (params: T, signal: AbortSignal) => Promise<object>,
): Call {
  return async (params, signal) => {
    const guarded = guard(params);
    if (guarded === undefined) throw RequestError.invalidParams(`Invalid params: needs ${needs}`);
    return handle(guarded, signal);
  };
}

/** The kind of a malformed update, for the log. */
function kindOf(params: unknown): string {
  const update =
    typeof params === 'object' && params !== null && 'update' in params ? params.update : undefined;
  if (typeof update !== 'object' || update === null) return 'no update';
  const kind = 'sessionUpdate' in update ? update.sessionUpdate : undefined;
  return typeof kind === 'string' ? kind.slice(0, 100) : 'no kind';
}
