export type ReviewSetting = 'afterwards' | 'beforeWriting';

/** How a workspace's value of a setting counts beside the user's. */
export type WorkspaceRule =
  /** It does not. */
  | 'never'
  /** Once the user has agreed to that very value. */
  | 'asked'
  /** It is added to the user's, where it makes things stricter. */
  | 'added'
  /** As VS Code has it: it changes nothing but appearance. */
  | 'free'
  /** Where it is stricter: the function returns the stricter of both. */
  | { readonly tightens: (user: number, workspace: number) => number }
  | { readonly tightens: (user: ReviewSetting, workspace: ReviewSetting) => ReviewSetting };

const LOWER = { tightens: (user: number, workspace: number) => Math.min(user, workspace) };

/** 0 is no limit. */
const LOWER_RATE = {
  tightens: (user: number, workspace: number) =>
    user === 0 || workspace === 0 ? Math.max(user, workspace) : Math.min(user, workspace),
};

const STRICTER_REVIEW = {
  tightens: (user: ReviewSetting, workspace: ReviewSetting): ReviewSetting =>
    user === 'beforeWriting' ? user : workspace,
};

/** Every setting of Parley. What protects the user is set by the user: a repository can only add to it. */
export const WORKSPACE_RULES = {
  agents: 'never',
  'registry.url': 'never',
  defaultAgent: 'asked',
  defaults: 'asked',
  // Server by server, when a chat needs them.
  mcpServers: 'asked',
  notifications: 'never',
  timeouts: 'never',
  idleMinutes: 'never',
  'permissions.rules': 'added',
  'permissions.protectedFiles': 'added',
  // Limit by limit, the stricter one.
  budget: 'added',
  'review.when': STRICTER_REVIEW,
  'review.sourceControl': 'free',
  'review.codeActions': 'free',
  followAgent: 'free',
  'context.activeEditor': 'free',
  'limits.lineBytes': LOWER,
  'limits.promptBytes': LOWER,
  'limits.fileBytes': LOWER,
  'limits.readsPerMinute': LOWER_RATE,
  'limits.writesPerMinute': LOWER_RATE,
  'limits.promptsPerMinute': LOWER_RATE,
  'limits.updatesPerMinute': LOWER_RATE,
} as const satisfies Readonly<Record<string, WorkspaceRule>>;

/** The name of a setting behind `parley.`. */
export type SettingName = keyof typeof WORKSPACE_RULES;
