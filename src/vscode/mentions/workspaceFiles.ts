import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import { PathList } from '../../base/pathList';
import type { Git } from '../../git/gitProcess';
import { listFiles } from '../../git/workTree';
import { globMatcher } from '../../review/checkpoints/glob';
import { watchValue } from '../settings/watchValue';

/** Where there is no git to say what is ignored, folders of tools and of what they make are left out. */
const MADE =
  '**/{node_modules,bower_components,.git,.hg,.svn,__pycache__,.venv,venv,.tox,.cache,.gradle,dist,out,build,target}/**';
const MAX_FILES = 200_000;

/** A folder of the workspace and what is in it. */
interface Root {
  readonly uri: vscode.Uri;
  /** What its paths begin with: its name, where there are several. */
  readonly prefix: string;
}

export interface FoundFiles {
  readonly files: PathList;
  readonly folders: PathList;
  /** Of one of the paths of `files` or `folders`. */
  readonly uriOf: (name: string) => vscode.Uri | undefined;
}

/**
 * The files and folders of the workspace, by their paths in it. They are listed when they are asked for first, and
 * again when they are asked for after something came or went; the list of before answers until then.
 */
export class WorkspaceFiles implements Disposable {
  private readonly disposables = new DisposableStore();
  private current: FoundFiles | undefined;
  private next: Promise<void> | undefined;
  private isStale = true;

  constructor(
    private readonly git: Git,
    private readonly logger: Logger,
  ) {
    const stale = () => (this.isStale = true);
    const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    for (const each of [
      watcher,
      watcher.onDidCreate(stale),
      watcher.onDidDelete(stale),
      vscode.workspace.onDidChangeWorkspaceFolders(stale),
      watchValue(vscode.workspace.onDidChangeConfiguration, () => excludedFiles(), stale),
    ]) {
      this.disposables.add(each);
    }
  }

  async get(): Promise<FoundFiles> {
    if (this.isStale) this.next ??= this.refresh();
    if (!this.current) await this.next;
    return this.current ?? found([], []);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async refresh(): Promise<void> {
    this.isStale = false;
    try {
      const roots = rootsOf(vscode.workspace.workspaceFolders ?? []);
      const lists = await Promise.all(
        roots.map(async ({ uri, prefix }) =>
          (await this.filesOf(uri)).map(name => `${prefix}${name}`),
        ),
      );
      this.current = found(roots, lists.flat());
    } catch (error) {
      this.isStale = true;
      this.logger.warn(`The files of the workspace could not be listed: ${String(error)}`);
    } finally {
      this.next = undefined;
    }
  }

  private async filesOf(folder: vscode.Uri): Promise<readonly string[]> {
    const known =
      folder.scheme === 'file' && vscode.workspace.isTrusted
        ? await listFiles(this.git, folder.fsPath)
        : undefined;
    if (known) {
      const isExcluded = globMatcher(excludedFiles(folder));
      return known.filter(name => !isExcluded(name));
    }
    const all = new vscode.RelativePattern(folder, '**/*');
    const uris = await vscode.workspace.findFiles(all, MADE, MAX_FILES);
    return uris.map(uri => path.posix.relative(folder.path, uri.path));
  }
}

function found(roots: readonly Root[], files: readonly string[]): FoundFiles {
  return {
    files: new PathList(files),
    folders: new PathList(foldersOf(files)),
    uriOf(name) {
      const root = roots.find(({ prefix }) => name.startsWith(prefix));
      return root && vscode.Uri.joinPath(root.uri, name.slice(root.prefix.length));
    },
  };
}

function rootsOf(folders: readonly vscode.WorkspaceFolder[]): readonly Root[] {
  return folders.map(({ uri, name }) => ({ uri, prefix: folders.length > 1 ? `${name}/` : '' }));
}

/** What the user hides in the Explorer. */
function excludedFiles(folder?: vscode.Uri): readonly string[] {
  const exclude = vscode.workspace.getConfiguration('files', folder).get<unknown>('exclude');
  if (typeof exclude !== 'object' || exclude === null) return [];
  return Object.entries(exclude).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}

/** Every folder that one of the files is in. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (
      let end = file.lastIndexOf('/');
      end > 0 && !folders.has(file.slice(0, end));
      end = file.lastIndexOf('/', end - 1)
    ) {
      folders.add(file.slice(0, end));
    }
  }
  return [...folders];
}
