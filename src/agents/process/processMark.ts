/**
 * A mark in the environment that every child inherits: what an agent has started is known by it, also when it has left
 * its parent. Environments can be read on Linux alone.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessEntry } from './processTable';

export const MARK_VARIABLE = 'PARLEY_AGENT';

const UUID_LENGTH = 36;

/** Where process ids mean what they mean here: containers count their own. Empty where there is but one such place. */
const NAMESPACE = pidNamespace();

/** How the marks of what this extension host starts begin. */
export const HOST_MARK = `${process.pid}@${NAMESPACE} `;

/** The process id of the extension host that made the mark; undefined for one that counts elsewhere. */
export function hostOf(mark: string): number | undefined {
  const [, pid, namespace] = /^(\d+)@(\d*) /.exec(mark) ?? [];
  return namespace === NAMESPACE ? Number(pid) : undefined;
}

/** To be in the environment of one process of the agent of that name, and of no other: it may be started again. */
export function agentMark(agent: string): Readonly<Record<string, string>> {
  return { [MARK_VARIABLE]: `${HOST_MARK}${randomUUID()} ${agent}` };
}

/** Whether it is the mark of a process of that agent, started by this extension host. */
export function marksAgent(mark: string, agent: string): boolean {
  return mark.startsWith(HOST_MARK) && mark.slice(HOST_MARK.length + UUID_LENGTH + 1) === agent;
}

/** To be in the environment of one command of an agent. */
export function commandMark(): Readonly<Record<string, string>> {
  return { [MARK_VARIABLE]: `${HOST_MARK}${randomUUID()}` };
}

/** What environments say. That changes only where there is none: as a process becomes another program. */
let marks = new Map<string, string | undefined>();

/** Those of `table` whose mark is such a one. */
export function withMark(
  isSuch: (mark: string) => boolean,
  table: readonly ProcessEntry[],
): readonly ProcessEntry[] {
  if (process.platform !== 'linux') return [];
  const seen = new Map<string, string | undefined>();
  const found: ProcessEntry[] = [];
  for (const entry of table) {
    const name = nameOf(entry);
    const own = marks.has(name) ? marks.get(name) : markOf(entry);
    if (own !== '') seen.set(name, own);
    if (own && !entry.zombie && isSuch(own)) found.push(entry);
  }
  marks = seen;
  return found;
}

/** A name for the process, the same as long as it lives. */
export function nameOf({ pid, started }: ProcessEntry): string {
  return `${pid} ${started}`;
}

/** Empty when it has no environment, or none yet. */
function markOf({ pid }: ProcessEntry): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8');
    if (text === '') return '';
    const mark = text.split('\0').find(variable => variable.startsWith(`${MARK_VARIABLE}=`));
    return mark?.slice(MARK_VARIABLE.length + 1);
  } catch {
    // It has ended, or is another user's.
    return undefined;
  }
}

/** Its number alone: the mark is looked for as a pattern too. */
function pidNamespace(): string {
  if (process.platform !== 'linux') return '';
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}
