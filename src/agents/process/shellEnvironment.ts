/**
 * The environment of the user's login shell. An editor started from a dock or a menu does not have what
 * `.zprofile` and friends set up, so `npx`, `nvm`, Homebrew and Volta would be missing.
 *
 * The shell runs this very Node to print its environment as JSON between two marks: what rc files print
 * does no harm, and values may hold line breaks.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { basename, delimiter } from 'node:path';
import type { Logger } from '../../base/logger';
import { getVariable, withoutEditorVariables, type Env } from './environmentVariables';
import type { ProcessTracker } from './processTracker';
import { ProcessTree, TREE_SPAWN_OPTIONS } from './processTree';
import { TIMED_OUT, within } from '../within';

export interface ShellEnvironmentOptions {
  readonly logger: Logger;
  readonly processes: ProcessTracker;
  /** The shell to ask; by default the user's. */
  readonly shell?: string;
  /** What the shell starts from; by default this process's environment. */
  readonly base?: NodeJS.ProcessEnv;
  /** Milliseconds until a shell that hangs in an rc file is given up. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** An rc file that prints without end must not fill the memory. */
const MAX_OUTPUT = 4 * 1024 * 1024;

export class ShellEnvironment {
  private resolved: Promise<Env> | undefined;

  constructor(private readonly options: ShellEnvironmentOptions) {}

  /**
   * Never rejects: where the shell cannot be asked, this process's environment has to do.
   * @param fresh ask the shell again (the user may have installed something since).
   */
  get(fresh = false): Promise<Env> {
    if (fresh || !this.resolved) this.resolved = this.resolve();
    return this.resolved;
  }

  private async resolve(): Promise<Env> {
    const { logger } = this.options;
    const base = this.options.base ?? process.env;
    const own = withoutEditorVariables(base);
    if (process.platform === 'win32') return own;
    const shell = this.options.shell ?? userShell(base);
    const begun = performance.now();
    try {
      const asked = await this.ask(shell, base);
      const took = Math.round(performance.now() - begun);
      logger.debug(`Environment of the login shell ${shell} read in ${took} ms`);
      return merged(asked, own);
    } catch (error) {
      logger.warn(
        `The login shell ${shell} did not report its environment (${String(error)}); ` +
          `using the editor's own. Commands it would find may be missing.`,
      );
      return own;
    }
  }

  private ask(shell: string, base: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
    const mark = randomUUID();
    const timeoutMs = this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    return new Promise((resolve, reject) => {
      const child = spawn(shell, shellArguments(shell, process.execPath, mark), {
        ...TREE_SPAWN_OPTIONS,
        // Not the workspace: a folder's own hooks (direnv and the like) have no say in this.
        cwd: homedir(),
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...base, ELECTRON_RUN_AS_NODE: '1', VSCODE_RESOLVING_ENVIRONMENT: '1' },
      });
      if (child.pid === undefined) {
        child.on('error', reject);
        return;
      }
      const tree = new ProcessTree(child.pid);
      const tracked = this.options.processes.add(tree);
      const exit = new Promise<void>(ended => {
        child.on('exit', () => {
          tree.markRootEnded();
          ended();
        });
      });
      const finish = (grace: number) => {
        clearTimeout(timer);
        child.stdout.removeAllListeners('data').destroy();
        // A shell that answered ends by itself, and what its rc files left running is the user's wish.
        void within(exit, grace).then(result => {
          if (result === TIMED_OUT) tree.killNow();
          tracked.dispose();
        });
      };
      const fail = (reason: string) => {
        finish(0);
        reject(new Error(reason));
      };
      const timer = setTimeout(() => fail(`no answer in ${timeoutMs / 1000} s`), timeoutMs);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const answer = extract(output, mark);
        if (answer) {
          finish(2000);
          resolve(answer);
        } else if (output.length > MAX_OUTPUT) {
          fail('it prints without end');
        }
      });
      child.on('close', code => fail(`it ended with code ${String(code)}`));
    });
  }
}

/** The shell of the user's account; `$SHELL` may be what a terminal happened to run. */
function userShell(env: NodeJS.ProcessEnv): string {
  const fromEnv = env['SHELL'];
  if (fromEnv) return fromEnv;
  try {
    const shell = userInfo().shell;
    if (shell && !/(nologin|false)$/.test(shell)) return shell;
  } catch {
    // No entry in the user database, as in some containers.
  }
  return process.platform === 'darwin' ? '/bin/zsh' : '/bin/sh';
}

/** What makes `shell`, as an interactive login shell, run `node` to print its environment. */
function shellArguments(shell: string, node: string, mark: string): string[] {
  const print = `process.stdout.write('${mark}'+JSON.stringify(process.env)+'${mark}')`.replaceAll(
    "'",
    '"',
  );
  switch (basename(shell).replace(/\.exe$/i, '')) {
    case 'pwsh':
    case 'powershell':
      return [
        '-Login',
        '-Command',
        `& '${node.replaceAll("'", "''")}' -e '${print.replaceAll('"', '\\"')}'`,
      ];
    case 'nu':
      return ['-i', '-l', '-c', `^'${node}' -e '${print}'`];
    case 'csh':
    case 'tcsh':
      // Their -l is allowed only alone.
      return ['-ic', `'${node}' -e '${print}'`];
    default:
      // bash, zsh, dash, ksh, fish: single quotes mean the same in all of them.
      return ['-i', '-l', '-c', `'${node.replaceAll("'", `'\\''`)}' -e '${print}'`];
  }
}

function extract(output: string, mark: string): NodeJS.ProcessEnv | undefined {
  const start = output.indexOf(mark);
  if (start < 0) return undefined;
  const end = output.indexOf(mark, start + mark.length);
  if (end < 0) return undefined;
  return JSON.parse(output.slice(start + mark.length, end)) as NodeJS.ProcessEnv;
}

/** The shell's answer, less what asking put there; see `withoutEditorVariables`. */
function merged(asked: NodeJS.ProcessEnv, own: Env): Env {
  const env = withoutEditorVariables(asked);
  for (const name of ['_', 'PWD', 'OLDPWD', 'SHLVL']) {
    const before = own[name];
    if (before === undefined) delete env[name];
    else env[name] = before;
  }
  // A profile may replace PATH and so lose what the editor was started with (a virtual environment).
  const path = getVariable(env, 'PATH')?.split(delimiter) ?? [];
  const more = getVariable(own, 'PATH')?.split(delimiter) ?? [];
  env['PATH'] = [...new Set([...path, ...more])].filter(Boolean).join(delimiter);
  return env;
}
