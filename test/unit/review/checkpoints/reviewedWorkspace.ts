/** A real workspace with everything from the disk to the review, and the model that it is compared with. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { PendingFile, TurnRef } from '../../../../src/review/model';
import { git, repositoryIn, temporaryFolder } from '../../git/support';
import * as lines from '../lineModel';
import {
  ABSENT,
  hunkCount,
  linesIn,
  settledModel,
  textOf,
  type FileModel,
  type Side,
} from './fileModel';
import { reviewed, shell, type Reviewed } from './support';
import { BOM, WorkspaceModel } from './workspaceModel';

export interface Parts {
  readonly inGit: boolean;
  /** Runs when the history ends. */
  after(task: () => void | Promise<void>): void;
}

export class ReviewedWorkspace extends WorkspaceModel {
  readonly root = temporaryFolder();
  protected readonly store = temporaryFolder();
  private w: Reviewed | undefined;

  constructor(private readonly parts: Parts) {
    super();
  }

  /** Some files are committed, one is changed since, one is new. */
  async begin(seed: number): Promise<void> {
    const first: Record<string, string> = {
      'a.txt': this.text(seed % 6, seed),
      'src/b.txt': this.text(4, seed >> 1, true),
      'src/ü n.txt': BOM + this.text(3, seed >> 2),
      'src/deep/c.txt': '',
      'old.bin': '\0 one',
    };
    if (this.parts.inGit) repositoryIn(this.root, {});
    for (const [name, text] of Object.entries(first)) this.put(name, text);
    if (this.parts.inGit) {
      git(this.root, 'add', '-A');
      git(this.root, 'commit', '-qm', 'files');
      for (const [name, { now }] of this.files) this.committed.set(name, now);
    }
    this.put('src/b.txt', this.text(5, seed));
    this.put('new.txt', this.text(3, seed));
    await this.open();
  }

  get hasGit(): boolean {
    return this.parts.inGit;
  }

  close(): void {
    const { storage, rewind, tracker, review, git: repositories } = this.reviewed;
    for (const part of [storage, rewind, tracker, review, repositories]) part.dispose();
  }

  protected async open(): Promise<void> {
    this.w = await reviewed(this.parts, [this.root], this.store, { isQuiet: true });
  }

  /** Everything that was told is dealt with, and all is as the model says. */
  async check(): Promise<void> {
    await this.reviewed.tracker.settled();
    this.compare();
  }

  protected compare(): void {
    this.followRenames();
    const { review } = this.reviewed;
    const shown = new Map(review.pending.map(file => [path.relative(this.root, file.path), file]));
    assert.deepEqual([...shown.keys()].sort(), this.pending, 'pending');
    for (const [name, model] of this.files) {
      const disk = this.dirty.get(name) ?? model.now;
      assert.deepEqual(this.onDiskNow(name), this.bytesOf(name, disk), `${name} on disk`);
      const file = shown.get(name);
      if (file) this.compareFile(name, file, model);
    }
  }

  protected compareFile(name: string, file: PendingFile, model: FileModel): void {
    for (const side of ['baseline', 'current'] as const) {
      const content = file[side];
      const expected = side === 'baseline' ? model.before : model.now;
      assert.equal(content.kind, expected.kind, `${name}: kind of ${side}`);
      if (content.kind === 'text') assert.equal(content.text, textOf(expected), `${name}: ${side}`);
    }
    assert.equal(file.hunks.length, hunkCount(model), `${name}: hunks`);
    let end = { baseline: -1, current: -1 };
    for (const { baseline, current, turns } of file.hunks) {
      assert.ok(baseline.start > end.baseline && current.start > end.current, `${name}: overlap`);
      end = { baseline: baseline.start + baseline.count, current: current.start + current.count };
      assert.ok(turns.length > 0, `${name}: a hunk without a turn`);
    }
    const seen = new Set(model.turns);
    for (const { turnId } of file.turns) assert.ok(seen.has(turnId), `${name}: turn ${turnId}`);
    if (file.hunks.length === 0) return;
    for (const [index, hunk] of lines.hunksIn(linesIn(model)).entries()) {
      const turns = new Set(file.hunks[index]?.turns.map(({ turnId }) => turnId));
      for (const { text, now } of hunk) {
        const writer = now ? this.writers.get(text) : undefined;
        if (writer !== undefined) assert.ok(turns.has(writer), `${name}: line of ${writer}`);
      }
    }
  }

  hunksOf(name: string): PendingFile['hunks'] {
    return this.reviewed.review.get(this.file(name))?.hunks ?? [];
  }

  turnsInReview(): readonly TurnRef[] {
    return this.reviewed.review.pending.flatMap(({ turns }) => turns);
  }

  file(name: string): string {
    return path.join(this.root, name);
  }

  protected get reviewed(): Reviewed {
    assert.ok(this.w);
    return this.w;
  }

  /** Two files that the review has joined are one in the model as well. */
  protected followRenames(): void {
    for (const { path: file, renamedFrom } of this.reviewed.review.pending) {
      const to = path.relative(this.root, file);
      const from = renamedFrom === undefined ? undefined : path.relative(this.root, renamedFrom);
      const made = this.at(to);
      if (from === made.renamedFrom || from === undefined) continue;
      const gone = this.at(from);
      assert.ok(gone.now.kind === 'absent' && made.before.kind === 'absent', 'not a rename');
      const turns = [...gone.turns, ...made.turns];
      this.files.set(to, { before: gone.before, now: made.now, renamedFrom: from, turns });
      this.files.set(from, settledModel(ABSENT));
    }
  }

  protected async told(...names: readonly string[]): Promise<void> {
    for (const name of names) this.reviewed.tracker.touch(this.file(name));
    await this.reviewed.tracker.settled();
  }

  protected put(name: string, bytes: string): void {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), bytes);
    if (bytes.startsWith(BOM)) this.marked.add(name);
    const kind = bytes.includes('\0') ? 'binary' : 'text';
    this.files.set(name, settledModel({ kind, text: bytes.replace(BOM, '') }));
  }

  protected async onDisk(name: string, side: Side, byShell: boolean): Promise<void> {
    const file = this.file(name);
    if (side.kind === 'absent') {
      if (byShell) await shell(this.root, `rm -f '${name}'`);
      else rmSync(file, { force: true });
      return;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    const bytes = this.bytesOf(name, side) ?? '';
    if (!byShell) return writeFileSync(file, bytes, 'latin1');
    const staged = path.join(this.store, 'staged');
    writeFileSync(staged, bytes, 'latin1');
    await shell(this.root, `cat '${staged}' > '${name}'`);
  }

  protected onDiskNow(name: string): string | undefined {
    return existsSync(this.file(name)) ? readFileSync(this.file(name), 'latin1') : undefined;
  }
}
