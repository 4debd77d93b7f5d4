import type * as vscode from 'vscode';
import type { EditedProposal, ProposalEdits } from '../../../session/ports';
import type { RequestKey } from './diffContents';
import type { MemoryDocuments } from './memoryDocuments';

/** An edit that is open in a diff editor and waits for an answer. */
export interface Proposal {
  readonly request: RequestKey;
  readonly original: vscode.Uri;
  readonly modified: vscode.Uri;
  /** The file it is an edit of. */
  readonly path: string;
  readonly left: string;
  /** As the agent proposed it; the document may say something else by now. */
  readonly right: string;
}

/** The edits that wait for an answer in diff editors, and what the user has changed of them there. */
export class OpenProposals implements ProposalEdits {
  /** By the modified side's address. */
  private readonly proposals = new Map<string, Proposal>();

  /** @param editable the documents of the modified sides that the user can change */
  constructor(readonly editable: MemoryDocuments) {}

  get all(): readonly Proposal[] {
    return [...this.proposals.values()];
  }

  has(modified: vscode.Uri): boolean {
    return this.proposals.has(modified.toString());
  }

  /** @param uri of either side */
  at(uri: vscode.Uri): Proposal | undefined {
    const key = uri.toString();
    return (
      this.proposals.get(key) ?? this.all.find(proposal => proposal.original.toString() === key)
    );
  }

  add(proposal: Proposal): void {
    this.proposals.set(proposal.modified.toString(), proposal);
  }

  remove({ modified }: Proposal): void {
    this.proposals.delete(modified.toString());
  }

  edited(chatId: string, requestId: string): readonly EditedProposal[] {
    return this.all
      .filter(({ request }) => request.chatId === chatId && request.requestId === requestId)
      .flatMap(proposal => {
        const mine = this.mine(proposal);
        const { path: file, right: proposed } = proposal;
        return mine === undefined || mine === proposed ? [] : [{ path: file, proposed, mine }];
      });
  }

  isEdited(proposal: Proposal): boolean {
    const mine = this.mine(proposal);
    return mine !== undefined && mine !== proposal.right;
  }

  /** A proposal that was opened before, if the user has changed it: that stays, whatever the agent sends. */
  changed(request: RequestKey, id: string, file: string): Proposal | undefined {
    const proposal = this.proposals.get(this.editable.uri(`${id}?new`, file).toString());
    if (proposal?.request.requestId !== request.requestId) return undefined;
    const edited = this.edited(request.chatId, request.requestId);
    return edited.some(other => other.path === file) ? proposal : undefined;
  }

  private mine({ modified }: Proposal): string | undefined {
    if (modified.scheme !== this.editable.scheme) return undefined;
    return this.editable.text(modified)?.replace(/\r\n/g, '\n');
  }
}
