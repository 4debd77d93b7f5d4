/** What a workspace may say of each setting that protects the user, in a folder's settings and in a workspace file. */
import type { ParleySettings } from '../../src/vscode/settings/readSettings';
import type { SettingName } from '../../src/vscode/settings/workspaceRules';

/** A setting whose value a workspace cannot loosen. */
export interface Case {
  readonly user: unknown;
  /** What would protect the user less, or is not the workspace's to say. */
  readonly lax: readonly unknown[];
  readonly strict: readonly unknown[];
  read(settings: ParleySettings): unknown;
}

const limit = (field: 'lineBytes' | 'promptBytes' | 'fileBytes', user = 100_000): Case => ({
  user,
  lax: [user + 1, user * 1_000],
  strict: [user - 1, 70_000],
  read: settings => settings[field],
});

const rate = (
  field: 'readsPerMinute' | 'writesPerMinute' | 'promptsPerMinute' | 'updatesPerMinute',
): Case => ({ user: 10, lax: [0, 11], strict: [9, 1], read: settings => settings[field] });

const never = (field: keyof ParleySettings, user: unknown, lax: unknown): Case => ({
  user,
  lax: [lax],
  strict: [],
  read: settings => settings[field],
});

const TIMEOUTS = {
  initialize: 11,
  newSession: 12,
  signIn: 13,
  request: 14,
  readFile: 15,
  writeFile: 16,
};

/** Every setting whose value the workspace cannot loosen. */
export const CASES: Readonly<Partial<Record<SettingName, Case>>> = {
  agents: never('agents', { own: { command: 'own' } }, { own: { command: 'evil' } }),
  notifications: never('notifications', 'always', 'never'),
  timeouts: never('timeouts', TIMEOUTS, { ...TIMEOUTS, signIn: 80_000 }),
  idleMinutes: never('idleMinutes', 7, 0),
  defaultAgent: never('defaultAgent', 'own', 'theirs'),
  defaults: never('defaults', { own: { mode: 'ask' } }, { own: { mode: 'bypassPermissions' } }),
  mcpServers: {
    user: { mine: { command: 'a' } },
    lax: [{ theirs: { command: 'b' } }],
    strict: [],
    read: ({ mcpServers }) => mcpServers.local,
  },
  'registry.url': {
    user: 'https://mine.test/list.json',
    lax: ['https://theirs.test/list.json', ''],
    strict: [],
    read: ({ registryUrl }) => registryUrl,
  },
  'permissions.rules': {
    user: [{ path: '.env', decision: 'ask' }],
    lax: [[{ path: '**', decision: 'allow' }], [{ command: '*', decision: 'allow' }]],
    strict: [[{ path: '.env', decision: 'reject' }]],
    read: ({ permissions: { user, workspace } }) => (workspace.length > 0 ? workspace : user),
  },
  'permissions.protectedFiles': {
    user: ['deploy/**'],
    lax: [],
    strict: [['deploy/**', '*.tf']],
    read: ({ permissions }) => permissions.protectedFiles,
  },
  'review.when': {
    user: 'beforeWriting',
    lax: ['afterwards'],
    strict: [],
    read: ({ reviewWhen }) => reviewWhen,
  },
  budget: {
    user: { chat: { tokens: 100 }, day: { money: 5 } },
    lax: [{ chat: { tokens: 200 }, day: { money: 10 } }],
    strict: [{ chat: { tokens: 50 }, day: { money: 5 } }],
    read: ({ budget }) => budget,
  },
  'limits.lineBytes': limit('lineBytes'),
  'limits.promptBytes': limit('promptBytes'),
  'limits.fileBytes': limit('fileBytes'),
  'limits.readsPerMinute': rate('readsPerMinute'),
  'limits.writesPerMinute': rate('writesPerMinute'),
  'limits.promptsPerMinute': rate('promptsPerMinute'),
  'limits.updatesPerMinute': rate('updatesPerMinute'),
};
