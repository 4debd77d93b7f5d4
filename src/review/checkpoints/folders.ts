import { opendir } from 'node:fs/promises';
import * as path from 'node:path';
import type { GitRepository } from '../../git/repository';
import { committedFiles } from './committedFiles';
import type { DiskFile } from './diskFile';
import type { KnownFiles } from './knownFiles';
import type { TrackedFiles } from './trackedFiles';
import type { WorkspaceGit } from './workspaceGit';

export interface Looked {
  readonly path: string;
  readonly found: DiskFile;
}

export interface FolderSources {
  readonly git: WorkspaceGit;
  readonly known: KnownFiles;
  readonly tracked: TrackedFiles;
}

/** Files taken for one event. */
const MAX_INNER = 50_000;

export interface Expanded {
  /** The files that came or went with folders. */
  readonly inner: readonly string[];
  /** Where git has a file and a folder or a link stands now. */
  readonly replaced: ReadonlySet<string>;
}

/** One event for a folder stands for all in it. */
export async function expandFolders(
  looked: readonly Looked[],
  sources: FolderSources,
): Promise<Expanded> {
  const inner: string[] = [];
  const gone = new Set<string>();
  const folders: string[] = [];
  // A file or a link may stand where a folder was, and the other way round.
  const asked: string[] = [];
  for (const { path: file, found } of looked) {
    if (found.kind === 'folder') folders.push(file);
    else gone.add(file);
    if (found.kind !== 'file' && found.kind !== 'other') asked.push(file);
  }
  const ignored = folders.length > 0 ? await sources.tracked.ignoredOf(folders) : new Set();
  for (const folder of folders) {
    if (!ignored.has(folder)) await list(folder, inner);
  }
  for (const [file] of sources.known.below(gone)) inner.push(file);
  const replaced = new Set<string>();
  const heads = new Map<GitRepository, string | undefined>();
  for (const [place, { entry }] of await committedFiles(asked, sources.git, heads, false)) {
    if (entry?.kind === 'file') replaced.add(place);
    if (entry?.kind !== 'folder' || folders.includes(place)) continue;
    inner.push(...(await committedBelow(place, sources.git)));
  }
  return { inner, replaced };
}

/** The files that git has below what was a folder. */
export async function committedBelow(
  folder: string,
  git: WorkspaceGit,
): Promise<readonly string[]> {
  const watched = await git.of(folder);
  const relative = watched?.repository.relative(folder);
  if (watched?.head === undefined || relative === undefined) return [];
  const names = await watched.repository.filesBelow(watched.head, relative);
  return names.slice(0, MAX_INNER).map(name => watched.repository.absolute(name));
}

async function list(folder: string, into: string[]): Promise<void> {
  const folders = [folder];
  for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
    try {
      for await (const entry of await opendir(next)) {
        if (into.length >= MAX_INNER) return;
        if (entry.name === '.git') continue;
        const file = path.join(next, entry.name);
        if (entry.isDirectory()) folders.push(file);
        else if (entry.isFile()) into.push(file);
      }
    } catch {
      // It went meanwhile, or may not be read; another event reports that.
    }
  }
}
