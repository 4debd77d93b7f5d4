/** A script of its own, with its style sheet and fonts: loaded with the first finished text that has a formula. */
import katex from 'katex';

/** As much as a formula may grow by its own macros, and as large as what it draws may be, in em. */
const MAX_EXPAND = 200;
const MAX_SIZE = 20;

let isStyled = false;

/** Draws the formula that `element` names. One that cannot be read stays as it is written. */
export function drawMath(element: HTMLElement): void {
  const { math, formula } = element.dataset;
  if (formula === undefined || element.dataset['drawn'] !== undefined) return;
  element.dataset['drawn'] = '';
  loadStyles();
  const drawn = document.createElement('span');
  try {
    katex.render(formula, drawn, {
      displayMode: math === 'block',
      maxExpand: MAX_EXPAND,
      maxSize: MAX_SIZE,
      strict: 'ignore',
      trust: false,
    });
  } catch {
    return;
  }
  element.title = formula;
  // A wide one scrolls, with the keyboard too.
  if (math === 'block') {
    element.className = 'formula';
    element.tabIndex = -1;
  }
  element.replaceChildren(...drawn.childNodes);
}

function loadStyles(): void {
  if (isStyled) return;
  isStyled = true;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL('../math.css', import.meta.url).href;
  document.head.append(link);
}
