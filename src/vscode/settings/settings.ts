import * as vscode from 'vscode';
import type { AgentLimits } from '../../agents/backends/acp/agentLimits';
import type { Event } from '../../base/event';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { FileLimitSettings } from '../../session/requests/fileLimits';
import type { PromptLimitSettings } from '../../session/turns/promptLimits';
import type { AskedDefaults } from './askedDefaults';
import { readSettings } from './readSettings';
import type { ParleySettings } from './readSettings';
import { userValues } from './userValue';
import { watchValue } from './watchValue';
import { WORKSPACE_RULES } from './workspaceRules';
import type { SettingName } from './workspaceRules';

/** What the user has said about how a workspace wants agents to start. */
export interface DefaultsConsent {
  isGiven(asked: AskedDefaults): boolean;
  readonly onDidChange: Event<void>;
}

/** Reads `parley.*`, and says when any of it changed. */
export class Settings implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private cached: ParleySettings | undefined;

  /** @param trust without it only the user's values count, except for appearance */
  constructor(
    private readonly consent?: DefaultsConsent,
    private readonly trust: Pick<
      typeof vscode.workspace,
      'isTrusted' | 'onDidGrantWorkspaceTrust'
    > = vscode.workspace,
  ) {
    const reread = (): void => {
      this.cached = undefined;
      this.changed.fire();
    };
    this.disposables.add(this.changed);
    this.disposables.add(
      watchValue(vscode.workspace.onDidChangeConfiguration, () => NAMES.map(inspector()), reread),
    );
    this.disposables.add(trust.onDidGrantWorkspaceTrust(reread));
    if (consent) this.disposables.add(consent.onDidChange(reread));
  }

  get current(): ParleySettings {
    if (this.cached) return this.cached;
    const values = inspector();
    return (this.cached = readSettings(
      {
        user: name => userValues(values(name)).local,
        remote: name => userValues(values(name)).remote,
        workspace: name =>
          this.trust.isTrusted || WORKSPACE_RULES[name] === 'free'
            ? (values(name)?.workspaceFolderValue ?? values(name)?.workspaceValue)
            : undefined,
      },
      asked => this.consent?.isGiven(asked) ?? false,
    ));
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

const NAMES = Object.keys(WORKSPACE_RULES) as SettingName[];

/** Answers the values of a setting as they are now. */
function inspector() {
  const configuration = vscode.workspace.getConfiguration('parley');
  return (name: SettingName) => configuration.inspect<unknown>(name);
}

/** The limits as the session takes them. */
export function fileLimits(settings: ParleySettings): FileLimitSettings {
  const { fileBytes, readsPerMinute, writesPerMinute, timeouts } = settings;
  return {
    fileBytes,
    readsPerMinute,
    writesPerMinute,
    readSeconds: timeouts.readFile,
    writeSeconds: timeouts.writeFile,
  };
}

/** The limits as agents' hosts take them. */
export function agentLimits(settings: ParleySettings): AgentLimits {
  const { timeouts, lineBytes, updatesPerMinute } = settings;
  return {
    initializeSeconds: timeouts.initialize,
    signInSeconds: timeouts.signIn,
    requestSeconds: timeouts.request,
    maxLineBytes: lineBytes,
    updatesPerMinute,
  };
}

export function promptLimits(settings: ParleySettings): PromptLimitSettings {
  const { promptBytes, promptsPerMinute } = settings;
  return { promptBytes, promptsPerMinute };
}
