import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { FolderChats } from '../../src/shared/queries';
import type { Ask } from '../composer/mentionList';
import { chatRow } from './rows';

/** The chats of other folders, read when they are shown; of a text only those in which it stands. */
export class FolderSearch {
  private asked: string | undefined;
  private folders: readonly FolderChats[] | undefined;
  private running = new AbortController();

  constructor(private readonly changed: () => void) {}

  find(query: string, ask: Ask): void {
    const text = query.trim();
    if (text === this.asked) return;
    this.running.abort();
    this.running = new AbortController();
    this.asked = text;
    const settle = (folders: readonly FolderChats[]): void => {
      if (text !== this.asked) return;
      this.folders = folders;
      this.changed();
    };
    ask({ type: 'otherFolders', text }, this.running.signal).then(
      ({ folders }) => settle(folders),
      () => settle([]),
    );
  }

  /** What is found is out of date with the next look. */
  stop(): void {
    this.running.abort();
    this.asked = undefined;
  }

  rows(
    query: string,
    now: number,
    open: (folderId: string, chatId: string) => void,
  ): TemplateResult {
    const { folders } = this;
    if (!folders || folders.length === 0) {
      const text = folders ? l10n.t('No chats in other folders.') : l10n.t('Reading…');
      return html`<p class="none" role="status">${text}</p>`;
    }
    return html`${folders.map(
      ({ folderId, name, title, chats }) =>
        html`<h3 class="group-h" title=${title}>${name}</h3>
          <ul>
            ${repeat(
              chats,
              ({ chatId }) => chatId,
              ({ preview, ...chat }) =>
                chatRow(
                  { ...chat, state: 'stopped' },
                  {
                    isCurrent: false,
                    now,
                    query,
                    preview,
                    open: () => open(folderId, chat.chatId),
                    actions: html`${nothing}`,
                  },
                ),
            )}
          </ul>`,
    )}`;
  }
}
