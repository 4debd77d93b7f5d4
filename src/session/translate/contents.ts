/**
 * Content too large for the state: whole texts and diffs, kept on the host and named by refs that the state
 * holds. Bounded: when over the limit, what was put first is dropped (its preview stays).
 */

import type { DiffView } from '../state/content';

/** A change to one file as an agent tells it. Either text may be a snippet of the file. */
export interface FileDiff {
  /** Where the file is after the change. */
  readonly path: string;
  /** Null: there was no file, or its text was not given. */
  readonly oldText: string | null;
  /** Empty for a deletion, and for a move of which no more is told. */
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

export class Contents {
  private readonly items = new Map<string, Content>();
  private size = 0;

  constructor(private readonly limit = DEFAULT_LIMIT) {}

  /** Keeps `content` under `ref`, in place of what was there. */
  put(ref: string, content: Content): string {
    this.drop(ref);
    this.items.set(ref, content);
    this.size += sizeOf(content);
    for (const oldest of this.items.keys()) {
      if (this.size <= this.limit || oldest === ref) break;
      this.drop(oldest);
    }
    return ref;
  }

  get(ref: string): Content | undefined {
    return this.items.get(ref);
  }

  private drop(ref: string): void {
    const content = this.items.get(ref);
    if (!content) return;
    this.items.delete(ref);
    this.size -= sizeOf(content);
  }
}

/** For a conversation that is told again: it fills in what `known` has not, and replaces nothing. */
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

function sizeOf(content: Content): number {
  if (content.kind === 'text') return content.text.length;
  return content.diff.newText.length + (content.diff.oldText?.length ?? 0);
}
