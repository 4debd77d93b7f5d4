/** An edit that the user changed before allowing it. Pure. */
import { applyPatch, createTwoFilesPatch, structuredPatch } from 'diff';
import type { EditedProposal } from '../ports';
import { lf } from './shownEdit';

/** Edit distance after which two versions are not compared any more. */
const MAX_EDITS = 4000;
/** UTF-16 units of a patch sent to an agent; it can read the file for more. */
const MAX_PATCH = 8_000;

/**
 * The user's version of `content`, which the agent writes or has written: the user's text where it is what
 * they saw, else their changes on top of it. Undefined when these do not fit what the agent wrote.
 */
export function withUserChanges(content: string, edited: EditedProposal): string | undefined {
  const text = lf(content);
  if (text === edited.proposed || text === edited.mine) return edited.mine;
  const patch = structuredPatch('', '', edited.proposed, edited.mine, undefined, undefined, {
    context: 2,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return undefined;
  const merged = applyPatch(text, patch);
  return merged === false ? undefined : merged;
}

/** What the user changed, as a unified diff. */
export function userPatch({ path, proposed, mine }: EditedProposal): string {
  const patch = createTwoFilesPatch(path, path, proposed, mine, undefined, undefined, {
    context: 2,
    maxEditLength: MAX_EDITS,
  });
  const text = patch ?? mine;
  return text.length > MAX_PATCH ? `${text.slice(0, MAX_PATCH)}\n…` : text;
}

/** What the agent gets before the user's next words. Not translated: agents are spoken to in English. */
export function noteToAgent(edited: readonly EditedProposal[]): string {
  const parts = edited.map(
    proposal =>
      `Before allowing your edit of ${proposal.path}, the user changed it. The file has the user's ` +
      `version now. What the user changed in your edit:\n\n\`\`\`\`diff\n${userPatch(proposal)}\n\`\`\`\``,
  );
  return `Note from the editor: ${parts.join('\n\n')}\n\nRead these files again before you edit them.`;
}
