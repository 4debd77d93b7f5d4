import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { ViewContext } from './context';

/** Lines of what a request shows before its buttons would leave the view. */
const MAX_LINES = 30;

/** Something long in a request: all of it is in a box that scrolls, and can be shown without the box. */
export function capped(
  context: ViewContext,
  key: string,
  label: string,
  lines: number,
  whole: TemplateResult,
): TemplateResult {
  if (lines <= MAX_LINES || context.folds.get(key, false)) return whole;
  return html`<div class="capped">
    <div class="box" role="region" tabindex="0" aria-label=${label}>${whole}</div>
    <button type="button" class="more" @click=${() => context.folds.set(key, true)}>
      ${l10n.t('Show All {0} Lines', lines)}
    </button>
  </div>`;
}

/** Lines that a text takes, about: long ones wrap. */
export function shownLines(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 80), 0);
}
