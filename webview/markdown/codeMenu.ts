import * as l10n from '@vscode/l10n';
import { rove } from '../a11y/roving';

/** Opens what a narrow block of code has no room for, below its button `more`. */
export function openCodeMenu(more: HTMLElement): void {
  const bar = more.parentElement;
  if (!bar) return;
  const hidden = [...bar.querySelectorAll<HTMLElement>('button.wide')];
  const menu = document.createElement('div');
  menu.className = 'menu over';
  menu.popover = 'auto';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', l10n.t('More Code Actions'));
  menu.append(...hidden.map(button => itemFor(button, menu)));
  menu.addEventListener('keydown', event => {
    // The conversation has its own use for the arrows.
    event.stopPropagation();
    if (event.key === 'Tab') menu.hidePopover();
    else rove(event, [...menu.querySelectorAll<HTMLElement>('button')], 'vertical');
  });
  menu.addEventListener('toggle', ({ newState }) => {
    more.setAttribute('aria-expanded', String(newState === 'open'));
    if (newState === 'closed') menu.remove();
  });
  bar.append(menu);
  menu.showPopover();
  place(menu, more.getBoundingClientRect());
  menu.querySelector('button')?.focus();
}

function itemFor(button: HTMLElement, menu: HTMLElement): HTMLElement {
  const item = document.createElement('button');
  item.type = 'button';
  item.setAttribute('role', 'menuitem');
  item.tabIndex = -1;
  item.textContent = button.getAttribute('aria-label');
  item.addEventListener('click', event => {
    event.stopPropagation();
    menu.hidePopover();
    button.click();
  });
  return item;
}

/** Below the button, or above it where there is no room. */
function place(menu: HTMLElement, { top, bottom, right }: DOMRect): void {
  const height = menu.offsetHeight;
  const below = bottom + 4 + height <= window.innerHeight;
  menu.style.top = `${below ? bottom + 4 : Math.max(4, top - 4 - height)}px`;
  menu.style.left = `${Math.max(4, right - menu.offsetWidth)}px`;
}
