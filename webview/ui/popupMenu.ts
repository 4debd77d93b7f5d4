import { rove } from '../a11y/roving';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

/** Opens a menu below the button `more`, in the top layer, where nothing cuts it. */
export function openMenu(more: HTMLElement, label: string, items: readonly MenuItem[]): void {
  const menu = document.createElement('div');
  menu.className = 'menu over';
  menu.popover = 'auto';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', label);
  menu.append(...items.map(item => elementOf(item, menu)));
  menu.addEventListener('keydown', event => {
    // What the menu stands in has its own use for the arrows.
    event.stopPropagation();
    if (event.key === 'Tab') menu.hidePopover();
    else rove(event, [...menu.querySelectorAll<HTMLElement>('button')], 'vertical');
  });
  menu.addEventListener('toggle', ({ newState }) => {
    more.setAttribute('aria-expanded', String(newState === 'open'));
    if (newState === 'closed') menu.remove();
  });
  more.after(menu);
  menu.showPopover();
  place(menu, more.getBoundingClientRect());
  menu.querySelector('button')?.focus();
}

function elementOf({ label, run }: MenuItem, menu: HTMLElement): HTMLElement {
  const item = document.createElement('button');
  item.type = 'button';
  item.setAttribute('role', 'menuitem');
  item.tabIndex = -1;
  item.textContent = label;
  item.addEventListener('click', event => {
    event.stopPropagation();
    menu.hidePopover();
    run();
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
