/**
 * Content too large for the state: whole texts and diffs, kept on the host and named by refs that the state
 * holds. Bounded: when over the limit, what was put first is dropped (its preview stays).
 */
import { toDisposable, type Disposable } from '../../base/lifecycle';
import type { DiffView, Preview } from '../state/content';

/** A change to one file as an agent sends it. Either text may be a snippet of the file. */
export interface FileDiff {
  /** Where the file is after the change. */
  readonly path: string;
  /** Null: there was no file, or its text was not given. */
  readonly oldText: string | null;
  /** Empty for a deletion, and for a move without edits. */
  readonly newText: string;
  /** What happens to the file; by default what the texts say of it. */
  readonly change?: DiffView['change'];
  /** Where a file that is moved was. */
  readonly oldPath?: string;
  /** 1-based line of the file that the texts begin with, if known. */
  readonly line?: number;
}

export type Content =
  | { readonly kind: 'text'; readonly title: string; readonly text: string }
  | { readonly kind: 'diff'; readonly diff: FileDiff };

/** UTF-16 units kept for one chat. */
const DEFAULT_LIMIT = 32 * 1024 * 1024;
/** With what requests hold, so many times the limit. */
const MAX_HELD = 2;

export class Contents {
  private readonly items = new Map<string, Content>();
  /** The ref that a name stands for now. */
  private readonly latest = new Map<string, string>();
  private readonly holders = new Map<string, number>();
  private versions = 0;
  private size = 0;

  constructor(private readonly limit = DEFAULT_LIMIT) {}

  /**
   * Keeps `content` in place of what `name` stood for.
   * @returns its ref: one ref never stands for two contents, since what the user was shown under it may count
   */
  put(name: string, content: Content): string {
    const before = this.latest.get(name);
    const known = before === undefined ? undefined : this.items.get(before);
    if (before !== undefined && known && sameContent(known, content)) return before;
    if (before !== undefined && !this.holders.has(before)) this.drop(before);
    // Also where the earlier content is not kept any more.
    const ref = before === undefined ? name : `${name}~${++this.versions}`;
    this.latest.set(name, ref);
    this.items.set(ref, content);
    this.size += sizeOf(content);
    this.makeRoom(this.limit, ref, held => !this.holders.has(held));
    this.makeRoom(this.limit * MAX_HELD, ref, () => true);
    return ref;
  }

  get(ref: string): Content | undefined {
    return this.items.get(ref);
  }

  /** The texts of the diff `ref` begin with that line of its file (1-based): it stays the same content. */
  place(ref: string, line: number): void {
    const content = this.items.get(ref);
    if (content?.kind !== 'diff') return;
    this.items.set(ref, { kind: 'diff', diff: { ...content.diff, line } });
  }

  /** The text that `preview` begins, as far as it is kept. */
  whole({ text, ref }: Preview): string {
    const kept = ref === undefined ? undefined : this.get(ref);
    return kept?.kind === 'text' ? kept.text : text;
  }

  /** Keeps what these refs stand for, also when something else takes its place. Dispose to let it go. */
  hold(refs: readonly string[]): Disposable {
    for (const ref of refs) this.holders.set(ref, (this.holders.get(ref) ?? 0) + 1);
    return toDisposable(() => {
      for (const ref of refs) this.letGo(ref);
    });
  }

  private letGo(ref: string): void {
    const holders = (this.holders.get(ref) ?? 0) - 1;
    if (holders > 0) {
      this.holders.set(ref, holders);
      return;
    }
    this.holders.delete(ref);
    const name = ref.replace(/~\d+$/, '');
    if (this.latest.get(name) !== ref) this.drop(ref);
  }

  /** Drops what was put first, where it `mayGo`. */
  private makeRoom(limit: number, newest: string, mayGo: (ref: string) => boolean): void {
    for (const oldest of this.items.keys()) {
      if (this.size <= limit) return;
      if (oldest !== newest && mayGo(oldest)) this.drop(oldest);
    }
  }

  private drop(ref: string): void {
    const content = this.items.get(ref);
    if (!content) return;
    this.items.delete(ref);
    this.size -= sizeOf(content);
  }
}

/** For a conversation that is replayed: it fills in what `known` has not, and replaces nothing. */
export class ContentsOfReplay extends Contents {
  constructor(private readonly known: Contents) {
    super();
  }

  override put(ref: string, content: Content): string {
    return this.known.get(ref) ? ref : this.known.put(ref, content);
  }

  override get(ref: string): Content | undefined {
    return this.known.get(ref);
  }
}

/** A diff whose line was found is the same when it comes again without. */
function sameContent(a: Content, b: Content): boolean {
  if (a.kind === 'text') return b.kind === 'text' && a.text === b.text && a.title === b.title;
  return (
    b.kind === 'diff' &&
    a.diff.path === b.diff.path &&
    a.diff.oldText === b.diff.oldText &&
    a.diff.newText === b.diff.newText &&
    a.diff.change === b.diff.change &&
    a.diff.oldPath === b.diff.oldPath &&
    (b.diff.line === undefined || a.diff.line === b.diff.line)
  );
}

function sizeOf(content: Content): number {
  if (content.kind === 'text') return content.text.length;
  return content.diff.newText.length + (content.diff.oldText?.length ?? 0);
}
