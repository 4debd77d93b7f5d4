import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import type { Terminal } from '../../src/session/state/state';
import { TerminalPalette, type AnsiRun } from './ansi';
import type { ViewContext } from './context';
import { countLines, terminalLines } from './terminalText';

/** Lines a card shows before "Show all". */
const LAST_LINES = 10;
/** And characters of them, for output without line ends. */
const LAST_UNITS = 4000;

/** The output of a command: the last lines, live; all that is kept on request. */
export function terminalView(
  context: ViewContext,
  terminal: Terminal,
  key: string,
): TemplateResult {
  const running = terminal.exit === undefined;
  return html`${outputView(context, terminal.output, key, running)}
  ${
    terminal.truncated && context.folds.get(key, false)
      ? html`<p class="note">${l10n.t('Earlier output was dropped.')}</p>`
      : nothing
  }`;
}

/** Output as text with escape sequences, from a terminal or from a tool that tells it as content. */
export function outputView(
  context: ViewContext,
  output: string,
  key: string,
  running: boolean,
): TemplateResult | typeof nothing {
  const all = context.folds.get(key, false);
  return html`${guard([output, all, running, context.theme], () => {
    const total = countLines(output);
    const { lines } = terminalLines(output, all ? undefined : LAST_LINES);
    const shown = all ? lines : lastUnits(lines);
    if (shown.length === 0 && !running) return nothing;
    const more = !all && (total > LAST_LINES || shown !== lines);
    return html`${output === '' ? nothing : pre(context, shown, running, all)}
    ${more ? moreButton(context, key, total) : nothing}`;
  })}`;
}

function pre(
  context: ViewContext,
  lines: readonly string[],
  running: boolean,
  all: boolean,
): TemplateResult {
  const palette = paletteOf(context.theme);
  const cursor = running ? html`<span class="cur"></span>` : nothing;
  return html`<pre
    class=${all ? 'term all' : 'term'}
    tabindex="-1"
    aria-label=${l10n.t('Terminal output')}
    aria-live="off"
    ${ref(showEnd)}
  >
${lines.map((line, index) => html`${index > 0 ? '\n' : ''}${palette.runs(line).map(runView)}`)}${cursor}</pre>`;
}

/** The last lines are the ones to see, also where they wrap into more than fits. */
function showEnd(element?: Element): void {
  if (element) queueMicrotask(() => (element.scrollTop = element.scrollHeight));
}

function runView(run: AnsiRun): TemplateResult | string {
  if (run.classes === '' && !run.color && !run.background) return run.text;
  // Not `styleMap`: that writes a style attribute at first, which the content security policy forbids.
  const paint = (element?: Element): void => {
    if (!(element instanceof HTMLElement)) return;
    element.style.color = run.color ?? '';
    element.style.backgroundColor = run.background ?? '';
  };
  return html`<span class=${run.classes} ${ref(paint)}>${run.text}</span>`;
}

function moreButton(context: ViewContext, key: string, total: number): TemplateResult {
  return html`<button
    type="button"
    class="term-more"
    tabindex="-1"
    @click=${() => context.folds.set(key, true)}
  >
    ${total > 1 ? l10n.t('Show all {0} lines', total) : l10n.t('Show all')}
  </button>`;
}

function lastUnits(lines: readonly string[]): readonly string[] {
  let units = 0;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    units += lines[index]?.length ?? 0;
    if (units > LAST_UNITS) {
      const line = lines[index] ?? '';
      return ['…' + line.slice(units - LAST_UNITS), ...lines.slice(index + 1)];
    }
  }
  return lines;
}

let palette: { readonly theme: number; readonly value: TerminalPalette } | undefined;

function paletteOf(theme: number): TerminalPalette {
  if (palette?.theme !== theme) {
    palette = { theme, value: new TerminalPalette(getComputedStyle(document.documentElement)) };
  }
  return palette.value;
}
