import * as l10n from '@vscode/l10n';
import { sizeText } from '../../base/bytes';
import type { Logger } from '../../base/logger';
import type { ClientHandlers } from './clientHandlers';
import type { Compatibility } from '../compat/compatibility';
import { RequestError } from './errors';
import { completeElicitation, createElicitation } from '../schema/guards/elicitation';
import type { Guard } from '../schema/guards/primitives';
import * as guards from '../schema/guards/requests';
import { sessionNotification } from '../schema/guards/updates';
import { LeftOut } from '../transport/longMessages';
import { ClientMethod } from '../schema/methods';
import { OpenRequests } from './openRequests';
import type { RpcHandlers } from './rpcPeer';

type Call = (params: unknown, signal: AbortSignal) => Promise<object>;

/** Guards what the agent calls and hands it to the handlers. */
export class ClientDispatcher implements RpcHandlers {
  private readonly calls: ReadonlyMap<string, Call>;
  private readonly ignored = new Set<string>();
  private readonly open = new OpenRequests();
  /** The session that was heard of last. */
  private lastSession: string | undefined;

  constructor(
    private readonly handlers: ClientHandlers,
    private readonly logger: Logger,
    private readonly compatibility: Compatibility,
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
        checked(guards.readTextFile, text, (params, signal) =>
          handlers.readTextFile(params, signal),
        ),
      ],
      [
        ClientMethod.writeTextFile,
        checked(guards.writeTextFile, `${text} and content`, (params, signal) =>
          handlers.writeTextFile(params, signal),
        ),
      ],
      [
        ClientMethod.createTerminal,
        checked(
          guards.createTerminal,
          'sessionId, command; args as strings, env as {name, value}, cwd as a path',
          (params, signal) => handlers.createTerminal(params, signal),
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
      [
        ClientMethod.createElicitation,
        checked(
          createElicitation,
          'mode "form" with requestedSchema, or "url" with elicitationId and url',
          (params, signal) => {
            if (params.mode === 'form' || params.mode === 'url') {
              return handlers.createElicitation(params, signal);
            }
            throw RequestError.invalidParams('Invalid params: Parley knows the modes form and url');
          },
        ),
      ],
    ]);
  }

  notification(method: string, params: unknown): void {
    if (method === ClientMethod.completeElicitation) {
      const completed = completeElicitation(params);
      if (completed) this.handlers.completeElicitation(completed);
      return;
    }
    if (params instanceof LeftOut) {
      if (method === ClientMethod.sessionUpdate) this.leftOut(params);
      else this.ignore('notification', method);
      return;
    }
    const updates = this.compatibility.updates(method, params);
    if (updates === undefined) this.ignore('notification', method);
    else for (const update of updates) this.sessionUpdate(update);
  }

  async request(method: string, params: unknown, signal: AbortSignal): Promise<object> {
    const asked = this.compatibility.request(method, params);
    for (const update of asked.updates ?? []) this.sessionUpdate(update);
    if ('answered' in asked) return asked.answered;
    const call = this.calls.get(asked.method);
    if (call === undefined) {
      this.ignore('request', method);
      throw RequestError.methodNotFound(method);
    }
    const response = await this.open.admit(asked.params, () => call(asked.params, signal));
    return asked.answer?.(response as never) ?? response;
  }

  private sessionUpdate(params: unknown): void {
    const guarded = sessionNotification(params);
    if (guarded === undefined) {
      const { sessionUpdate: method } = ClientMethod;
      this.logger.warn(`Ignored from the agent: a malformed "${method}" (${kindOf(params)})`);
      return;
    }
    this.lastSession = guarded.sessionId;
    const meant = this.compatibility.meant(guarded);
    if (meant) this.handlers.sessionUpdate(meant);
  }

  /** Says in the session's chat what is missing there. */
  private leftOut({ bytes, limit, toolCall, ...about }: LeftOut): void {
    this.logger.warn(`An update of the agent was left out: it was ${bytes} bytes long`);
    // Where it does not say whose it was, it is most likely of the session that the agent works for.
    const sessionId = about.sessionId ?? this.lastSession;
    if (sessionId === undefined) return;
    if (toolCall) this.sessionUpdate({ sessionId, update: toolCall });
    const title = l10n.t(
      'A message from the agent was skipped: it was {0}, more than parley.limits.lineBytes allows.',
      sizeText(bytes),
    );
    const description = l10n.t(
      'The setting allows {0}. Raise it, or ask the agent for smaller steps.',
      sizeText(limit),
    );
    const update = { sessionUpdate: 'notice', severity: 'warning', title, description };
    this.sessionUpdate({ sessionId, update });
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

/** @param needs what the agent should send, for the error when its parameters are of no use. */
function checked<T>(
  guard: Guard<T>,
  needs: string,
  handle: (params: T, signal: AbortSignal) => Promise<object>,
): Call {
  return async (params, signal) => {
    const guarded = guard(params);
    if (guarded === undefined) throw invalidParams(needs);
    return handle(guarded, signal);
  };
}

function invalidParams(needs: string): RequestError {
  return RequestError.invalidParams(`Invalid params: needs ${needs}`);
}

/** The kind of a malformed update, for the log. */
function kindOf(params: unknown): string {
  const update =
    typeof params === 'object' && params !== null && 'update' in params ? params.update : undefined;
  if (typeof update !== 'object' || update === null) return 'no update';
  const kind = 'sessionUpdate' in update ? update.sessionUpdate : undefined;
  return typeof kind === 'string' ? kind.slice(0, 100) : 'no kind';
}
