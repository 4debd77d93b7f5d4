import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import type { Logger } from '../../base/logger';
import type { AttachmentSource } from '../ports';
import type { PromptLimits } from './promptLimits';
import type { LazyClientRequests } from '../requests/lazyClientRequests';
import type { Notices } from '../notices';
import type { Message } from '../state/state';
import type { SessionStore } from '../state/store';

interface PromptSources {
  /** Tells first what became of the agent's proposals. */
  readonly clientRequests: Pick<LazyClientRequests, 'now'>;
  readonly attachments: AttachmentSource;
  readonly store: SessionStore;
  readonly notices: Notices;
  readonly limits: Pick<PromptLimits, 'checkContent'>;
  readonly logger: Logger;
}

export interface PromptContent {
  readonly blocks: schema.ContentBlock[];
  /** The agent has taken the prompt: what it says is not said again. */
  accepted(): void;
}

/**
 * A message as it goes to the agent. What cannot be attached is left out, and the chat says so.
 * @throws PromptTooLarge
 */
export async function promptContent(
  { text, attachments }: Message,
  from: PromptSources,
): Promise<PromptContent> {
  const blocks: schema.ContentBlock[] = [];
  if (text) blocks.push({ type: 'text', text });
  for (const attachment of attachments) {
    try {
      blocks.push(...(await from.attachments.resolve(attachment, from.store.state)));
    } catch (error) {
      from.logger.warn(`${attachment.label} was not sent: ${String(error)}`);
      from.notices.add('warning', l10n.t('{0} could not be attached.', attachment.label));
    }
  }
  from.limits.checkContent(blocks);
  // With anything before it a command would not be one: notes wait for words.
  const notes = text.startsWith('/') ? undefined : await from.clientRequests.now?.proposed.notes();
  return {
    blocks: [...(notes?.blocks ?? []), ...blocks],
    accepted: () => notes?.delivered(),
  };
}
