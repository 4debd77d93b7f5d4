import * as path from 'node:path';
import { lazy } from '../base/lazy';
import type { Chats } from '../session/chats';
import type { OtherFolders } from '../vscode/chats/otherFolders';
import type { Window } from './window';

/** The chats of other folders; loads when they are asked for. */
export function otherFolders({ context, storage }: Window): () => Promise<OtherFolders> {
  return lazy(async () => {
    const [{ OtherFolders }, { ownFolder }] = await Promise.all([
      import('../vscode/chats/otherFolders'),
      import('../vscode/chats/ownFolder'),
    ]);
    const place = path.join(context.globalStorageUri.fsPath, 'folders');
    return new OtherFolders(place, ownFolder(storage('chats')));
  });
}

/** Tells other windows where this one's chats are, and opens the chat that another window asked for. */
export function followFolders(
  { parts, onDidFocus }: Window,
  chats: Chats,
  folders: () => Promise<OtherFolders>,
  restored: Promise<void>,
  show: (chatId: string) => Promise<void>,
): void {
  const look = async (): Promise<void> => {
    await restored;
    if (chats.all.length === 0) return;
    const own = await folders();
    await own.register();
    const chatId = await own.takeAsked();
    if (chatId !== undefined && chats.get(chatId)) await show(chatId);
  };
  void look();
  parts.add(onDidFocus(() => void look()));
}
