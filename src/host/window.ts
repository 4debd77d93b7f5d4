import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { ProcessTracker } from '../agents/process/processTracker';
import { Emitter } from '../base/event';
import type { Event } from '../base/event';
import { toDisposable } from '../base/lifecycle';
import type { DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import type { SessionPlace } from '../session/lifecycle/openSession';
import type { Environment } from '../session/ports';
import { workspaceRoots } from '../vscode/links';
import type { Logs } from '../vscode/logs';

/** What every part of a window's Parley stands on. */
export interface Window {
  readonly context: vscode.ExtensionContext;
  /** Parley's own. */
  readonly version: string;
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted' | 'onDidGrantWorkspaceTrust'>;
  /** The folder that VS Code is installed in. */
  readonly appRoot: string;
  readonly onDidFocus: Event<void>;
  readonly logs: Logs;
  readonly logger: Logger;
  /** Disposed with the extension, last in first out. */
  readonly parts: DisposableStore;
  readonly environment: Environment;
  /** The processes that Parley has started. */
  readonly processes: ProcessTracker;
  /** Absolute path of a file or folder in the workspace's storage. Without a workspace: in the user's. */
  readonly storage: (...names: string[]) => string;
}

const environment: Environment = {
  now: () => Date.now(),
  newId: () => randomUUID(),
  after(milliseconds, task) {
    const timer = setTimeout(task, milliseconds);
    return toDisposable(() => clearTimeout(timer));
  },
};

export function windowOf(
  context: vscode.ExtensionContext,
  logs: Logs,
  parts: DisposableStore,
): Window {
  const { fsPath } = context.storageUri ?? context.globalStorageUri;
  const focused = parts.add(new Emitter<void>());
  parts.add(
    vscode.window.onDidChangeWindowState(state => {
      if (state.focused) focused.fire();
    }),
  );
  return {
    context,
    version: String((context.extension.packageJSON as { version?: unknown }).version),
    trust: vscode.workspace,
    appRoot: vscode.env.appRoot,
    onDidFocus: focused.event,
    logs,
    logger: logs.main,
    parts,
    environment,
    processes: new ProcessTracker(),
    storage: (...names) => path.join(fsPath, ...names),
  };
}

/** Where new chats work: the workspace's folders, or the user's home when none is open. */
export function place(): SessionPlace {
  const [cwd = homedir(), ...additionalDirectories] = workspaceRoots();
  return {
    cwd,
    home: homedir(),
    additionalDirectories,
    get roots() {
      return workspaceRoots();
    },
  };
}
