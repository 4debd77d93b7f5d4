/**
 * Finds what agents have started, also what has left its parent: by a mark in the environment, which every child
 * inherits, and by parents. Where environments cannot be read (macOS) it is what any agent has started, and where
 * there is no process table (Windows) nothing is found.
 */
import { readFileSync } from 'node:fs';
import { listProcesses, type ProcessEntry } from './processTable';

const VARIABLE = 'PARLEY_AGENT';

/** To be in the environment of the agent of that name. */
export function agentMark(agent: string): Readonly<Record<string, string>> {
  return { [VARIABLE]: `${process.pid} ${agent}` };
}

export class AgentChildren {
  /** What the environments of processes say, which does not change while they live. */
  private marks = new Map<string, string | undefined>();

  /** Names for the living processes below that of an agent, each the same as long as it lives. */
  of(agent: string): ReadonlySet<string> {
    const table = listProcesses().filter(({ zombie }) => !zombie);
    const mark = agentMark(agent)[VARIABLE];
    const marks = new Map<string, string | undefined>();
    const found = new Map<number, ProcessEntry>();
    for (const entry of table) {
      const name = nameOf(entry);
      const own = this.marks.has(name) ? this.marks.get(name) : markOf(entry);
      marks.set(name, own);
      // The agent itself is a child of this very process.
      if (own === mark && entry.parent !== process.pid) found.set(entry.pid, entry);
    }
    this.marks = marks;
    const isRoot = ({ parent, pid }: ProcessEntry) =>
      process.platform !== 'linux' && parent === process.pid && pid !== process.pid;
    const roots = new Set(table.filter(isRoot).map(({ pid }) => pid));
    // Children may precede their parents in the table, so repeat until nothing is new.
    for (let before = -1; before !== found.size;) {
      before = found.size;
      for (const entry of table) {
        if (found.has(entry.parent) || roots.has(entry.parent)) found.set(entry.pid, entry);
      }
    }
    return new Set([...found.values()].map(nameOf));
  }
}

function nameOf({ pid, started }: ProcessEntry): string {
  return `${pid} ${started}`;
}

function markOf({ pid }: ProcessEntry): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const mark = variables.find(variable => variable.startsWith(`${VARIABLE}=`));
    return mark?.slice(VARIABLE.length + 1);
  } catch {
    // It has ended, or is another user's.
    return undefined;
  }
}
