/** Which agents were seen to use what of the protocol, as `npm run test:agents` found: `seen.json`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { Seen } from './seen';

const FILE = path.resolve('test/realAgents/seen.json');

/** By version of the protocol, agent and group: the names. */
type SeenRecord = Record<string, Record<string, Record<string, readonly string[]>>>;

export function readSeen(): SeenRecord {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as SeenRecord) : {};
}

/** The agents that were seen to use `name`, for the table; undefined for none. */
export function agentsThatUse(
  version: 'v1' | 'v2',
  group: string,
  name: string,
): string | undefined {
  const all = Object.entries(readSeen()[version] ?? {});
  const agents = all.flatMap(([agent, groups]) => (groups[group]?.includes(name) ? [agent] : []));
  if (agents.length === 0) return undefined;
  return agents.length > 2 && agents.length === all.length
    ? `all ${all.length} real agents`
    : agents.join(', ');
}

/** What is recorded of an agent and was not seen now. */
export function missing(version: 'v1' | 'v2', agent: string, seen: Seen): readonly string[] {
  const recorded = readSeen()[version]?.[agent] ?? {};
  return Object.entries(recorded).flatMap(([group, names]) =>
    names.filter(name => !seen.get(group)?.has(name)).map(name => `${group}: ${name}`),
  );
}

export function record(version: 'v1' | 'v2', agent: string, seen: Seen): void {
  const all = readSeen();
  const groups = [...seen].map(([group, names]) => [group, [...names].sort()] as const);
  all[version] = sorted({ ...all[version], [agent]: sorted(Object.fromEntries(groups)) });
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
}

function sorted<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
