import * as vscode from 'vscode';
import { isRecord } from '../../base/isRecord';
import { isLocalOrSecure } from '../../agents/registry/addresses';
import { askedDefaults, withAsked } from './askedDefaults';
import type { AgentDefaults, AskedDefaults } from './askedDefaults';
import { looserLimit, readBudget, stricter as stricterBudget } from '../../session/budget/limits';
import type { Budget } from '../../session/budget/limits';
import type { RuleSet } from '../../session/rules/rule';
import { readPermissionSettings } from './permissionSettings';
import { readDefaults } from './optionDefaults';
import type { DefaultsSetting } from './optionDefaults';
import { joined } from './userValue';
import type { UserValues } from './userValue';
import { WORKSPACE_RULES } from './workspaceRules';
import type { ReviewSetting, SettingName } from './workspaceRules';

export type Timeout = 'initialize' | 'newSession' | 'signIn' | 'request' | 'readFile' | 'writeFile';
export type NotificationSetting = 'whenHidden' | 'always' | 'never';

/**
 * The settings of `parley.*`, checked. What was wrong is replaced by the default and reported, and what a
 * workspace may not decide by what the user has (`workspaceRules.ts`).
 */
export interface ParleySettings {
  /** As written; `agents/definitions` reads the entries and says what is wrong with each. */
  readonly agents: Readonly<Record<string, unknown>>;
  readonly defaultAgent: string;
  /** Address of the list of agents; empty for none. */
  readonly registryUrl: string;
  /** The user's, as written; `agents/mcp/mcpConfig` reads each. */
  readonly mcpServers: UserValues;
  /** The workspace's, as written: each server is confirmed before it is used. */
  readonly workspaceMcpServers: unknown;
  /** For new sessions: values of agents' options, by agent and option. */
  readonly defaults: DefaultsSetting;
  readonly notifications: NotificationSetting;
  /** What agents may do without being asked, or not at all. */
  readonly permissions: RuleSet;
  /** Whether agents' writes are decided on when they are there, or wait for it. */
  readonly reviewWhen: ReviewSetting;
  /** What may be spent before the user is asked. */
  readonly budget: Budget;
  /** Seconds. */
  readonly timeouts: Readonly<Record<Timeout, number>>;
  /** After which an agent that nobody asks anything is let go; 0 for never. */
  readonly idleMinutes: number;
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
  /** How the workspace wants agents to start, where that is not as the user has it; used or not. */
  readonly asked?: AskedDefaults;
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
  idleMinutes: 30,
  fileBytes: 10 * 1024 * 1024,
  minFileBytes: 1024,
  lineBytes: 32 * 1024 * 1024,
  minLineBytes: 64 * 1024,
  promptBytes: 20 * 1024 * 1024,
  minPromptBytes: 1024,
  promptsPerMinute: 60,
};

/** Read where they count, and off unless they are true. */
const SWITCHES = ['review.sourceControl', 'review.codeActions', 'followAgent'] as const;

/** Read where it counts. */
const ACTIVE_EDITOR: readonly unknown[] = ['file', 'selection', 'off'];

type LimitName = Extract<SettingName, `limits.${string}`>;
type NeverOfWorkspace = {
  [Name in SettingName]: (typeof WORKSPACE_RULES)[Name] extends 'never' ? Name : never;
}[SettingName];

/** Answers a value by the name behind `parley.`. */
type Get = (name: SettingName) => unknown;

/** Where values come from. */
export interface SettingSources {
  /** The user's values, or the defaults. */
  readonly user: Get;
  /** Those that the user has set for the remote machine. */
  readonly remote?: Get;
  /** What the workspace or its folder sets. */
  readonly workspace?: Get;
}

const NOTHING: Get = () => undefined;

/** Timers overflow beyond 24 days; a day is as good as for ever. */
const MAX_SECONDS = 86_400;

