import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import type { AgentLimits } from '../../agents/agentLimits';
import type { FileLimitSettings } from '../../session/requests/fileLimits';
import type { PromptLimitSettings } from '../../session/promptLimits';
import { readDefaults } from './optionDefaults';
import type { DefaultsSetting } from './optionDefaults';

export type ReviewSetting = 'afterwards' | 'beforeWriting';
export type Timeout = 'initialize' | 'newSession' | 'signIn' | 'request' | 'readFile' | 'writeFile';
export type NotificationSetting = 'whenHidden' | 'always' | 'never';

/** The settings of `parley.*`, checked. What was wrong is replaced by the default and told. */
export interface ParleySettings {
  /** As written; `agents/definitions` reads the entries and says what is wrong with each. */
  readonly agents: Readonly<Record<string, unknown>>;
  readonly defaultAgent: string;
  /** As written; `agents/mcp/mcpConfig` reads it. */
  readonly mcpServers: unknown;
  /** For new sessions: values of agents' options, by agent and option. */
  readonly defaults: DefaultsSetting;
  readonly notifications: NotificationSetting;
  /** Whether agents' writes are decided on when they are there, or wait for it. */
  readonly reviewWhen: ReviewSetting;
  /** Seconds. */
  readonly timeouts: Readonly<Record<Timeout, number>>;
  /** Largest file that agents read and write through the editor, in bytes. */
  readonly fileBytes: number;
  /** Of each chat's agent; 0 for as many as it likes. */
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
  /** Longest line from an agent, in bytes. */
  readonly lineBytes: number;
  /** Largest prompt with all that is attached, in bytes. */
  readonly promptBytes: number;
  /** Of each chat; 0 for as many as there are. */
  readonly promptsPerMinute: number;
  /** Beyond it an agent is read more slowly; 0 for as many as it likes. */
  readonly updatesPerMinute: number;
  /** One sentence for each value that could not be used. */
  readonly problems: readonly string[];
}

export const DEMO_AGENT = 'Parley Demo';

const DEFAULTS = {
  timeouts: {
    initialize: 30,
    newSession: 60,
    signIn: 600,
    request: 30,
    readFile: 30,
    writeFile: 60,
  },
  fileBytes: 10 * 1024 * 1024,
  minFileBytes: 1024,
  lineBytes: 32 * 1024 * 1024,
  minLineBytes: 64 * 1024,
  promptBytes: 20 * 1024 * 1024,
  minPromptBytes: 1024,
  promptsPerMinute: 60,
};

/** Read where they count, and off unless they are true. */
const SWITCHES = ['review.sourceControl', 'review.codeActions', 'followAgent'];

