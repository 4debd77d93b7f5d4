import { inPage, type BenchPage, type Idle } from './page';
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

/** What a chat with very many messages costs to open and to type in. */
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
    const parsed = await best(3, () => parse(bench, JSON.stringify(long)));
    const name = '10,000 messages';
    return [
      ratio(`${name}: from the state to the next key, of 300 ms`, opened, 300),
      ratio(`${name}: the same against JSON.parse of the state`, opened, parsed),
      ratio(`${name}: the same against 40 messages`, opened, openedShort),
      ratio(`${name}: a key, of 16 ms`, key, 16),
      ratio(`${name}: a key against one in 40 messages`, key, keyShort),
      ratio(`${name}: elements against those of 40`, nodes, nodesShort, ''),
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

async function parse(bench: BenchPage, json: string): Promise<number> {
  const text = await bench.page.evaluateHandle(given => ({ given }), json);
  const busy = await bench.busy(() => text.evaluate(({ given }) => void JSON.parse(given)));
  await text.dispose();
  return busy;
}

/** What the page holds of very many messages, and what it does while nothing happens. */
export function benchMemory(): Promise<Row[]> {
  return inPage(async bench => {
    const [short, long] = [longChat(40), longChat(10_000)];
    const blank = await bench.held();
    const state = await bench.whileHolding(
      long,
      async () => (await bench.held()).heap - blank.heap,
    );
    await bench.show(short);
    const few = await bench.held();
    await bench.show(long);
    const many = await bench.held();
    const still = await bench.idle(IDLE);
    await scrollUp(bench, 10 * VIEWS);
    await bench.page.locator('.log').evaluate(log => (log.scrollTop = log.scrollHeight));
    const read = await bench.held();
    await bench.show(short);
    const left = await bench.held();
    await bench.show(running('waits', steps('waits', 0, 5)));
    const waiting = await bench.idle(IDLE);
    const name = '10,000 messages';
    const views = `after ${10 * VIEWS} views were read, against before`;
    return [
      ratio(`${name}: heap against that of their state alone`, many.heap - blank.heap, state, 'MB'),
      ratio(`${name}: nodes against those of 40`, many.nodes, few.nodes, ''),
      ratio(`${name}: listeners against those of 40`, many.listeners, few.listeners, ''),
      ratio(`${name}: heap ${views}`, read.heap, many.heap, 'MB'),
      ratio(`${name}: nodes ${views}`, read.nodes, many.nodes, ''),
      ratio('another chat instead: heap against before', left.heap, few.heap, 'MB'),
      ratio('another chat instead: nodes against before', left.nodes, few.nodes, ''),
      wakes(`${name}, idle`, still),
      wakes('a turn that is waited for', waiting),
    ];
  });
}

/** Milliseconds. */
const IDLE = 5000;

function wakes(name: string, { frames, timers, busy }: Idle): Row {
  const note = `${frames} frames, ${timers} timers, ${busy.toFixed(1)} ms of the main thread`;
  return {
    name: `${name}: wakes a second`,
    value: (1000 * (frames + timers)) / IDLE,
    unit: '',
    note,
  };
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
    const megabyte = (): Promise<number> => {
      const piece = [output(MEGABYTE / 4)];
      return bench.busy(async () => {
        for (let n = 0; n < 4; n += 1) await bench.send(piece);
      });
    };
    await best(2, megabyte);
    const first = await best(8, megabyte);
    const [heap, nodes] = [(await bench.held()).heap, await bench.nodes()];
    await best(82, megabyte);
    const last = await best(8, megabyte);
    rows.push(
      ratio('a megabyte of output after 92 against after 2', last, first),
      ratio('heap after 100 MB of output against after 10', (await bench.held()).heap, heap, 'MB'),
      ratio('elements after 100 MB of output against after 10', await bench.nodes(), nodes, ''),
    );
    return rows;
  });
}

function ratio(name: string, value: number, against: number, unit = 'ms'): Row & { note: string } {
  const note =
    unit === ''
      ? `${value} against ${against}`
      : `${value.toFixed(2)} of ${against.toFixed(2)} ${unit}`;
  return { name, value: value / against, unit: '×', note };
}

async function best(times: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < times; time += 1) least = Math.min(least, await measure());
  return least;
}