/**
 * Checks every value, and joins them by the rules of `userValue.ts` and `workspaceRules.ts`.
 * @param isAgreed whether the user wants agents to start as the workspace has it
 */
export function readSettings(
  { user: local, remote = NOTHING, workspace = NOTHING }: SettingSources,
  isAgreed: (asked: AskedDefaults) => boolean = () => false,
): ParleySettings {
  const user: Get = name => joined({ local: local(name), remote: remote(name) });
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
  /** Of settings whose rule is `never`. */
  const users = (name: NeverOfWorkspace): unknown => {
    const other = workspace(name);
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(user(name))) {
      problems.push(
        vscode.l10n.t(
          '{0} in this workspace is ignored. It can only be set in your user settings.',
          `parley.${name}`,
        ),
      );
    }
    return user(name);
  };
  const sayLooser = (name: SettingName, other: string | number, own: string | number) => {
    problems.push(
      vscode.l10n.t(
        '{0} in this workspace is ignored: {1} is less strict than your {2}.',
        `parley.${name}`,
        other,
        own,
      ),
    );
  };
  const stricter = <T extends string | number>(
    name: SettingName,
    rule: { readonly tightens: (user: T, workspace: T) => T },
    read: (value: unknown) => T | undefined,
    expected: string,
    standard: T,
  ): T => {
    const checked = (value: unknown): T | undefined => {
      const good = read(value);
      if (good === undefined && value !== undefined) complain(name, expected);
      return good;
    };
    const own = checked(user(name)) ?? standard;
    const other = checked(workspace(name)) ?? own;
    const result = rule.tightens(own, other);
    if (result !== other) sayLooser(name, other, own);
    return result;
  };
  const limit = (name: LimitName, least: number, standard: number) =>
    stricter(
      name,
      WORKSPACE_RULES[name],
      value => (typeof value === 'number' && value >= least ? value : undefined),
      vscode.l10n.t('at least {0}', least),
      standard,
    );

  let agents = users('agents');
  if (agents !== undefined && !isRecord(agents)) {
    complain('agents', vscode.l10n.t('an object with an entry for each agent'));
    agents = undefined;
  }
  let registryUrl = users('registry.url') ?? '';
  if (typeof registryUrl !== 'string' || (registryUrl !== '' && !isLocalOrSecure(registryUrl))) {
    complain('registry.url', vscode.l10n.t('an HTTPS address, or empty'));
    registryUrl = '';
  }
  const defaultAgentOf = (get: Get): string | undefined => {
    const value = get('defaultAgent');
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (value !== undefined && value !== '') {
      complain('defaultAgent', vscode.l10n.t('the name of an agent'));
    }
    return undefined;
  };
  const ownAgent = defaultAgentOf(user) ?? DEMO_AGENT;
  const otherAgent = defaultAgentOf(workspace);
  let notifications = users('notifications');
  if (!isNotificationSetting(notifications)) {
    if (notifications !== undefined) {
      complain('notifications', 'whenHidden, always, never');
    }
    notifications = 'whenHidden';
  }
  const permissions = readPermissionSettings({
    user: name => ({ local: local(name), remote: remote(name) }),
    workspace,
    complain,
    problem: text => problems.push(text),
  });
  const reviewWhen = stricter<ReviewSetting>(
    'review.when',
    WORKSPACE_RULES['review.when'],
    value => (isReviewSetting(value) ? value : undefined),
    'afterwards, beforeWriting',
    'afterwards',
  );
  for (const name of SWITCHES) {
    const value = workspace(name) ?? user(name);
    if (value !== undefined && typeof value !== 'boolean') {
      complain(name, vscode.l10n.t('true or false'));
    }
  }
  const ofEditor = workspace('context.activeEditor') ?? user('context.activeEditor');
  if (ofEditor !== undefined && !ACTIVE_EDITOR.includes(ofEditor)) {
    complain('context.activeEditor', ACTIVE_EDITOR.join(', '));
  }
  const defaultsOf = (get: Get): DefaultsSetting => {
    const { defaults, bad } = readDefaults(get('defaults'));
    for (const where of bad) {
      complain(
        where === '' ? 'defaults' : `defaults.${where}`,
        where.includes('.')
          ? vscode.l10n.t('a string, true or false')
          : vscode.l10n.t('an object with option values'),
      );
    }
    return defaults;
  };
  const own: AgentDefaults = { defaultAgent: ownAgent, defaults: defaultsOf(user) };
  const asked = askedDefaults(own, {
    defaults: defaultsOf(workspace),
    ...(otherAgent !== undefined && { defaultAgent: otherAgent }),
  });
  const { defaultAgent, defaults } = asked && isAgreed(asked) ? withAsked(own, asked) : own;
  const budgetOf = (get: Get): Budget =>
    readBudget(get('budget'), where =>
      complain(
        where === '' ? 'budget' : `budget.${where}`,
        where.includes('.')
          ? vscode.l10n.t('a number above 0')
          : vscode.l10n.t('an object with limits'),
      ),
    );
  const [ownBudget, otherBudget] = [budgetOf(user), budgetOf(workspace)];
  const looser = looserLimit(ownBudget, otherBudget);
  if (looser) sayLooser('budget', `${looser.name} ${looser.loose}`, looser.strict);
  let timeouts = users('timeouts');
  if (timeouts !== undefined && !isRecord(timeouts)) {
    complain('timeouts', vscode.l10n.t('an object with numbers of seconds'));
    timeouts = undefined;
  }
  const group = isRecord(timeouts) ? timeouts : {};
  let idleMinutes = users('idleMinutes');
  if (typeof idleMinutes !== 'number' || !(idleMinutes >= 0)) {
    if (idleMinutes !== undefined) complain('idleMinutes', vscode.l10n.t('at least {0}', 0));
    idleMinutes = DEFAULTS.idleMinutes;
  }

  return {
    agents: isRecord(agents) ? plain(agents) : {},
    defaultAgent,
    registryUrl: registryUrl as string,
    mcpServers: { local: local('mcpServers'), remote: remote('mcpServers') },
    workspaceMcpServers: workspace('mcpServers'),
    defaults,
    notifications: notifications as NotificationSetting,
    permissions,
    reviewWhen,
    budget: stricterBudget(ownBudget, otherBudget),
    timeouts: {
      initialize: seconds(group, 'initialize'),
      newSession: seconds(group, 'newSession'),
      signIn: seconds(group, 'signIn'),
      request: seconds(group, 'request'),
      readFile: seconds(group, 'readFile'),
      writeFile: seconds(group, 'writeFile'),
    },
    idleMinutes: idleMinutes as number,
    fileBytes: limit('limits.fileBytes', DEFAULTS.minFileBytes, DEFAULTS.fileBytes),
    readsPerMinute: limit('limits.readsPerMinute', 0, 0),
    writesPerMinute: limit('limits.writesPerMinute', 0, 0),
    lineBytes: limit('limits.lineBytes', DEFAULTS.minLineBytes, DEFAULTS.lineBytes),
    promptBytes: limit('limits.promptBytes', DEFAULTS.minPromptBytes, DEFAULTS.promptBytes),
    promptsPerMinute: limit('limits.promptsPerMinute', 0, DEFAULTS.promptsPerMinute),
    updatesPerMinute: limit('limits.updatesPerMinute', 0, 0),
    ...(asked && { asked }),
    problems,
  };
}

function isReviewSetting(value: unknown): value is ReviewSetting {
  return value === 'afterwards' || value === 'beforeWriting';
}

function isNotificationSetting(value: unknown): value is NotificationSetting {
  return value === 'whenHidden' || value === 'always' || value === 'never';
}

/** VS Code hands out proxies that throw on being written to; a copy behaves like any object. */
function plain(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
