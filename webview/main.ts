import { connectHost } from './host';
import { linkFiles } from './markdown/linkFiles';
import { QueryClient } from './queryClient';
import { ViewStore } from './store';
import { setSyntaxColors } from './syntaxColors';
import { loadTexts } from './texts';
import { followTheme } from './theme';
import { ParleyApp } from './components/app';
import './transcript/transcriptElement';

/** Starts the page: translations first, then the elements, then the word to the host that it is ready. */
function boot(): void {
  loadTexts();
  followTheme(setSyntaxColors);

  const host = connectHost();
  reportErrors(message => host.post({ type: 'viewError', message }));

  const store = new ViewStore(message => host.post(message), {
    now: () => Date.now(),
    nextFrame: task => void requestAnimationFrame(task),
  });
  const queries = new QueryClient(message => host.post(message), crypto.randomUUID());
  host.onMessage(message => {
    store.accept(message);
    queries.accept(message);
  });

  const memory = host.recall() ?? { viewId: crypto.randomUUID() };
  const app = document.querySelector('parley-app');
  if (app instanceof ParleyApp) {
    app.connect(host, store, memory, queries);
    linkFiles(app, store, queries);
  }
  host.post({ type: 'ready', viewId: memory.viewId });

  // What was sent while the page was hidden may be lost.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') host.post({ type: 'resync' });
  });
}

function reportErrors(report: (message: string) => void): void {
  window.addEventListener('error', event => report(`${event.message} (${event.filename})`));
  window.addEventListener('unhandledrejection', event => report(String(event.reason)));
}

boot();
