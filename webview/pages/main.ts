import { loadTexts } from '../texts';
import { followTheme } from '../theme';
import { PageElement } from './pageElement';
import './browse';
import './doctor';
import './traffic';

/** Starts a page in an editor tab: the texts first, then the word to the host that the page is ready. */
function boot(): void {
  loadTexts();
  followTheme();
  const host = acquireVsCodeApi();
  const page = document.body.firstElementChild;
  if (page instanceof PageElement) page.connect(message => host.postMessage(message));
}

boot();
