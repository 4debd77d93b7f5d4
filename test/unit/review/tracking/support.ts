import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { TestContext } from 'node:test';
import { Emitter } from '../../../../src/base/event';
import { nullLogger } from '../../../../src/base/logger';
import { gitProcess } from '../../../../src/git/gitProcess';
import { GitRepositories } from '../../../../src/git/repositories';
import type { FileContent, TurnRef } from '../../../../src/review/model';
import type { Baseline } from '../../../../src/review/tracking/baselines';
import { Blobs, hashOf } from '../../../../src/review/tracking/blobs';
import { canonical, lookAt } from '../../../../src/review/tracking/diskFile';
import type { EditorFiles } from '../../../../src/review/tracking/ports';
import { Tracker, type TrackedChanges } from '../../../../src/review/tracking/tracker';
import { WorkspaceGit } from '../../../../src/review/tracking/workspaceGit';
import { FileError } from '../../../../src/session/ports';
import { temporaryFolder } from '../../git/support';

/** An editor that has nothing open but what a test says: the disk and its events, in UTF-8. */
export class DiskFiles implements EditorFiles {
  private readonly edited = new Emitter<{ readonly path: string; readonly text: string }>();
  readonly onDidEdit = this.edited.event;
  private readonly touched = new Emitter<{ readonly path: string }>();
  readonly onDidTouch = this.touched.event;
  private readonly dirty = new Map<string, string>();

  constructor(
    t: TestContext,
    root: string,
    private readonly blobs: Blobs,
  ) {
    const watcher = watch(root, { recursive: true }, (_, name) => {
      if (name !== null) this.touched.fire({ path: path.join(root, name) });
    });
    watcher.on('error', () => undefined);
    t.after(() => watcher.close());
  }

  /** The user types: the document has unsaved text from now on. */
  type(file: string, text: string): void {
    this.dirty.set(file, text);
    this.edited.fire({ path: file, text });
  }

  async save(file: string): Promise<void> {
    const text = this.dirty.get(file);
    this.dirty.delete(file);
    if (text !== undefined) await writeFile(file, text);
  }

  unsaved(file: string): string | undefined {
    return this.dirty.get(file);
  }

  async decode(_: string, bytes: Uint8Array): Promise<FileContent> {
    if (bytes.includes(0)) return { kind: 'binary', hash: hashOf(bytes), bytes: bytes.length };
    return { kind: 'text', text: new TextDecoder().decode(bytes) };
  }

  async read(file: string): Promise<FileContent> {
    const unsaved = this.dirty.get(file);
    if (unsaved !== undefined) return { kind: 'text', text: unsaved };
    const found = await lookAt(file);
    if (found.kind !== 'file' || !found.bytes) return { kind: 'absent' };
    return this.decode(file, found.bytes);
  }

  async write(
    file: string,
    content: FileContent,
    original?: { readonly bytes: Uint8Array; readonly mode?: number },
  ): Promise<void> {
    if (content.kind === 'text' && this.dirty.has(file)) {
      this.type(file, content.text);
      return;
    }
    const info = await stat(file).catch(() => undefined);
    if (info && (info.mode & 0o222) === 0) throw new FileError('readOnly', 'read-only');
    if (content.kind === 'absent') return rm(file, { force: true });
    const bytes =
      content.kind === 'text' ? Buffer.from(content.text) : await this.blobs.get(content.hash);
    if (!bytes) throw new FileError('failed', 'not kept');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
    if (!info && original?.mode !== undefined) await chmod(file, original.mode & 0o777);
  }
}

/** Names left out where there is no git. */
const EXCLUDED = new Set(['node_modules', '.git', 'dist']);

export interface Seen {
  readonly path: string;
  readonly turn: TurnRef;
  readonly before: FileContent | undefined;
  readonly after: FileContent;
}

/** Writes down what the tracker finds, and keeps what files under review are. */
export class RecordedChanges implements TrackedChanges {
  readonly agents: Seen[] = [];
  readonly users: { readonly path: string; readonly current: FileContent }[] = [];
  readonly committed: { readonly path: string; readonly content: FileContent | undefined }[] = [];
  private readonly current = new Map<string, FileContent>();
  private readonly told = new Emitter<void>();

  currentOf(file: string): FileContent | undefined {
    return this.current.get(file);
  }

  async agentChanged(
    file: string,
    baseline: Baseline | undefined,
    after: FileContent,
    turn: TurnRef,
  ): Promise<void> {
    this.agents.push({ path: file, turn, before: baseline?.content, after });
    this.current.set(file, after);
    this.told.fire();
  }

  settled(file: string, current: FileContent): void {
    this.userChanged(file, current);
  }

  whileWriting<T>(_: string, write: () => Promise<T>): Promise<T> {
    return write();
  }

  userChanged(file: string, current: FileContent): void {
    this.users.push({ path: file, current });
    this.current.set(file, current);
    this.told.fire();
  }

  async headMoved(contentOf: (path: string) => Promise<FileContent | undefined>): Promise<void> {
    for (const file of this.current.keys()) {
      this.committed.push({ path: file, content: await contentOf(file) });
    }
    this.told.fire();
  }

  /** Resolves when `condition` holds, which is asked after everything that is told. */
  until(condition: () => boolean): Promise<void> {
    return new Promise(resolve => {
      if (condition()) return resolve();
      const subscription = this.told.event(() => {
        if (!condition()) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  async agentTouched(file: string): Promise<Seen> {
    await this.until(() => this.agents.some(seen => seen.path === file));
    return this.agents.findLast(seen => seen.path === file) as Seen;
  }
}

export interface Workspace {
  readonly root: string;
  readonly files: DiskFiles;
  readonly tracker: Tracker;
  readonly changes: RecordedChanges;
  readonly blobs: Blobs;
  file(name: string): string;
  start(turnId: string, chatId?: string): Promise<TurnRef>;
  end(turn: TurnRef): void;
}

/** A tracker on a real folder; make what is in it first. */
export async function workspace(
  t: TestContext,
  prepare: (root: string) => void,
): Promise<Workspace> {
  const root = await canonical(temporaryFolder(t));
  prepare(root);
  const blobs = new Blobs(temporaryFolder(t));
  const files = new DiskFiles(t, root, blobs);
  const changes = new RecordedChanges();
  const git = new WorkspaceGit(new GitRepositories(gitProcess()), () => Date.now());
  const tracker = new Tracker({
    files,
    blobs,
    changes,
    git,
    scope: {
      roots: () => [root],
      isOwn: () => false,
      isExcluded: file => file.split(path.sep).some(part => EXCLUDED.has(part)),
    },
    logger: { ...nullLogger, error: (message, cause) => console.error(message, cause) },
    now: () => Date.now(),
  });
  t.after(() => {
    tracker.dispose();
    git.dispose();
  });
  await tracker.start();
  return {
    root,
    files,
    tracker,
    changes,
    blobs,
    file: name => path.join(root, name),
    async start(turnId, chatId = 'chat') {
      const ref = { chatId, turnId };
      await tracker.turnStarted(ref);
      return ref;
    },
    end: ref => tracker.turnEnded(ref, Date.now()),
  };
}

/** An agent that works with its own hands: a shell, as a process of its own. */
export function shell(cwd: string, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-ec', command], { cwd, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with ${code}`));
    });
  });
}

export const text = (value: string): FileContent => ({ kind: 'text', text: value });
export const absent: FileContent = { kind: 'absent' };
