/** The `node-pty` that VS Code has for its own terminals, loaded from there: it has a part for each platform. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { within, TIMED_OUT } from '../agents/within';
import type { Disposable } from '../base/lifecycle';

/** What of `node-pty` is used. */
export interface NodePty {
  spawn(file: string, args: readonly string[], options: PtyOptions): Pty;
}

export interface PtyOptions {
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** No encoding: bytes as they come. */
  readonly encoding: null;
}

export interface Pty {
  readonly pid: number;
  onData(listener: (bytes: Buffer) => void): Disposable;
  /** After the last output. */
  onExit(
    listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void,
  ): Disposable;
  write(text: string): void;
  resize(columns: number, rows: number): void;
}

/** The library, or why there is none. */
export type FoundPty =
  | { readonly kind: 'found'; readonly pty: NodePty; readonly path: string }
  | { readonly kind: 'none'; readonly reason: string };

/** Where VS Code keeps its packages, from its own folder: as they are, or packed. */
const FOLDERS = ['node_modules', 'node_modules.asar', 'node_modules.asar.unpacked'];

/** A first command has to end within so many milliseconds; on a busy machine that takes a while. */
const TRIAL_MS = 10_000;

/**
 * @param appRoot VS Code's own folder
 * @returns a library that has run a command
 */
export async function findNodePty(appRoot: string): Promise<FoundPty> {
  if (process.platform === 'win32') {
    // A job in ConPTY has no process group to end, and its output comes redrawn.
    return { kind: 'none', reason: 'on Windows commands run on pipes' };
  }
  const load = createRequire(join(appRoot, 'package.json'));
  const reasons: string[] = [];
  for (const folder of FOLDERS) {
    const path = join(appRoot, folder, 'node-pty');
    try {
      const pty = load(path) as NodePty;
      await tryOut(pty);
      return { kind: 'found', pty, path };
    } catch (error) {
      reasons.push(
        error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error),
      );
    }
  }
  return { kind: 'none', reason: reasons[0] ?? 'not found' };
}

/** @throws when it does not do what it should: a binary of another Node, a system without pseudo-terminals. */
async function tryOut(pty: NodePty): Promise<void> {
  const options = { name: 'xterm', cols: 80, rows: 24, cwd: '/', env: {}, encoding: null };
  const trial = pty.spawn('/bin/sh', ['-c', 'test -t 0 && echo ready'], options);
  let said = '';
  trial.onData(bytes => (said += bytes.toString()));
  const ended = new Promise<void>(resolve => trial.onExit(() => resolve()));
  if ((await within(ended, TRIAL_MS)) === TIMED_OUT) {
    process.kill(trial.pid, 'SIGKILL');
    throw new Error('node-pty does not report the end of a command');
  }
  if (said.trim() !== 'ready') throw new Error('node-pty does not give a terminal');
}
