/** Pixels by which a prompt may be off the top of the view and still be the one that is read. */
const SLACK = 8;

/** Brings the prompt before or after the one that has the focus, or else that is at the top of `log`, into view. */
export function stepPrompt(log: HTMLElement, step: -1 | 1): void {
  const prompts = [...log.querySelectorAll<HTMLElement>('.turn > .prompt')];
  const focused = document.activeElement?.closest('.turn');
  const at = prompts.findIndex(({ parentElement }) => parentElement === focused);
  const target = at >= 0 ? prompts[at + step] : besides(log, prompts, step);
  if (!target) return;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'start' });
}

function besides(
  log: HTMLElement,
  prompts: readonly HTMLElement[],
  step: -1 | 1,
): HTMLElement | undefined {
  const { top } = log.getBoundingClientRect();
  const offset = (prompt: HTMLElement): number => prompt.getBoundingClientRect().top - top;
  return step < 0
    ? prompts.findLast(prompt => offset(prompt) < -SLACK)
    : prompts.find(prompt => offset(prompt) > SLACK + scrollMargin(prompt));
}

function scrollMargin(prompt: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(prompt).scrollMarginTop) || 0;
}
