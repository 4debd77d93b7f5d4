import { agentChanged, EMPTY_LEDGER, pendingAt, userChanged } from '../../src/review/core/ledger';
import { diffLines } from '../../src/base/lineDiff';
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

/** What each key costs that the user types outside the agent's changes. Taken up ten times a second at most. */
export function benchTyping(): ReviewRow[] {
  const [before, after] = edited(40_000, 100);
  const text = (value: string) => ({ kind: 'text' as const, text: value });
  const turn = { chatId: 'chat', turnId: 'turn' };
  let ledger = agentChanged(EMPTY_LEDGER, '/file', text(before), text(after), turn);
  const hunks = pendingAt(ledger, '/file')?.hunks.length;
  const lines = after.split('\n');
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    lines[20_050] = `  call('${'x'.repeat(round)}');`;
    const typed = text(lines.join('\n'));
    const start = performance.now();
    ledger = userChanged(ledger, '/file', typed);
    const found = pendingAt(ledger, '/file')?.hunks.length;
    const time = performance.now() - start;
    if (found !== hunks) throw new Error(`${found} hunks`);
    return time;
  }).sort((a, b) => a - b);
  return [
    {
      name: `a key in a file of 40,000 lines with ${hunks} hunks`,
      value: times[Math.floor(ROUNDS / 2)] ?? Number.NaN,
      unit: 'ms',
      note: `median of ${ROUNDS}`,
    },
  ];
}

/** As in real code, most lines occur more than once. */
function edited(lines: number, every = 400): [string, string] {
  const line = (index: number) => `  call(${index % 37 === 0 ? index : index % 200});\n`;
  const all = Array.from({ length: lines }, (_, index) => line(index));
  const changed = all.map((text, index) =>
    index % every === 7 ? `changed ${index}\nmore\n` : text,
  );
  return [all.join(''), changed.join('')];
}
