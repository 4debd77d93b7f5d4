/** The contract of the page "Browse Agents". The page asks by ids and numbers alone; see `intents.ts`. */

export interface BrowseState {
  readonly state: 'off' | 'untrusted' | 'loading' | 'ready';
  /** Host of the list. */
  readonly source: string;
  readonly fetchedAt?: number;
  /** Why there is no list, or only an earlier one. */
  readonly problem?: string;
  readonly agents: readonly BrowseAgent[];
}

export interface BrowseAgent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license?: string;
  readonly authors: string;
  readonly icon?: string;
  readonly hasWebsite: boolean;
  readonly ways: readonly BrowseWay[];
  readonly installed?: BrowseInstalled;
  /** What is being done, and how much of it is done (0 to 1) where that is known. */
  readonly busy?: { readonly text: string; readonly fraction?: number };
  /** Why the last thing asked for was not done. */
  readonly problem?: string;
}

export interface BrowseWay {
  readonly label: string;
  /** What is downloaded and from where, in a sentence. */
  readonly downloads: string;
  /** The command line that is run at each start. */
  readonly runs: string;
}

export interface BrowseInstalled {
  readonly current: string;
  readonly isPinned: boolean;
  /** The newest first. */
  readonly versions: readonly string[];
  /** The version of the list, if it could replace the current one. */
  readonly update?: string;
}

export type BrowseIntent =
  | { readonly type: 'ready' }
  | { readonly type: 'refresh' }
  | { readonly type: 'openSettings' }
  | { readonly type: 'install'; readonly id: string; readonly way: number }
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'use'; readonly id: string; readonly version: string }
  | { readonly type: 'pin'; readonly id: string; readonly pinned: boolean }
  | { readonly type: 'uninstall'; readonly id: string }
  | { readonly type: 'start'; readonly id: string }
  | { readonly type: 'openWebsite'; readonly id: string };

const SHAPES: { readonly [T in BrowseIntent['type']]: Readonly<Record<string, string>> } = {
  ready: {},
  refresh: {},
  openSettings: {},
  install: { id: 'string', way: 'number' },
  cancel: { id: 'string' },
  use: { id: 'string', version: 'string' },
  pin: { id: 'string', pinned: 'boolean' },
  uninstall: { id: 'string' },
  start: { id: 'string' },
  openWebsite: { id: 'string' },
};

/** The intent in `value`; undefined when it is not one. */
export function parseBrowseIntent(value: unknown): BrowseIntent | undefined {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { type } = fields;
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) return undefined;
  const shape = Object.entries(SHAPES[type as BrowseIntent['type']]);
  if (shape.some(([name, kind]) => typeof fields[name] !== kind)) return undefined;
  const known = Object.fromEntries(shape.map(([name]) => [name, fields[name]]));
  return { ...known, type } as BrowseIntent;
}
