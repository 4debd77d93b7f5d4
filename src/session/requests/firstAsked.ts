import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import { absolute } from '../rules/commandPieces';
import { commandInput, parsedInput } from '../state/commandInput';
import type { AskedCall } from '../state/permission';
import type { SessionStore } from '../state/store';
import type { Contents } from '../translate/contents';
import type { OwnRequests } from './ownRequests';
import type { PendingPermissions } from './pendingPermissions';
import type { RequestRules } from './requestRules';

export interface FirstAskedParts {
  readonly store: SessionStore;
  readonly contents: Contents;
  readonly permissions: PendingPermissions;
  readonly requests: OwnRequests;
  readonly rules: RequestRules;
}

/**
 * Reads and commands that a rule or a protected file stands against: agents ask for these through the editor
 * without a request for permission. What was allowed in this turn is not asked about twice.
 */
export class FirstAsked implements Disposable {
  private readonly allowed = new Set<string>();
  private readonly listeners = new DisposableStore();

  constructor(private readonly parts: FirstAskedParts) {
    const { permissions, store } = parts;
    this.listeners.add(
      permissions.onWillAnswer(({ asked, outcome, isKnownKind }) => {
        if (outcome === 'allowed' && isKnownKind) this.remember(asked);
      }),
    );
    this.listeners.add(
      store.onDidApply(({ action }) => {
        if (action.type === 'turnEnded') this.allowed.clear();
      }),
    );
  }

  /** Does the reading once it is allowed. @throws RequestError when it is not */
  async read<T>(path: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    const { rules, requests } = this.parts;
    const wasAllowed = this.allowed.has(this.fileKey(path)) && !rules.isFileRejected('read', path);
    if (wasAllowed || rules.isFileFree('read', path)) return read();
    const name = path.split(/[\\/]/).at(-1) ?? path;
    const toolCallId = await requests.ask(
      {
        name: 'read',
        call: { title: l10n.t('Read {0}', name), kind: 'read', locations: [{ path }] },
        rejected: `The user does not allow this file to be read: ${path}`,
        cancelled: `The user stopped before allowing this file to be read: ${path}`,
      },
      signal,
    );
    return this.done(toolCallId, read());
  }

  /** @throws RequestError when the command is not allowed */
  async run<T>(
    params: schema.CreateTerminalRequest,
    cwd: string,
    signal: AbortSignal,
    run: () => Promise<T>,
  ): Promise<T> {
    const { rules, requests } = this.parts;
    const rawInput = inputOf(params, cwd);
    const line = commandInput(rawInput)?.line ?? params.command;
    const text = JSON.stringify(rawInput);
    const asked: AskedCall = {
      ...{ title: line, toolKind: 'execute', content: [], locations: [] },
      rawInput: { text, truncated: false },
    };
    // What was allowed was the line in its folder, with no variables of its own.
    const isBare = (params.env ?? []).length === 0;
    const wasAllowed = isBare && this.allowed.has(this.commandKey(line, params.cwd ?? cwd));
    const isRejected = rules.verdictOf(asked).decision === 'reject';
    if ((wasAllowed && !isRejected) || rules.isCommandFree(asked)) return run();
    const toolCallId = await requests.ask(
      {
        name: 'run',
        call: { title: line, kind: 'execute', rawInput },
        rejected: `The user does not allow this command to be run: ${line}`,
        cancelled: `The user stopped before allowing this command to be run: ${line}`,
      },
      signal,
    );
    return this.done(toolCallId, run());
  }

  dispose(): void {
    this.listeners.dispose();
  }

  private async done<T>(toolCallId: string, work: Promise<T>): Promise<T> {
    const { requests } = this.parts;
    try {
      const result = await work;
      requests.ended(toolCallId, 'completed');
      return result;
    } catch (error) {
      requests.ended(toolCallId, 'failed');
      throw error;
    }
  }

  private remember({ rawInput, locations, toolKind, terminal }: AskedCall): void {
    const input = rawInput && parsedInput(this.parts.contents.whole(rawInput));
    const command = commandInput(input);
    const folder = command?.folder ?? terminal?.cwd ?? '';
    if (command) this.allowed.add(this.commandKey(command.line, folder));
    else if (toolKind === 'read') {
      for (const { path } of locations) this.allowed.add(this.fileKey(path));
    }
  }

  private fileKey(path: string): string {
    return `file ${absolute(path, this.parts.store.state.cwd)}`;
  }

  /** The same line is another command in another folder. */
  private commandKey(line: string, folder: string): string {
    const path = absolute(folder, this.parts.store.state.cwd).replace(/[\\/]+$/, '');
    return `command in ${path}: ${line}`;
  }
}

function inputOf(
  { command, args, cwd, env }: schema.CreateTerminalRequest,
  standard: string,
): Readonly<Record<string, unknown>> {
  const variables = (env ?? []).map(({ name, value }) => [name, value]);
  return {
    command: args && args.length > 0 ? [command, ...args] : command,
    cwd: cwd ?? standard,
    ...(variables.length > 0 && { env: Object.fromEntries(variables) as unknown }),
  };
}
