import * as l10n from '@vscode/l10n';
import { useLanguage } from '../src/base/language';

/** The host puts the texts of the user's language into the page; without them the English ones stand. */
export function loadTexts(): void {
  const contents = document.getElementById('l10n')?.textContent?.trim();
  if (contents && contents !== '{}') l10n.config({ contents });
  useLanguage(document.documentElement.lang, navigator.languages);
}
