import { firstChange, hasLane } from '../../src/session/state/partIndex';
import type { Part, ToolCallPart, Turn } from '../../src/session/state/state';
import { requestFor, type ViewContext } from './context';

/** What is drawn as one: a part, some reads, or a run of work. */
export interface Group {
  readonly key: string;
  readonly parts: readonly Part[];
  /** Several neighbouring reads, shown as one row. */
  readonly reads: boolean;
  /** All that was done between two pieces of words. */
  readonly isWork?: boolean;
}

/** Reads in one row. */
const MAX_READS = 50;

/** What was done, not said. */
export function isWork({ kind }: Part): boolean {
  return kind === 'tool' || kind === 'thought' || kind === 'plan';
}

const knownRuns = new WeakMap<readonly Part[], readonly Group[]>();

/** What was said, and what was done between. */
export function runs(parts: readonly Part[]): readonly Group[] {
  const known = knownRuns.get(parts);
  if (known) return known;
  const groups: Group[] = [];
  let work: Part[] = [];
  const flush = (): void => {
    const [first] = work;
    if (first) groups.push({ key: `work ${first.id}`, parts: work, reads: false, isWork: true });
    work = [];
  };
  for (const part of parts) {
    if (isWork(part)) work.push(part);
    else {
      flush();
      groups.push({ key: part.id, parts: [part], reads: false });
    }
  }
  flush();
  knownRuns.set(parts, groups);
  return groups;
}

/** A list as it was grouped last: as it grows, only its end is grouped again. */
interface Grouped {
  readonly parts: readonly Part[];
  readonly permissions: unknown;
  /** How many parts are a subagent's: a call that gets one is no longer a quiet read. */
  readonly nested: number;
  readonly groups: Group[];
}

/** Parts with neighbouring reads in one group; `known` keeps the groups of each list. */
export class Groups {
  private readonly known = new Map<string, Grouped>();

  clear(): void {
    this.known.clear();
  }

  /** The fold of the reads among which `part` is. */
  readsWith(list: string, part: Part): string | undefined {
    const group = this.known.get(list)?.groups.find(({ parts }) => parts.includes(part));
    return group?.reads ? `${group.key}#reads` : undefined;
  }

  of(context: ViewContext, turn: Turn, list: string, parts: readonly Part[]): readonly Group[] {
    const { permissions } = context.session;
    const nested = turn.parts.length - parts.length;
    const before = this.known.get(list);
    if (before?.parts === parts && before.permissions === permissions && before.nested === nested) {
      return before.groups;
    }
    const isSame = before?.permissions === permissions && before.nested === nested;
    const groups = isSame ? [...before.groups] : [];
    let index = isSame ? firstChange(before.parts, parts) : 0;
    let kept = isSame ? before.parts.length : 0;
    // The group before what has changed may take more in.
    while (groups.length > 0 && kept > index - 1) kept -= groups.pop()?.parts.length ?? 0;
    index = kept;
    let reads: ToolCallPart[] = [];
    const flush = (): void => {
      const [first] = reads;
      if (first) groups.push({ key: first.id, parts: reads, reads: reads.length > 1 });
      reads = [];
    };
    for (; index < parts.length; index += 1) {
      const part = parts[index] as Part;
      if (part.kind === 'tool' && isQuietRead(context, turn, part)) {
        reads.push(part);
        if (reads.length === MAX_READS) flush();
      } else {
        flush();
        groups.push({ key: part.id, parts: [part], reads: false });
      }
    }
    flush();
    this.known.set(list, { parts, permissions, nested, groups });
    return groups;
  }
}

function isQuietRead(context: ViewContext, turn: Turn, part: ToolCallPart): boolean {
  return (
    part.toolKind === 'read' &&
    !hasLane(turn.parts, part.toolCallId) &&
    /^(?:completed|running|pending)$/.test(part.status) &&
    part.content.every(content => content.kind === 'block') &&
    requestFor(context, turn.id, part.toolCallId) === undefined
  );
}
