/**
 * Finds what agents have started, also what has left its parent: by a mark in the environment, which every child
 * inherits, and by parents. Where environments cannot be read (macOS) it is what any agent has started, and where
 * there is no process table (Windows) nothing can be known.
 */
import { marksAgent, nameOf, withMark } from './processMark';
import { listProcesses, type ProcessEntry } from './processTable';
import { withoutUsersBrowsers } from './usersBrowser';
import { outsideEditor } from './usersEditor';

export class AgentChildren {
  /** What runs, until whoever asks now has the answer: several ask at once, and a later look may see more. */
  private table: readonly ProcessEntry[] | undefined;

  constructor(private readonly list = listProcesses) {}

  /** Names for the living processes below that of an agent, each the same as long as it lives; undefined if unknown. */
  of(agent: string): ReadonlySet<string> | undefined {
    const found = this.entries(agent);
    return found && new Set(found.map(nameOf));
  }

  /** The living processes below that of an agent; undefined if unknown. */
  entries(agent: string): readonly ProcessEntry[] | undefined {
    const table = (this.table ??= this.look());
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
    return withoutUsersBrowsers([...found.values()]);
  }

  private look(): readonly ProcessEntry[] {
    queueMicrotask(() => (this.table = undefined));
    return outsideEditor(this.list()).filter(({ zombie }) => !zombie);
  }
}
