import { realpathSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle';

/**
 * The review knows files by their resolved paths, the editor by the paths of the workspace's folders, which
 * may be links. This tells the address under which the editor knows a file.
 */
export class EditorUris implements Disposable {
  private roots: readonly { readonly given: string; readonly real: string }[] = [];
  private readonly listener: vscode.Disposable;

  constructor() {
    this.listener = vscode.workspace.onDidChangeWorkspaceFolders(() => this.readRoots());
    this.readRoots();
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
    return known.toString() === resolved.toString() ? [resolved] : [known, resolved];
  }

  /** The resolved path of a file as the editor has it; that of where it would be when it is not there. */
  path(uri: vscode.Uri): string {
    return resolved(uri.fsPath);
  }

  dispose(): void {
    this.listener.dispose();
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

function resolved(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(resolved(parent), path.basename(file));
  }
}
