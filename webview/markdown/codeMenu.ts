import * as l10n from '@vscode/l10n';
import { openMenu } from '../ui/popupMenu';

/** Opens what a narrow block of code has no room for, below its button `more`. */
export function openCodeMenu(more: HTMLElement): void {
  const hidden = more.parentElement?.querySelectorAll<HTMLElement>('button.wide') ?? [];
  const items = [...hidden].map(button => ({
    label: button.getAttribute('aria-label') ?? '',
    run: () => button.click(),
  }));
  openMenu(more, l10n.t('More Code Actions'), items);
}
