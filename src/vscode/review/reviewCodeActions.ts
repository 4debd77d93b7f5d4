import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle';
import type { Review } from '../../review/review';
import { hunkAt } from './changePlaces';

const SETTING = 'review.codeActions';

/** Keep and Undo under the light bulb, for those who ask for it: it puts a bulb on every line of an agent. */
export class ReviewCodeActions implements vscode.CodeActionProvider, Disposable {
  private readonly registration: vscode.Disposable;

  constructor(private readonly review: Review) {
    this.registration = vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    });
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const settings = vscode.workspace.getConfiguration('parley', document.uri);
    if (settings.get(SETTING) !== true) return [];
    const file = this.review.get(document.uri.fsPath);
    if (!file || file.change === 'deleted') return [];
    const hunk = hunkAt(file, range.start.line, 'current');
    if (!hunk) return [];
    const target = [vscode.Uri.file(file.path).toString(), hunk.id];
    return [
      action(vscode.l10n.t("Keep the agent's change"), 'parley.keepChange', target),
      action(vscode.l10n.t("Undo the agent's change"), 'parley.undoChange', target),
    ];
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function action(title: string, command: string, args: string[]): vscode.CodeAction {
  const item = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  item.command = { title, command, arguments: args };
  return item;
}
