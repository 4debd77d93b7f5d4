import { lexBlocks, lexInline, NO_LINKS } from '../../webview/markdown/blocks';
import { BOMBS } from '../webview/transcript/bombs';
import type { StreamingRow as Row } from './streaming.bench';

const ROUNDS = 3;
const PIECES = 4_000;

/**
 * What text costs that is made to be dear: four times as much of it against once (4 × where time grows with the length),
 * and one character of it against one of prose.
 */
export function benchMarkdownBombs(): Promise<Row[]> {
  const prose = (pieces: number) => 'Words and `code` in a paragraph.\n\n'.repeat(pieces);
  // Once for the compiler.
  for (const make of Object.values(BOMBS)) cost(make(500));
  const plain = cost(prose(PIECES)) / prose(PIECES).length;
  const rows = Object.entries(BOMBS).flatMap(([name, make]): Row[] => {
    const [once, more] = [cost(make(PIECES)), cost(make(4 * PIECES))];
    const each = more / make(4 * PIECES).length;
    const note = `${(each / plain).toFixed(2)} × prose a character`;
    // Too short to be measured says nothing of growth.
    return [{ name, value: more / Math.max(once, 1), unit: '×', note }];
  });
  return Promise.resolve(rows.toSorted((a, b) => b.value - a.value));
}

/** Milliseconds; the best of some rounds, as the machine does other things too. */
function cost(source: string): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    for (const block of lexBlocks(source, NO_LINKS).blocks) lexInline(block, NO_LINKS);
    return performance.now() - start;
  });
  return Math.min(...times);
}
