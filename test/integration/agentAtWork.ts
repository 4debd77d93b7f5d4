/** A window's file tracking with one chat, whose state is real and whose agent is the test. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/event';
import type { TurnRef } from '../../src/review/model';
import type { Chat } from '../../src/session/chats';
import { Contents } from '../../src/session/translate/contents';
import { initialSession } from '../../src/session/state/initialSession';
import { SessionStore } from '../../src/session/state/store';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { FileTracking } from '../../src/vscode/tracking/fileTracking';
import { logger, until } from './support';

export class AgentAtWork {
  readonly tracking: FileTracking;
  private readonly texts = new VscodeTextFiles(logger);
  private readonly chat: Chat;
  private turns = 0;
  private calls = 0;
  private running: TurnRef | undefined;

  private constructor(
    readonly root: string,
    private readonly roots: readonly string[],
    storage: string,
  ) {
    this.tracking = new FileTracking({
      folder: path.join(storage, 'review'),
      own: [storage],
      logger,
      processes: { children: () => new Set() },
      now: () => Date.now(),
    });
    const state = initialSession({ chatId: 'chat', agentName: 'Shell', cwd: root, at: 0 });
    const parts = { store: new SessionStore(state), controller: { contents: new Contents() } };
    this.chat = { chatId: 'chat', updatedAt: 0, ...parts } as unknown as Chat;
    const none = new Emitter<Chat>().event;
    this.tracking.follow({
      all: [this.chat],
      onDidAdd: none,
      onDidDelete: none,
      onDidForget: none,
    });
  }

  /**
   * @param root names of files are relative to it
   * @param storage where what is pending is kept
   */
  static async open(
    root: string,
    storage: string,
    roots: readonly string[] = [root],
  ): Promise<AgentAtWork> {
    const agent = new AgentAtWork(root, roots, storage);
    await agent.tracking.ready;
    return agent;
  }

  get review() {
    return this.tracking.review;
  }

  file(name: string): string {
    return path.join(this.root, name);
  }

  /** Begins a turn; from now on what happens may be the agent's. */
  async start(): Promise<TurnRef> {
    const turnId = `turn-${++this.turns}`;
    const prompt = { id: turnId, text: 'go', attachments: [] };
    this.chat.store.dispatch({ type: 'turnStarted', turnId, prompt, at: Date.now() });
    await this.tracking.agents.promptReady('chat');
    this.running = { chatId: 'chat', turnId };
    return this.running;
  }

  end(): void {
    if (!this.running) return;
    this.running = undefined;
    this.chat.store.dispatch({
      type: 'turnEnded',
      end: { reason: 'end_turn' },
      planPartId: 'plan',
      at: Date.now(),
    });
  }

  /** Ends the turn, and waits until its checkpoint is closed. */
  async endAndWait(): Promise<void> {
    this.end();
    await this.tracking.idle();
  }

  /** The agent writes with a request to the editor. */
  async writeThrough(name: string, text: string): Promise<void> {
    assert.ok(this.running);
    const { texts, roots } = this;
    const file = this.file(name);
    await this.tracking.agents.record(this.running, file, () => texts.write(file, text, { roots }));
  }

  /** The agent runs a command, with a shell as a process of its own, as a tool call. */
  async shell(command: string): Promise<void> {
    if (!this.running) return shell(this.root, command);
    const toolCallId = `call-${++this.calls}`;
    const call = { type: 'toolCallChanged', toolCallId, partId: toolCallId } as const;
    const { turnId } = this.running;
    const begun = { toolKind: 'execute', title: command, status: 'running' } as const;
    const announced = true;
    const at = Date.now();
    this.chat.store.dispatch({ ...call, ...begun, turnId, announced, at });
    await shell(this.root, command);
    this.chat.store.dispatch({ ...call, turnId, status: 'completed', announced, at });
    await this.tracking.idle();
  }

  /** The agent changes files by itself, and says nothing of it. */
  quietly(command: string): Promise<void> {
    return shell(this.root, command);
  }

  /** The agent runs a program of Node's. @param args what the program finds from `process.argv[1]` on */
  program(source: string, ...args: readonly string[]): Promise<void> {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    return run(process.execPath, ['-e', source, ...args], { cwd: this.root, env });
  }

  /** What is pending, by names relative to the root, in order. */
  get names(): readonly string[] {
    return this.review.pending.map(({ path: file }) => path.relative(this.root, file));
  }

  /** Resolves when these files are pending and no other; then nothing is left to be found out either. */
  async pending(...names: readonly string[]): Promise<void> {
    const wanted = [...names].sort();
    const isSo = () => this.names.join() === wanted.join();
    await until(isSo, [this.review.onDidChange]).catch(() => undefined);
    assert.deepEqual(this.names, wanted);
    // The first event of a write may have come when half of it was done.
    for (const name of names) await this.tracking.isPending(this.file(name));
    await this.tracking.flush();
    assert.deepEqual(this.names, wanted, 'once all is found out');
  }

  /** Resolves when the file has so many pending hunks. */
  async hunks(name: string, count: number): Promise<void> {
    const found = () => this.review.get(this.file(name))?.hunks.length ?? 0;
    const isSo = () => found() === count;
    await until(isSo, [this.review.onDidChange]).catch(() => assert.equal(found(), count));
  }

  /** @param index of the hunk to undo */
  async undoHunk(name: string, index: number): Promise<void> {
    const pending = this.review.get(this.file(name));
    const hunk = pending?.hunks[index];
    assert.ok(pending && hunk, `${name} has a hunk ${index}`);
    const target = { kind: 'hunk', path: pending.path, hunkId: hunk.id } as const;
    assert.deepEqual(await this.review.undo(target), { decided: 1, failures: [] });
  }

  /** Undoes everything, which must be possible. */
  async undoAll(): Promise<void> {
    const { decided, failures } = await this.review.undo({ kind: 'all' });
    assert.deepEqual(failures, []);
    assert.ok(decided > 0, 'something is undone');
  }

  read(name: string): string {
    return readFileSync(this.file(name), 'utf8');
  }

  /** Everything is decided, for the next test. */
  async clear(): Promise<void> {
    await this.endAndWait();
    await this.review.keep({ kind: 'all' });
  }

  dispose(): void {
    this.tracking.dispose();
  }
}

export function shell(cwd: string, command: string): Promise<void> {
  return run('/bin/sh', ['-ec', command], { cwd });
}

function run(command: string, args: readonly string[], options: SpawnOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve();
      else reject(new Error(`${args.join(' ')} ended with ${code}`));
    });
  });
}

/** Runs git as a user who is known. @param input what the user answers it */
export function git(cwd: string, args: readonly string[], input?: string): string {
  const who = ['-c', 'user.name=User', '-c', 'user.email=user@example.com'];
  // A submodule of this very machine.
  const local = ['-c', 'protocol.file.allow=always', '-c', 'core.editor=true'];
  return execFileSync('git', [...who, ...local, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(input !== undefined && { input }),
  });
}

/** Writes files by their names relative to `root`. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Makes `root` a repository with these files committed. */
export function repository(root: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(root, { recursive: true });
  git(root, ['init', '-q', '-b', 'main']);
  writeFiles(root, files);
  git(root, ['add', '-A']);
  git(root, ['commit', '-q', '-m', 'first']);
}

export function workspaceRoots(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
