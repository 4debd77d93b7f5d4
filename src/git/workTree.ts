import type { Git } from './gitProcess';

/** A commit as it is offered to choose from. */
export interface CommitLine {
  readonly sha: string;
  readonly subject: string;
}

const MAX_LIST_BYTES = 256 * 1024 * 1024;
/**
 * No colors and no program of the configuration for what is shown. Git may still run filters that it names: ask only in
 * a folder that is trusted.
 */
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv'];
/** The repository may be larger than the folder. */
const BELOW = ['--ignore-submodules=dirty', '--', '.'];

/**
 * The files below `folder` (absolute), as paths from there: those tracked and those not ignored. Undefined when it is
 * in no work tree.
 */
export async function listFiles(git: Git, folder: string): Promise<readonly string[] | undefined> {
  const [present, deleted] = await Promise.all([
    run(git, folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']),
    run(git, folder, ['ls-files', '-z', '--deleted']),
  ]);
  if (present === undefined) return undefined;
  const gone = new Set(deleted?.split('\0'));
  return [...new Set(present.split('\0'))].filter(name => name !== '' && !gone.has(name));
}

/** What is not as in HEAD below `folder`: the names of all files, then the differences of those that git tracks. */
export async function uncommitted(git: Git, folder: string): Promise<string | undefined> {
  const [status, diff] = await Promise.all([
    run(git, folder, ['status', '--short', '--untracked-files=all', ...BELOW]),
    run(git, folder, ['diff', ...PLAIN, 'HEAD', ...BELOW]),
  ]);
  return status === undefined ? undefined : [status, diff ?? ''].join('\n').trim();
}

/** The latest commits, the latest first. */
export async function latestCommits(
  git: Git,
  folder: string,
  count: number,
): Promise<readonly CommitLine[]> {
  const output = await run(git, folder, ['log', `--max-count=${count}`, '-z', '--format=%h %s']);
  return (output?.split('\0') ?? []).flatMap(line => {
    const space = line.indexOf(' ');
    return space < 0 ? [] : [{ sha: line.slice(0, space), subject: line.slice(space + 1) }];
  });
}

/** A commit with its message and what it changes. */
export function commitText(git: Git, folder: string, sha: string): Promise<string | undefined> {
  return run(git, folder, ['show', ...PLAIN, '--stat', '--patch', sha, '--']);
}

async function run(git: Git, cwd: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { code, stdout } = await git(args, { cwd, maxBytes: MAX_LIST_BYTES });
    return code === 0 ? stdout.toString('utf8') : undefined;
  } catch {
    return undefined;
  }
}
