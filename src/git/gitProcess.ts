import { spawn } from 'node:child_process';

/** What one run of git came to. */
export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitOptions {
  /** Absolute directory to run in. */
  readonly cwd: string;
  /** Written to stdin, which is then closed. */
  readonly input?: string | Buffer;
  /** Output beyond this many bytes ends the run with `GitError`. */
  readonly maxBytes?: number;
}

/** Runs git. Rejects only when there is no git to run, or when it writes too much. */
export type Git = (args: readonly string[], options: GitOptions) => Promise<GitResult>;

export class GitError extends Error {
  constructor(
    readonly reason: 'missing' | 'tooLarge',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'GitError';
  }
}

const MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_STDERR = 4_000;

/** Paths as they are; and a question about a repository runs no program that its configuration names. */
const CONFIG = ['core.quotePath=false', 'core.fsmonitor=false'].flatMap(entry => ['-c', entry]);

/**
 * Git as a child process. It never takes the locks that the user's own commands need, never asks for
 * anything, and does not see the repository that a parent process may have pointed it to.
 * @param command the program, looked up in PATH
 */
export function gitProcess(command = 'git'): Git {
  return (args, options) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, [...CONFIG, ...args], {
        cwd: options.cwd,
        env: environment(),
        windowsHide: true,
        stdio: 'pipe',
      });
      const chunks: Buffer[] = [];
      const max = options.maxBytes ?? MAX_OUTPUT;
      let bytes = 0;
      let stderr = '';
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= max) {
          chunks.push(chunk);
          return;
        }
        child.kill();
        reject(new GitError('tooLarge', `git ${args[0] ?? ''} wrote more than ${max} bytes`));
      });
      child.stderr.on('data', (chunk: Buffer) => {
        if (stderr.length < MAX_STDERR) stderr += chunk.toString('utf8');
      });
      child.on('error', error => {
        reject(new GitError('missing', 'git cannot be run', { cause: error }));
      });
      child.on('close', code => {
        resolve({ code: code ?? -1, stdout: Buffer.concat(chunks), stderr });
      });
      // A git that ends before it has read everything says why by its exit code.
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input ?? '');
    });
}

function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|PREFIX|COMMON_DIR)$/i.test(name)) {
      env[name] = value;
    }
  }
  return { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}
