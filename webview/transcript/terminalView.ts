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
  return html`${outputView(context, outputOf(terminal), key, running)}
  ${
    terminal.truncated && context.folds.get(key, false)
      ? html`<p class="note">${l10n.t('Earlier output was removed.')}</p>`
      : nothing
  }`;
}

/** From a line on where its beginning was dropped: a cut may be inside of an escape sequence. */
function outputOf({ output, screen = '', truncated }: Terminal): string {
  const first = truncated ? output.indexOf('\n') + 1 : 0;
  return output.slice(first) + screen;
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
    return html`${output === '' ? nothing : pre(context, shown, running, all, key)}
    ${more ? moreButton(context, key, total) : nothing}`;
  })}`;
}

function pre(
  context: ViewContext,
  lines: readonly string[],
  running: boolean,
  all: boolean,
  key: string,
): TemplateResult {
  const palette = paletteOf(context.theme);
  const cursor = running ? html`<span class="cur"></span>` : nothing;
  return html`<pre
    class=${['term', all ? 'all' : '', running || !all ? 'tail' : ''].filter(Boolean).join(' ')}
    data-fold=${key}
    tabindex="-1"
    aria-label=${l10n.t('Terminal output')}
    aria-live="off"
  ><b class="lines">${lines.map(
    (line, index) =>
      html`${index > 0 ? '\n' : ''}${palette.runs(line).map(run => runView(context, run))}`,
  )}${cursor}</b></pre>`;
}

function runView(context: ViewContext, run: AnsiRun): TemplateResult | string {
  const { href } = run;
  if (href !== undefined) {
    const open = () => context.send({ type: 'openLink', href });
    return html`<a
      role="link"
      tabindex="-1"
      title=${href}
      @click=${open}
      @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && open()}
      >${lookView(run)}</a
    >`;
  }
  return lookView(run);
}

function lookView(run: AnsiRun): TemplateResult | string {
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
