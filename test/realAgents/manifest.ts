/** The real agents that Parley is tried with: pinned, and set up to need no key and no network. */
import manifest from './agents.json';

export interface AgentPin {
  readonly title: string;
  /** What it speaks; ACP where nothing is said. */
  readonly type?: 'claude' | 'codex';
  readonly packages: readonly string[];
  /** Size on disk, for the progress line. */
  readonly megabytes: number;
  /** Least major version of Node it runs on. */
  readonly node: number;
  /** `{bin}`, `{modules}`, `{home}` and `{port}` stand for what is known only at run time. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files in the agent's home: lists are lines of text, objects are JSON. */
  readonly files: Readonly<Record<string, readonly string[] | object>>;
}

export type AgentKey = keyof typeof manifest;

export const AGENTS = manifest as Readonly<Record<AgentKey, AgentPin>>;

export function isAgentKey(key: string): key is AgentKey {
  return Object.hasOwn(AGENTS, key);
}
