import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { ProcessTracker } from '../agents/process/processTracker';
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
  return {
    context,
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
