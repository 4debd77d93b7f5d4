import { AgentChildren } from '../agents/process/agentChildren';
import { MemoryDocuments, PROPOSAL_SCHEME } from '../vscode/review/diff/memoryDocuments';
import { OpenProposals } from '../vscode/review/diff/openProposals';
import { LazyTracking } from '../vscode/tracking/lazyTracking';
import type { Window } from './window';

export interface WindowReview {
  readonly tracking: LazyTracking;
  /** Texts that are only shown. */
  readonly documents: MemoryDocuments;
  /** The edits that wait for an answer, in texts that the user can change. */
  readonly proposals: OpenProposals;
}

/** What agents change, and what they propose to change. */
export function composeReview({
  parts,
  context,
  logger,
  environment,
  storage,
}: Window): WindowReview {
  const children = new AgentChildren();
  const tracking = parts.add(
    new LazyTracking({
      folder: storage('review'),
      own: [context.storageUri, context.globalStorageUri].flatMap(uri => uri?.fsPath ?? []),
      logger,
      processes: { children: agent => children.of(agent) ?? new Set() },
      now: () => environment.now(),
    }),
  );
  const documents = parts.add(new MemoryDocuments());
  const editable = parts.add(new MemoryDocuments(PROPOSAL_SCHEME, true));
  void documents.closeStaleTabs();
  void editable.closeStaleTabs();
  return { tracking, documents, proposals: new OpenProposals(editable) };
}
