import { inPage, type BenchPage } from './page';
import {
  ACTIONS_OF_STEP,
  COMMAND,
  ENDED,
  LARGE,
  longChat,
  output,
  prompted,
  running,
  steps,
} from './longChats';
import type { Row } from './wire.bench';

const MEGABYTE = 1024 * 1024;
/** Steps of a turn (message, tool call, result), few and many. */
const FEW = 60;
const MANY = 5_000;
/** Steps whose cost is measured, and how many of them come in a frame. */
const MEASURED = 300;
const IN_FRAME = 5;

/** What a turn costs the page as it grows, as it is scrolled, and as the next prompt folds it. */
export function benchLongTurn(): Promise<Row[]> {
  return inPage(async bench => {
    // The first round is for the compiler.
    await grown(bench, FEW);
    const few = await grown(bench, FEW);
    const many = await grown(bench, MANY);
    const all = `${MANY} steps against ${FEW}`;
    return [
      ratio(`a step of a turn, ${all}`, many.step, few.step),
      ratio(`scrolling a view up, ${all}`, many.scroll, few.scroll),
      ratio(`the end of the turn, ${all}`, many.end, few.end),
      ratio(`the next prompt, which folds it, ${all}`, many.next, few.next),
      ratio(`elements in the document, ${all}`, many.nodes, few.nodes, ''),
    ];
  });
}

async function grown(bench: BenchPage, count: number) {
  await bench.show(running('long', steps('long', 0, count)));
  const more = steps('long', count, count + MEASURED);
  const streamed = await bench.busy(() => bench.send(more, ACTIONS_OF_STEP * IN_FRAME));
  const nodes = await bench.nodes();
  const scrolled = await bench.busy(() => scrollUp(bench, VIEWS));
  await bench.page.locator('.log').evaluate(log => (log.scrollTop = log.scrollHeight));
  const end = await bench.busy(() => bench.send([ENDED]));
  const next = await bench.busy(() => bench.send([prompted('next')]));
  return { step: streamed / MEASURED, scroll: scrolled / VIEWS, end, next, nodes };
}

const VIEWS = 12;

function scrollUp(bench: BenchPage, views: number): Promise<void> {
  return bench.page.locator('.log').evaluate(async (log, count) => {
    for (let view = 0; view < count; view += 1) {
      log.scrollTop -= log.clientHeight;
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    }
  }, views);
}

/** What a chat with very many messages costs to open, to type in, and to leave alone. */
export function benchLongChat(): Promise<Row[]> {
  return inPage(async bench => {
    const [short, long] = [longChat(40), longChat(10_000)];
    await bench.show(short);
    const openedShort = await best(3, () => bench.show(short));
    const keyShort = await best(3, () => typed(bench));
    const nodesShort = await bench.nodes();
    const opened = await best(3, () => bench.show(long));
    const key = await best(3, () => typed(bench));
    const nodes = await bench.nodes();
    const idle = await bench.busy(() => bench.page.waitForTimeout(2000));
    await bench.page.evaluate(() => document.querySelector('parley-app')?.remove());
    const empty = await bench.busy(() => bench.page.waitForTimeout(2000));
    const parsed = await best(3, () => parse(bench, JSON.stringify(long)));
    const name = '10,000 messages';
    return [
      ratio(`${name}: from the state to the next key, of 300 ms`, opened, 300),
      ratio(`${name}: the same against JSON.parse of the state`, opened, parsed),
      ratio(`${name}: the same against 40 messages`, opened, openedShort),
      ratio(`${name}: a key, of 16 ms`, key, 16),
      ratio(`${name}: a key against one in 40 messages`, key, keyShort),
      ratio(`${name}: elements against those of 40`, nodes, nodesShort, ''),
      {
        name: `${name}: busy in two idle seconds`,
        value: idle,
        unit: 'ms',
        note: `${empty.toFixed(1)} ms without the page's content`,
      },
    ];
  });
}

const KEYS = 40;

/** Milliseconds of the main thread for a key. */
async function typed(bench: BenchPage): Promise<number> {
  await bench.page.getByRole('textbox', { name: 'Message' }).focus();
  const busy = await bench.busy(async () => {
    for (let key = 0; key < KEYS; key += 1) await bench.page.keyboard.press('a');
  });
  return busy / KEYS;
}

function parse(bench: BenchPage, json: string): Promise<number> {
  return bench.page.evaluate(text => {
    const start = performance.now();
    JSON.parse(text);
    return performance.now() - start;
  }, json);
}

/** What is large by itself against a small one of its kind, and output without end. */
export function benchLargeParts(): Promise<Row[]> {
  return inPage(async bench => {
    const rows: Row[] = [];
    for (const [name, part] of Object.entries(LARGE)) {
      const [small, large] = [running('large', part(true)), running('large', part(false))];
      const smallTime = await best(3, () => bench.show(small));
      const smallNodes = await bench.nodes();
      const time = await best(3, () => bench.show(large));
      rows.push(ratio(`${name}: opening against a small one`, time, smallTime));
      rows.push(ratio(`${name}: elements`, await bench.nodes(), smallNodes, ''));
    }
    await bench.show(running('large', COMMAND));
    const megabytes = async (count: number): Promise<number> => {
      const piece = [output(MEGABYTE / 4)];
      return bench.busy(async () => {
        for (let n = 0; n < count * 4; n += 1) await bench.send(piece);
      });
    };
    await megabytes(2);
    const first = await megabytes(4);
    await megabytes(90);
    const last = await megabytes(4);
    rows.push(ratio('a megabyte of output after 100 against after 2', last, first));
    return rows;
  });
}

function ratio(name: string, value: number, against: number, unit = 'ms'): Row & { note: string } {
  const note =
    unit === '' ? `${value} against ${against}` : `${value.toFixed(2)} of ${against.toFixed(2)} ms`;
  return { name, value: value / against, unit: '×', note };
}

async function best(times: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < times; time += 1) least = Math.min(least, await measure());
  return least;
}
