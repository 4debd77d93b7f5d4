import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle';
import type { DiffEditor } from '../diff/diffEditor';
import { MEMORY_SCHEME, PROPOSAL_SCHEME } from '../diff/memoryDocuments';

/** "Allow" and "Reject" above each hunk of an edit that waits for an answer. Either answers the whole. */
export class ProposalLenses implements vscode.CodeLensProvider, Disposable {
  private readonly registration: vscode.Disposable;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(
    private readonly editor: DiffEditor,
    schemes: readonly string[] = [MEMORY_SCHEME, PROPOSAL_SCHEME],
  ) {
    this.onDidChangeCodeLenses = editor.onDidChangeProposals;
    this.registration = vscode.languages.registerCodeLensProvider(
      schemes.map(scheme => ({ scheme })),
      this,
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { hunkLines } = await import('../hunkLines');
    const proposal = this.editor.proposalAt(document.uri);
    // In inline mode only the modified side is shown; lenses on both would stand twice beside each other.
    if (!proposal || proposal.modified.toString() !== document.uri.toString()) return [];
    const right = document.getText().replace(/\r\n/g, '\n');
    const edited = right !== proposal.right;
    const hunks = hunkLines({ left: proposal.left, right });
    // With nothing left of it there is still an answer to give.
    const lines = hunks.length === 0 ? [0] : hunks;
    const many = lines.length > 1;
    const mayAllow = this.editor.mayAllow(proposal);
    const last = Math.max(0, document.lineCount - 1);
    const argument = [proposal.modified];
    return lines.flatMap(line => {
      const at = Math.min(line, last);
      const range = new vscode.Range(at, 0, at, 0);
      const allow = edited
        ? vscode.l10n.t('Allow with my changes')
        : many
          ? vscode.l10n.t('Allow all {0} changes', lines.length)
          : vscode.l10n.t('Allow');
      const reject = many ? vscode.l10n.t('Reject all') : vscode.l10n.t('Reject');
      return [
        new vscode.CodeLens(
          range,
          mayAllow
            ? { title: allow, command: 'parley.allow', arguments: argument }
            : {
                title: vscode.l10n.t('Review in Chat to Allow'),
                command: 'parley.open',
              },
        ),
        new vscode.CodeLens(range, {
          title: reject,
          command: 'parley.reject',
          arguments: argument,
        }),
      ];
    });
  }

  dispose(): void {
    this.registration.dispose();
  }
}
