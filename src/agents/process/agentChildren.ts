/**
 * Finds what agents have started, also what has left its parent: by a mark in the environment, which every child
 * inherits, and by parents. Where environments cannot be read (macOS) it is what any agent has started, and where
 * there is no process table (Windows) nothing can be known.
 */
import { marksAgent, nameOf, withMark } from './processMark';
import { listProcesses, type ProcessEntry } from './processTable';
import { outsideEditor } from './usersEditor';

export class AgentChildren {
  constructor(private readonly list = listProcesses) {}

  /** Names for the living processes below that of an agent, each the same as long as it lives; undefined if unknown. */
  of(agent: string): ReadonlySet<string> | undefined {
    const table = outsideEditor(this.list()).filter(({ zombie }) => !zombie);
    if (table.length === 0) return undefined;
    const marked = withMark(mark => marksAgent(mark, agent), table);
    // The agent itself is a child of this very process.
    const own = marked.filter(({ parent }) => parent !== process.pid);
    const found = new Map<number, ProcessEntry>(own.map(entry => [entry.pid, entry]));
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
