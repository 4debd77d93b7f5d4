import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { diffLines } from 'diff';
import { Emitter } from '../../src/base/event';
import type {
  FileContent,
  Hunk,
  PendingFile,
  ReviewOutcome,
  ReviewTarget,
} from '../../src/review/model';
import type { Review } from '../../src/review/review';
import { linesOf, sameContent } from '../../src/review/core/lines';
import { meantOf } from '../../src/review/core/targets';
import { hashOf } from '../../src/review/store/blobs';

/** A review of real files without tracking: a test says what the baselines are, and when to look again. */
export class MemoryReview implements Review {
  private readonly baselines = new Map<string, FileContent>();
  private readonly files = new Map<string, PendingFile>();
  private readonly changed = new Emitter<readonly string[]>();
  readonly onDidChange = this.changed.event;
  private undone: (() => void) | undefined;

  get pending(): readonly PendingFile[] {
    return [...this.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  get(path: string): PendingFile | undefined {
    return this.files.get(path);
  }

  get canRedo(): boolean {
    return this.undone !== undefined;
  }

  /** The file was `baseline` before an agent changed it; null: there was none. */
  agentChanged(path: string, baseline: string | null): void {
    this.baselines.set(path, baseline === null ? { kind: 'absent' } : contentOf(baseline));
    this.look(path);
  }

  clear(): void {
    const paths = [...this.files.keys()];
    this.baselines.clear();
    this.files.clear();
    this.undone = undefined;
    this.changed.fire(paths);
  }

  notTheAgents(paths: readonly string[] = this.pending.map(({ path }) => path)) {
    return this.keep({ kind: 'files', paths });
  }

  keep(target: ReviewTarget): Promise<ReviewOutcome> {
    const decided = this.targets(target).map(({ file, hunks }) => {
      // From the last to the first: places of the ones before stay what they are.
      const text = hunks?.reduceRight(
        (now, hunk) => splice(now, hunk.baseline, textOf(file.current), hunk.current),
        textOf(file.baseline),
      );
      if (text !== undefined) this.setBaseline(file.path, text);
      else this.baselines.delete(file.path);
      return file.path;
    });
    for (const path of decided) this.look(path);
    return Promise.resolve({ decided: decided.length, failures: [] });
  }

  undo(target: ReviewTarget): Promise<ReviewOutcome> {
    const decided = this.targets(target).map(({ file, hunks }) => {
      const { path, current, baseline } = file;
      const text = hunks
        ? hunks.reduceRight(
            (now, hunk) => splice(now, hunk.current, textOf(baseline), hunk.baseline),
            textOf(current),
          )
        : baseline.kind === 'absent'
          ? undefined
          : textOf(baseline);
      this.undone = () => {
        if (current.kind === 'absent') rmSync(path);
        else writeFileSync(path, textOf(current));
        this.baselines.set(path, baseline);
        this.look(path);
      };
      if (text === undefined) rmSync(path);
      else writeFileSync(path, text);
      return path;
    });
    for (const path of decided) this.look(path);
    return Promise.resolve({ decided: decided.length, failures: [] });
  }

  redo(): Promise<ReviewOutcome> {
    const undone = this.undone;
    this.undone = undefined;
    undone?.();
    return Promise.resolve({ decided: undone ? 1 : 0, failures: [] });
  }

  private targets(
    target: ReviewTarget,
  ): readonly { readonly file: PendingFile; readonly hunks?: readonly Hunk[] }[] {
    return this.pending.flatMap(file => {
      const meant = meantOf(file, target);
      switch (meant.kind) {
        case 'none':
          return [];
        case 'file':
          return [{ file }];
        case 'hunks':
          return [{ file, hunks: meant.hunks }];
      }
    });
  }

  private setBaseline(path: string, text: string): void {
    this.baselines.set(path, { kind: 'text', text });
  }

  private look(path: string): void {
    const baseline = this.baselines.get(path);
    const current = read(path);
    const file = baseline && pendingFile(path, baseline, current);
    if (file) this.files.set(path, file);
    else this.files.delete(path);
    this.changed.fire([path]);
  }
}

function pendingFile(
  path: string,
  baseline: FileContent,
  current: FileContent,
): PendingFile | undefined {
  const hunks: Hunk[] = [];
  let [before, now] = [0, 0];
  let open: { baseline: [number, number]; current: [number, number] } | undefined;
  const close = (): void => {
    if (!open) return;
    const hunk = { baseline: range(open.baseline), current: range(open.current), turns: [] };
    const linesIn = (content: FileContent, { start, count }: Hunk['current']) =>
      linesOf(content).slice(start, start + count);
    const said = [linesIn(baseline, hunk.baseline), linesIn(current, hunk.current)];
    hunks.push({ ...hunk, id: JSON.stringify(said) });
    open = undefined;
  };
  for (const { added, removed, count } of diffLines(textOf(baseline), textOf(current))) {
    if (!added && !removed) {
      close();
      before += count;
      now += count;
      continue;
    }
    open ??= { baseline: [before, before], current: [now, now] };
    if (removed) open.baseline[1] = before += count;
    else open.current[1] = now += count;
  }
  close();
  if (sameContent(baseline, current)) return undefined;
  const isText = baseline.kind !== 'binary' && current.kind !== 'binary';
  return {
    path,
    change:
      baseline.kind === 'absent' ? 'created' : current.kind === 'absent' ? 'deleted' : 'modified',
    baseline,
    current,
    hunks: isText ? hunks : [],
    added: hunks.reduce((sum, hunk) => sum + hunk.current.count, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.baseline.count, 0),
    turns: [],
  };
}

function range([start, end]: [number, number]): { readonly start: number; readonly count: number } {
  return { start, count: end - start };
}

function read(path: string): FileContent {
  try {
    return contentOf(readFileSync(path, 'utf8'));
  } catch {
    return { kind: 'absent' };
  }
}

function contentOf(text: string): FileContent {
  if (!text.includes('\0')) return { kind: 'text', text };
  return { kind: 'binary', hash: hashOf(Buffer.from(text)), bytes: text.length };
}

function textOf(content: FileContent): string {
  return content.kind === 'text' ? content.text : '';
}

function splice(text: string, at: Hunk['current'], other: string, from: Hunk['current']): string {
  const lines = text.split(/(?<=\n)/);
  lines.splice(
    at.start,
    at.count,
    ...other.split(/(?<=\n)/).slice(from.start, from.start + from.count),
  );
  return lines.join('');
}
