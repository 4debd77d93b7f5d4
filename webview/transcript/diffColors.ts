import { html, type TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import type { TokenStream } from 'prismjs';
import type { DiffLine } from '../../src/session/state/content';
import {
  classOf,
  colorWhenIdle,
  loadedHighlighter,
  MAX_COLORED,
  piecesOf,
  type Tokenize,
} from '../highlighter/idleHighlighter';
import { languageOfFile } from '../highlighter/languages';
import { visible } from './visibleText';

/** Lines with more text (in UTF-16 units) are colored when the browser is idle, not as they are drawn. */
const MAX_AT_ONCE = 2000;

/** A piece of a line, and the class of what has a look of its own. */
interface Piece {
  readonly text: string;
  readonly kind?: string | undefined;
}
type Line = readonly Piece[];

const known = new WeakMap<readonly DiffLine[], readonly Line[]>();

/** Lines of a diff in the colors of their language, as soon as they are known. */
class ColoredLines extends AsyncDirective {
  private shown: readonly DiffLine[] | undefined;

  override render(lines: readonly DiffLine[], path: string): unknown {
    this.shown = lines;
    const language = languageOfFile(path);
    const length = lines.reduce((sum, { text }) => sum + text.length, 0);
    const colors = known.get(lines);
    if (colors || language === undefined || length > MAX_COLORED) return linesView(lines, colors);
    const tokenize = loadedHighlighter();
    if (tokenize && length <= MAX_AT_ONCE) {
      return linesView(lines, colorsOf(lines, language, tokenize));
    }
    colorWhenIdle(given => {
      if (!this.isConnected || this.shown !== lines) return;
      this.setValue(linesView(lines, colorsOf(lines, language, given)));
    });
    return linesView(lines);
  }
}

export const coloredLines = directive(ColoredLines);

// Written without gaps: every character inside `pre` shows.
function linesView(
  lines: readonly DiffLine[],
  colors?: readonly Line[],
): readonly TemplateResult[] {
  return lines.map(
    (line, at) =>
      html`<span class=${line.sign === '+' ? 'l a' : line.sign === '-' ? 'l d' : 'l'}
        >${lineView(line.text, colors?.[at])}</span
      >`,
  );
}

function lineView(text: string, pieces: Line | undefined): unknown {
  const marked = visible(text);
  // What deceives the eye is marked in words, which pieces would cut.
  if (!pieces || typeof marked !== 'string') return marked;
  return pieces.map(piece =>
    piece.kind === undefined ? piece.text : html`<span class=${piece.kind}>${piece.text}</span>`,
  );
}

function colorsOf(
  lines: readonly DiffLine[],
  language: string,
  tokenize: Tokenize,
): readonly Line[] {
  const colors = colorLines(lines, code => tokenize(code, language));
  known.set(lines, colors);
  return colors;
}

/** The text before the change and the one after it are code of their own. */
export function colorLines(
  lines: readonly DiffLine[],
  tokensOf: (code: string) => TokenStream | undefined,
): readonly Line[] {
  const colors: Line[] = [];
  for (const sign of ['-', '+'] as const) {
    const side = [...lines.keys()].filter(at => [sign, ' '].includes(lines[at]?.sign ?? ''));
    const code = side.map(at => lines[at]?.text).join('\n');
    for (const [nth, line] of linesOf(tokensOf(code) ?? code).entries()) {
      const at = side[nth];
      if (at !== undefined) colors[at] = line;
    }
  }
  return colors;
}

function linesOf(stream: TokenStream): readonly Line[] {
  const lines: Piece[][] = [[]];
  const add = (inner: TokenStream, kind: string | undefined): void => {
    for (const token of piecesOf(inner)) {
      if (typeof token !== 'string') {
        add(token.content, classOf(token) ?? kind);
        continue;
      }
      for (const [at, text] of token.split('\n').entries()) {
        if (at > 0) lines.push([]);
        const line = lines.at(-1);
        const last = line?.at(-1);
        if (last?.kind === kind && last) line?.splice(-1, 1, { text: last.text + text, kind });
        else if (text !== '') line?.push({ text, kind });
      }
    }
  };
  add(stream, undefined);
  return lines;
}
