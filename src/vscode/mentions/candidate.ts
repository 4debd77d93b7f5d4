import { comparable, hitsIn, rankOf } from '../../base/fuzzy';
import type { Attachment } from '../../session/state/state';
import type { MentionItem } from '../../shared/queries';

/** What a mention may stand for, until it is chosen. */
export interface Candidate extends Omit<MentionItem, 'id'> {
  /** What then goes along with the message. */
  readonly attachment: () => Attachment;
}

export interface CandidateGroup {
  readonly name: string;
  readonly items: readonly Candidate[];
}

/** Those of `candidates` that have the typed letters in their name or word, the best first. */
export function matching(
  candidates: readonly Candidate[],
  query: string,
  limit: number,
): readonly Candidate[] {
  if (query === '') return candidates.slice(0, limit);
  const wanted = comparable(query);
  return candidates
    .flatMap(candidate => {
      const { name, mention } = candidate;
      const lower = comparable(name);
      const inName = rankOf(lower, name, wanted, 0);
      const inWord = rankOf(comparable(mention), mention, wanted, 1);
      if (inName === undefined && inWord === undefined) return [];
      const hits = inName === undefined ? [] : hitsIn(lower, wanted, 0);
      return [{ rank: Math.min(inName ?? 9, inWord ?? 9), candidate: { ...candidate, hits } }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