/** Reads `parley.*`, and tells when any of it changed. */
export class Settings implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;
  private cached: ParleySettings | undefined;

  constructor() {
    this.subscription = vscode.workspace.onDidChangeConfiguration(event => {
      if (!event.affectsConfiguration('parley')) return;
      this.cached = undefined;
      this.changed.fire();
    });
  }

  get current(): ParleySettings {
    return (this.cached ??= readSettings(name =>
      vscode.workspace.getConfiguration('parley').get<unknown>(name),
    ));
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

/** Timers overflow beyond 24 days; a day is as good as for ever. */
const MAX_SECONDS = 86_400;

/** Checks every value that `get` answers for the names behind `parley.`. */
export function readSettings(get: (name: string) => unknown): ParleySettings {
  const problems: string[] = [];
  const complain = (name: string, expected: string) => {
    problems.push(vscode.l10n.t('The setting {0} must be {1}.', `parley.${name}`, expected));
  };
  const seconds = (group: Readonly<Record<string, unknown>>, name: Timeout) => {
    const value = group[name];
    if (value === undefined) return DEFAULTS.timeouts[name];
    if (typeof value === 'number' && value >= 1) return Math.min(value, MAX_SECONDS);
    complain(`timeouts.${name}`, vscode.l10n.t('a number of seconds, at least 1'));
    return DEFAULTS.timeouts[name];
  };

  let agents = get('agents');
  if (agents !== undefined && !isRecord(agents)) {
    complain('agents', vscode.l10n.t('an object with an entry for each agent'));
    agents = undefined;
  }
  let defaultAgent = get('defaultAgent');
  if (typeof defaultAgent !== 'string' || defaultAgent.trim() === '') {
    if (defaultAgent !== undefined && defaultAgent !== '') {
      complain('defaultAgent', vscode.l10n.t('the name of an agent'));
    }
    defaultAgent = DEMO_AGENT;
  }
  let notifications = get('notifications');
  if (!isNotificationSetting(notifications)) {
    if (notifications !== undefined) {
      complain('notifications', 'whenHidden, always, never');
    }
    notifications = 'whenHidden';
  }
  let reviewWhen = get('review.when');
  if (!isReviewSetting(reviewWhen)) {
    if (reviewWhen !== undefined) complain('review.when', 'afterwards, beforeWriting');
    reviewWhen = 'afterwards';
  }
  for (const name of SWITCHES) {
    const value = get(name);
    if (value !== undefined && typeof value !== 'boolean') {
      complain(name, vscode.l10n.t('true or false'));
    }
  }
  const { defaults, bad } = readDefaults(get('defaults'));
  for (const where of bad) {
    complain(
      where === '' ? 'defaults' : `defaults.${where}`,
      where.includes('.')
        ? vscode.l10n.t('a text, true or false')
        : vscode.l10n.t('an object with values of options'),
    );
  }
  let timeouts = get('timeouts');
  if (timeouts !== undefined && !isRecord(timeouts)) {
    complain('timeouts', vscode.l10n.t('an object with numbers of seconds'));
    timeouts = undefined;
  }
  const group = isRecord(timeouts) ? timeouts : {};
  const atLeast = (name: string, least: number, standard: number) => {
    const value = get(name);
    if (typeof value === 'number' && value >= least) return value;
    if (value !== undefined) complain(name, vscode.l10n.t('at least {0}', least));
    return standard;
  };

  return {
    agents: isRecord(agents) ? plain(agents) : {},
    defaultAgent: defaultAgent as string,
    mcpServers: get('mcpServers'),
    defaults,
    notifications: notifications as NotificationSetting,
    reviewWhen: reviewWhen as ReviewSetting,
    timeouts: {
      initialize: seconds(group, 'initialize'),
      newSession: seconds(group, 'newSession'),
      signIn: seconds(group, 'signIn'),
      request: seconds(group, 'request'),
      readFile: seconds(group, 'readFile'),
      writeFile: seconds(group, 'writeFile'),
    },
    fileBytes: atLeast('limits.fileBytes', DEFAULTS.minFileBytes, DEFAULTS.fileBytes),
    readsPerMinute: atLeast('limits.readsPerMinute', 0, 0),
    writesPerMinute: atLeast('limits.writesPerMinute', 0, 0),
    lineBytes: atLeast('limits.lineBytes', DEFAULTS.minLineBytes, DEFAULTS.lineBytes),
    promptBytes: atLeast('limits.promptBytes', DEFAULTS.minPromptBytes, DEFAULTS.promptBytes),
    promptsPerMinute: atLeast('limits.promptsPerMinute', 0, DEFAULTS.promptsPerMinute),
    updatesPerMinute: atLeast('limits.updatesPerMinute', 0, 0),
    problems,
  };
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

function isReviewSetting(value: unknown): value is ReviewSetting {
  return value === 'afterwards' || value === 'beforeWriting';
}

function isNotificationSetting(value: unknown): value is NotificationSetting {
  return value === 'whenHidden' || value === 'always' || value === 'never';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** VS Code hands out proxies that throw on being written to; a copy behaves like any object. */
function plain(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
