import { allTurns } from '../../src/session/state/selectors';
import type { SessionState, Turn } from '../../src/session/state/state';

/** Pixels by which a prompt may be off the top of the view and still be the one that is read. */
const SLACK = 8;

/** The turn whose prompt is before or after the one that has the focus, or else that is at the top of `log`. */
export function steppedTo(
  log: HTMLElement,
  session: SessionState,
  step: -1 | 1,
): string | undefined {
  const prompts = allTurns(session).filter(({ prompt }) => prompt !== undefined);
  const focused = document.activeElement?.closest<HTMLElement>('.turn')?.dataset['turnId'];
  const at = prompts.findIndex(({ id }) => id === focused);
  return at >= 0 ? prompts[at + step]?.id : besides(log, prompts, step)?.id;
}

/** By those that are in the document: what is out of it is farther away. */
function besides(log: HTMLElement, prompts: readonly Turn[], step: -1 | 1): Turn | undefined {
  const { top } = log.getBoundingClientRect();
  const drawn = [...log.querySelectorAll<HTMLElement>('.turn > .prompt')];
  const offset = (prompt: HTMLElement): number => prompt.getBoundingClientRect().top - top;
  const near =
    step < 0
      ? drawn.findLast(prompt => offset(prompt) < -SLACK)
      : drawn.find(prompt => offset(prompt) > SLACK + scrollMargin(prompt));
  if (near) return prompts.find(({ id }) => id === near.parentElement?.dataset['turnId']);
  const edge = (step < 0 ? drawn[0] : drawn.at(-1))?.parentElement?.dataset['turnId'];
  return prompts[prompts.findIndex(({ id }) => id === edge) + step];
}

/** The turn at the top of the view. */
export function readTurn(log: HTMLElement): HTMLElement | undefined {
  const { top } = log.getBoundingClientRect();
  const turns = [...log.querySelectorAll<HTMLElement>('.turn')];
  return turns.find(turn => turn.getBoundingClientRect().bottom > top + SLACK);
}

function scrollMargin(prompt: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(prompt).scrollMarginTop) || 0;
}
