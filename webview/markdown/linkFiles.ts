import type { QueryClient } from '../queryClient';
import type { ViewStore } from '../store';
import type { FileLinks } from './fileLinks';

/** Makes links of the files that the finished prose on `page` names, in the chat that `store` holds. */
export function linkFiles(page: EventTarget, store: ViewStore, queries: QueryClient): void {
  let chatId = store.session?.chatId;
  let running = false;
  /** Loaded with the first prose. */
  let loading: Promise<FileLinks> | undefined;

  async function find(links: readonly string[]): Promise<readonly string[]> {
    return (await queries.ask({ type: 'existingLinks', links }, chatId)).existing;
  }
  async function load(): Promise<FileLinks> {
    const { FileLinks } = await import('./fileLinks');
    return new FileLinks(find);
  }

  page.addEventListener('parley-prose', ({ target }) => {
    loading ??= load();
    void loading.then(links => {
      if (target instanceof Element) links.add(target);
    });
  });
  store.onDidChange(() => {
    const { session } = store;
    if (session?.chatId !== chatId) void loading?.then(links => links.clear());
    else if (running && !session?.activeTurn) void loading?.then(links => links.again());
    chatId = session?.chatId;
    running = session?.activeTurn !== undefined;
  });
}
