import { diffLines } from '../../src/review/core/lineDiff';
import { splitLines } from '../../src/review/core/lines';

export interface ReviewRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const ROUNDS = 15;
const BUDGET = 50;

/** What it takes to find the hunks of a file of which an agent changed a line in every 400. */
export function benchHunks(): ReviewRow[] {
  return [10_000, 40_000].map(lines => {
    const [before, after] = edited(lines);
    const times = Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      const hunks = diffLines(splitLines(before), splitLines(after));
      const time = performance.now() - start;
      if (hunks.length !== Math.floor(lines / 400)) throw new Error(`${hunks.length} hunks`);
      return time;
    }).sort((a, b) => a - b);
    return {
      name: `hunks of a file of ${lines.toLocaleString('en')} lines`,
      value: times[Math.floor(ROUNDS / 2)] ?? Number.NaN,
      unit: 'ms',
      note: lines === 10_000 ? `median of ${ROUNDS}, budget ${BUDGET} ms` : `median of ${ROUNDS}`,
    };
  });
}

/** As in real code, most lines occur more than once. */
function edited(lines: number): [string, string] {
  const line = (index: number) => `  call(${index % 37 === 0 ? index : index % 200});\n`;
  const all = Array.from({ length: lines }, (_, index) => line(index));
  const changed = all.map((text, index) => (index % 400 === 7 ? `changed ${index}\nmore\n` : text));
  return [all.join(''), changed.join('')];
}
