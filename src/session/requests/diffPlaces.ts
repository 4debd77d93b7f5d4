import type { Disposable } from '../../base/lifecycle';
import { absolute } from '../rules/commandPieces';
import type { ToolCallPart } from '../state/state';
import type { SessionStore } from '../state/store';
import { findToolCall } from '../state/toolCalls';
import type { Contents, FileDiff } from '../translate/contents';
import { linesOfSnippets, type When } from '../translate/edits/snippetLines';

export interface DiffPlacesParts {
  readonly store: SessionStore;
  readonly contents: Contents;
  /** The text of a file that the chat shows; throws where it has none. */
  read(path: string): Promise<string>;
}

/** A diff whose lines are looked for. */
interface Unplaced {
  readonly ref: string;
  readonly diff: FileDiff;
}

/**
 * Finds the lines of edits of which an agent sends a part of the file and no more, so that the chat shows the
 * file's own. One call after the other, and never while an agent's message is read.
 */
export class DiffPlaces implements Disposable {
  /** Ids of calls to look at, in order. */
  private readonly waiting = new Set<string>();
  /** As what the file was looked through for a diff in vain. */
  private readonly tried = new WeakMap<FileDiff, When>();
  private readonly listener: Disposable;
  private isBusy = false;

  constructor(private readonly parts: DiffPlacesParts) {
    this.listener = parts.store.onDidApply(({ action }) => {
      if (action.type === 'toolCallChanged' && (action.content ?? action.status) !== undefined) {
        this.look(action.toolCallId);
      } else if (action.type === 'permissionRequested') this.look(action.request.toolCallId);
    });
  }

  dispose(): void {
    this.waiting.clear();
    this.listener.dispose();
  }

  private look(toolCallId: string): void {
    const call = this.call(toolCallId);
    if (!call || this.unplaced(call).size === 0) return;
    this.waiting.add(toolCallId);
    if (!this.isBusy) void this.lookAtAll();
  }

  private async lookAtAll(): Promise<void> {
    this.isBusy = true;
    try {
      for (const toolCallId of this.waiting) {
        this.waiting.delete(toolCallId);
        await this.place(toolCallId);
      }
    } finally {
      this.isBusy = false;
    }
  }

  private async place(toolCallId: string): Promise<void> {
    const call = this.call(toolCallId);
    for (const [path, diffs] of call ? this.unplaced(call) : []) {
      const text = await this.textOf(path);
      const when = whenOf(call, this.call(toolCallId));
      const texts = diffs.map(({ diff }) => ({ ...diff, oldText: diff.oldText ?? '' }));
      const found = text === undefined ? undefined : linesOfSnippets(text, texts, when);
      if (!found) {
        for (const { diff } of diffs) this.tried.set(diff, when);
        continue;
      }
      const lines = Object.fromEntries(diffs.map(({ ref }, index) => [ref, found[index] ?? 1]));
      for (const [ref, line] of Object.entries(lines)) this.parts.contents.place(ref, line);
      this.parts.store.dispatch({ type: 'diffsPlaced', toolCallId, lines });
    }
  }

  /** Each file's diffs together: what one replaces may be what the one before it wrote. */
  private unplaced(call: ToolCallPart): ReadonlyMap<string, readonly Unplaced[]> {
    const files = new Map<string, Unplaced[]>();
    for (const item of call.content) {
      if (item.kind !== 'diff' || !item.diff.lineUnknown) continue;
      const { ref, path } = item.diff;
      const kept = this.parts.contents.get(ref);
      if (kept?.kind !== 'diff' || this.tried.get(kept.diff) === whenOf(call, call)) continue;
      files.set(path, [...(files.get(path) ?? []), { ref, diff: kept.diff }]);
    }
    return files;
  }

  private async textOf(path: string): Promise<string | undefined> {
    try {
      return await this.parts.read(absolute(path, this.parts.store.state.cwd));
    } catch {
      return undefined;
    }
  }

  private call(toolCallId: string): ToolCallPart | undefined {
    return findToolCall(this.parts.store.state, toolCallId);
  }
}

/** What a file said that was read while the call went from one to the other. */
function whenOf(from: ToolCallPart | undefined, to: ToolCallPart | undefined): When {
  if (from?.status === 'completed') return 'after';
  // Nothing is written while the user is asked.
  return from?.status === 'awaiting' && to?.status === 'awaiting' ? 'before' : 'unknown';
}
