import { realpathSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifecycle';

/**
 * The review knows files by their resolved paths, the editor by the paths of the workspace's folders, which
 * may be links. This finds the address under which the editor knows a file.
 */
export class EditorUris implements Disposable {
  private roots: readonly { readonly given: string; readonly real: string }[] = [];
  private readonly disposables = new DisposableStore();
  /** Addresses of documents that were opened through a link, by the resolved path of their file. */
  private readonly linked = new Map<string, vscode.Uri>();
  private readonly changed = new vscode.EventEmitter<string>();
  /** Tells the resolved path of a file that was opened through a link. */
  readonly onDidChangeLinks = this.changed.event;

  constructor() {
    const { disposables } = this;
    disposables.add(this.changed);
    disposables.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.readRoots()));
    disposables.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.opened(uri)));
    this.readRoots();
    for (const { uri } of vscode.workspace.textDocuments) this.opened(uri);
  }

  /** The address of a file under review, as an open editor or the Explorer has it. */
  uri(file: string): vscode.Uri {
    for (const { given, real } of this.roots) {
      const relative = path.relative(real, file);
      if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
        continue;
      }
      return vscode.Uri.file(path.join(given, relative));
    }
    return vscode.Uri.file(file);
  }

  /** Every address it may be known by. */
  all(file: string): readonly vscode.Uri[] {
    const resolved = vscode.Uri.file(file);
    const known = this.uri(file);
    const linked = this.linked.get(file);
    return [...new Map([known, resolved, ...(linked ? [linked] : [])].map(byText)).values()];
  }

  /** The resolved path of a file as the editor has it; that of where it would be when it is not there. */
  path(uri: vscode.Uri): string {
    return resolved(uri.fsPath);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private opened(uri: vscode.Uri): void {
    if (uri.scheme !== 'file') return;
    const file = resolved(uri.fsPath);
    if (uri.fsPath === file || uri.fsPath === this.uri(file).fsPath) return;
    this.linked.set(file, uri);
    this.changed.fire(file);
  }

  private readRoots(): void {
    this.roots = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
      if (uri.scheme !== 'file') return [];
      try {
        return [{ given: uri.fsPath, real: realpathSync(uri.fsPath) }];
      } catch {
        return [];
      }
    });
  }
}

function byText(uri: vscode.Uri): [string, vscode.Uri] {
  return [uri.toString(), uri];
}

function resolved(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(resolved(parent), path.basename(file));
  }
}
