import { PathList } from '../../src/base/pathList';
import { timed } from './processorTime';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

const FEW = 5_000;
const MANY = 50_000;
const LIMIT = 30;
const ROUNDS = 15;
/** Typed key by key. */
const TYPED = ['retry', 'shretry', 'http/re', 'index.ts', 'zqx'];

const FOLDERS = ['src', 'lib', 'test', 'packages', 'docs'];
const ROOMS = ['http', 'orders', 'billing', 'editor', 'core', 'shared', 'utils', 'model'];
const WORDS = ['retry', 'parse', 'date', 'user', 'invoice', 'queue', 'stream', 'panel', 'index'];

/** Milliseconds. */
const BUDGET = 50;

/** What a key costs while a mention is typed. */
export function benchMentions(): Promise<Row[]> {
  const many = slowestKey(pathsOf(MANY));
  const few = slowestKey(pathsOf(FEW));
  const { key, ms } = many;
  return Promise.resolve([
    {
      name: `the slowest key in ${MANY} files, of ${BUDGET} ms`,
      value: ms / BUDGET,
      unit: '×',
      note: `"${key}", ${ms.toFixed(1)} ms`,
    },
    { name: `against ${FEW}, each file`, value: ms / MANY / (few.ms / FEW), unit: '×' },
    { name: 'against lower case of all paths', value: ms / lowerCase(pathsOf(MANY)), unit: '×' },
  ]);
}

/** Of each key its best time, whatever else the machine does; of those the slowest. */
function slowestKey(paths: readonly string[]): { readonly key: string; readonly ms: number } {
  const best = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const text of TYPED) {
      const list = new PathList(paths);
      for (let end = 1; end <= text.length; end++) {
        const typed = text.slice(0, end);
        const ms = timed(() => list.search(typed, LIMIT));
        best.set(typed, Math.min(ms, best.get(typed) ?? Infinity));
      }
    }
  }
  const [key, ms] = [...best].reduce((a, b) => (b[1] > a[1] ? b : a));
  return { key, ms };
}

function lowerCase(paths: readonly string[]): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    let length = 0;
    const ms = timed(() => {
      for (const path of paths) length += path.toLowerCase().length;
    });
    if (length > 0) best = Math.min(best, ms);
  }
  return best;
}

function pathsOf(count: number): readonly string[] {
  const of = (words: readonly string[], index: number) => words[index % words.length] ?? '';
  return Array.from({ length: count }, (_, index) => {
    const next = of(WORDS, Math.floor(index / 7));
    const name = `${of(WORDS, index)}${next.charAt(0).toUpperCase()}${next.slice(1)}`;
    const room = `${of(ROOMS, Math.floor(index / 3))}${index % 311}`;
    return `${of(FOLDERS, Math.floor(index / 11))}/${room}/${name}${index}.ts`;
  });
}
