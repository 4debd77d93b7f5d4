import type { Chats } from '../../session/chats';
import { findAttachment } from '../../session/state/selectors';
import type { SessionState } from '../../session/state/state';
import type { QueryHandlers } from '../../shared/queries';
import type { ContextAttachments } from '../context/contextAttachments';
import { existingLinks } from '../links';
import type { Mentions } from '../mentions/mentions';
import type { OtherFolders } from './otherFolders';

/** What a chat is listed by. */
const headOf = ({ title, agent }: SessionState): string => `${title ?? ''} ${agent.name}`;

/** What a view asks, answered. Kinds that need much load it when they are asked. */
export function queryHandlers(
  chats: Chats,
  mentions: () => Promise<Mentions>,
  folders: () => Promise<OtherFolders>,
  attachments: Pick<ContextAttachments, 'imageData' | 'imageFileData'>,
): QueryHandlers {
  return {
    async image({ attachmentId }, { chatId }) {
      const chat = chatId === undefined ? undefined : chats.get(chatId);
      const attachment = chat && findAttachment(chat.store.state, attachmentId);
      const data =
        attachment &&
        (attachments.imageData(attachment) ?? (await attachments.imageFileData(attachment)));
      return data === undefined ? {} : { data };
    },
    async existingLinks({ links }, { chatId, signal }) {
      const chat = chatId === undefined ? undefined : chats.get(chatId);
      const cwd = chat?.store.state.cwd;
      return { existing: cwd === undefined ? [] : await existingLinks(links, cwd, signal) };
    },
    async mentions({ text }, { chatId }) {
      return { groups: await (await mentions()).find(text, chatId) };
    },
    async heldMatches({ text, isCase, refs }, { chatId, signal }) {
      const chat = chatId === undefined ? undefined : chats.get(chatId);
      if (!chat) return { found: [] };
      const { heldMatches } = await import('./heldMatches');
      return { found: await heldMatches(chat.controller.contents, refs, text, isCase, signal) };
    },
    async searchChats({ text }, { signal }) {
      const { searchChats } = await import('../../session/history/searchChats');
      const states = chats.all.map(({ store }) => store.state);
      const pause = () => new Promise(resolve => setImmediate(resolve));
      return { found: await searchChats(states, text, headOf, pause, signal) };
    },
    async otherFolders({ text }, { signal }) {
      return { folders: await (await folders()).chats(text, signal) };
    },
    async pastedCode({ text }) {
      const item = (await mentions()).pasted(text);
      return item ? { item } : {};
    },
    async slowMentions({ text }) {
      return { groups: await (await mentions()).findSlow(text) };
    },
  };
}
