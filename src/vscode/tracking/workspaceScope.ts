import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import { isBelow } from '../../git/isBelow';
import { globMatcher } from '../../review/checkpoints/glob';
import type { TrackedScope } from '../../review/checkpoints/ports';
import type { EditorUris } from '../review/diff/editorUris';
import { watchValue } from '../settings/watchValue';

/** Folders of tools and of what they make; git's own ignore rules do better where there is git. */
const COMMON =
  '{node_modules,bower_components,.git,.hg,.svn,__pycache__,.venv,venv,.tox,.mypy_cache,.pytest_cache,.cache,.next,.nuxt,.gradle,dist,out,build,target,coverage}';

/** The files of this window's workspace that count. */
export class WorkspaceScope implements TrackedScope, Disposable {
  private readonly disposables = new DisposableStore();
  private resolved: readonly string[] | undefined;
  private excluded: ((file: string) => boolean) | undefined;
  private hidden: ((file: string) => boolean) | undefined;

  /** @param own absolute folders with data of Parley's own */
  constructor(
    private readonly uris: EditorUris,
    private readonly own: readonly string[],
  ) {
    this.disposables.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => (this.resolved = undefined)),
    );
    this.disposables.add(
      watchValue(
        vscode.workspace.onDidChangeConfiguration,
        () => [patterns('files'), patterns('search')],
        () => {
          this.excluded = undefined;
          this.hidden = undefined;
        },
      ),
    );
  }

  roots(): readonly string[] {
    return (this.resolved ??= (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
      uri.scheme === 'file' ? [this.uris.path(uri)] : [],
    ));
  }

  isExcluded(file: string): boolean {
    this.excluded ??= globMatcher([COMMON, ...patterns('files'), ...patterns('search')]);
    return this.excluded(this.relative(file));
  }

  isHidden(file: string): boolean {
    this.hidden ??= globMatcher(patterns('files'));
    return this.hidden(this.relative(file));
  }

  isOwn(file: string): boolean {
    return this.own.some(folder => isBelow(file, folder));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private relative(file: string): string {
    const root = this.roots().find(folder => isBelow(file, folder));
    return root === undefined ? file : path.relative(root, file);
  }
}

function patterns(section: 'files' | 'search'): string[] {
  const exclude = vscode.workspace.getConfiguration(section).get<unknown>('exclude');
  if (typeof exclude !== 'object' || exclude === null) return [];
  return Object.entries(exclude).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}
