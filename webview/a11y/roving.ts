/**
 * One Tab stop for a group of controls, arrows within it. Moves the focus among `items` as `event` asks and
 * says whether it did. Items that are hidden or disabled are left out.
 */
export function rove(
  event: KeyboardEvent,
  items: readonly HTMLElement[],
  axis: 'horizontal' | 'vertical',
): boolean {
  const usable = items.filter(item => item.getClientRects().length > 0 && !isDisabled(item));
  const current = usable.findIndex(item => item.contains(document.activeElement));
  const next = target(event.key, axis, current, usable.length);
  const item = next === undefined ? undefined : usable[next];
  if (!item) return false;
  event.preventDefault();
  for (const other of items) other.tabIndex = other === item ? 0 : -1;
  item.focus();
  return true;
}

/**
 * Makes sure that exactly one of `items` can be reached with Tab, also after the one that could has gone.
 */
export function keepOneTabStop(items: readonly HTMLElement[]): void {
  const usable = items.filter(item => item.getClientRects().length > 0);
  const stop = usable.find(item => item.tabIndex === 0) ?? usable[0];
  for (const item of items) item.tabIndex = item === stop ? 0 : -1;
}

function target(
  key: string,
  axis: 'horizontal' | 'vertical',
  current: number,
  count: number,
): number | undefined {
  if (count === 0) return undefined;
  const [back, on] = axis === 'horizontal' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  switch (key) {
    case back:
      return (current - 1 + count) % count;
    case on:
      return (current + 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function isDisabled(item: HTMLElement): boolean {
  return item.hasAttribute('disabled') || item.getAttribute('aria-disabled') === 'true';
}
