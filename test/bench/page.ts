import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import type { SessionAction } from '../../src/session/state/actions';
import { initialSession } from '../../src/session/state/initialSession';
import { reduce } from '../../src/session/state/reducer';
import type { SessionState } from '../../src/session/state/state';
import { servePage } from '../webview/server';
import { PANEL } from '../webview/states';

/** The real bundle in a real browser, with the host played by the bench. */
export interface BenchPage {
  readonly page: Page;
  /** Processor time of the main thread that `run` takes, with all that it leaves to be painted: milliseconds. */
  busy(run: () => Promise<unknown>): Promise<number>;
  /** What the page holds once the garbage is collected. */
  held(): Promise<Held>;
  /** Runs while the page has this chat's state besides what it shows, as it comes from the host. */
  whileHolding<T>(state: SessionState, run: () => Promise<T>): Promise<T>;
  /** What the page does by itself while nothing happens for so many milliseconds. */
  idle(milliseconds: number): Promise<Idle>;
  /** Elements and texts in the document. */
  nodes(): Promise<number>;
  /** Sends what happens to the chat that is shown, `inFrame` actions a frame. */
  send(actions: readonly SessionAction[], inFrame?: number): Promise<void>;
  /** Shows a chat. @returns as `busy`: until it is painted, and a key would be heard */
  show(state: SessionState): Promise<number>;
}

export interface Held {
  /** Megabytes of script objects. */
  readonly heap: number;
  /** Nodes, also those outside of the document. */
  readonly nodes: number;
  readonly listeners: number;
}

export interface Idle {
  readonly frames: number;
  /** Timers that went off. */
  readonly timers: number;
  /** Milliseconds of the main thread. */
  readonly busy: number;
}

export async function inPage<T>(run: (bench: BenchPage) => Promise<T>): Promise<T> {
  const server = await servePage();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 289, height: 900 } });
    await page.addInitScript(countWakes);
    await page.goto(`${server.origin}/?theme=dark-2026`);
    await page.waitForFunction(() => customElements.get('parley-app') !== undefined);
    await page.evaluate(answerNothing);
    const cdp = await page.context().newCDPSession(page);
    // The processor's time, not the clock's: other programs want it too.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    return await run(benchPage(page, cdp));
  } finally {
    await browser.close();
    await server.close();
  }
}

function benchPage(page: Page, cdp: CDPSession): BenchPage {
  const metric = async (...names: readonly string[]): Promise<readonly number[]> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return names.map(wanted => metrics.find(({ name }) => name === wanted)?.value ?? NaN);
  };
  const taken = async (): Promise<number> => {
    const [seconds = NaN] = await metric('TaskDuration');
    return seconds * 1000;
  };
  const wakes = (): Promise<Wakes> =>
    page.evaluate(() => ({ ...(globalThis as unknown as { wakes: Wakes }).wakes }));
  let generation = 0;
  let seq = 0;
  return {
    page,
    async send(actions, inFrame = actions.length) {
      const from = seq + 1;
      seq += actions.length;
      await page.evaluate(
        async ({ actions, inFrame, generation, from }) => {
          for (let at = 0; at < actions.length; at += inFrame) {
            const batch = actions.slice(at, at + inFrame);
            const numbers = { generation, from: from + at, to: from + at + batch.length - 1 };
            window.postMessage({ type: 'actions', ...numbers, actions: batch }, location.origin);
            await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
          }
        },
        { actions, inFrame, generation, from },
      );
    },
    async busy(run) {
      await settled(page);
      const before = await taken();
      await run();
      await settled(page);
      return (await taken()) - before;
    },
    async held() {
      await settled(page);
      // What is collected may let go of more.
      for (let times = 0; times < 3; times += 1) await cdp.send('HeapProfiler.collectGarbage');
      const [bytes = NaN, nodes = NaN, listeners = NaN] = await metric(
        'JSHeapUsedSize',
        'Nodes',
        'JSEventListeners',
      );
      return { heap: bytes / 1024 / 1024, nodes, listeners };
    },
    async whileHolding(state, run) {
      const held = await page.evaluateHandle(
        text => JSON.parse(text) as object,
        JSON.stringify(state),
      );
      const result = await run();
      await held.dispose();
      return result;
    },
    async idle(milliseconds) {
      await settled(page);
      const [before, busy] = [await wakes(), await taken()];
      await pause(milliseconds);
      const [after, now] = [await wakes(), await taken()];
      return {
        frames: after.frames - before.frames,
        timers: after.timers - before.timers,
        busy: now - busy,
      };
    },
    nodes: () => page.evaluate(() => document.querySelectorAll('*').length),
    async show(state) {
      generation += 1;
      seq = 0;
      const message = { type: 'snapshot', generation, seq: 0, state, now: 0 } as const;
      // As text: what the host sends arrives parsed, and is not counted.
      const parsed = await page.evaluateHandle(
        ([text, panel]) => {
          window.postMessage({ type: 'panel', state: panel }, location.origin);
          return JSON.parse(text) as object;
        },
        [JSON.stringify(message), PANEL] as const,
      );
      const time = await this.busy(() =>
        parsed.evaluate(async snapshot => {
          window.postMessage(snapshot, location.origin);
          await new Promise<void>(resolve => {
            const look = (): void => {
              if (document.querySelector('.turn')) resolve();
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          });
        }),
      );
      await parsed.dispose();
      return time;
    },
  };
}

/** Runs in the page: the host has no answer to its queries. */
function answerNothing(): void {
  const { __posts: posts } = window as unknown as { __posts: { type: string; id?: string }[] };
  posts.push = (...told) => {
    for (const { type, id } of told) {
      if (type === 'query') window.postMessage({ type: 'queryAnswer', id }, location.origin);
    }
    return 0;
  };
}

interface Wakes {
  frames: number;
  timers: number;
}

/** Runs in the page, before anything of it: counts what wakes it up. */
function countWakes(): void {
  const wakes: Wakes = { frames: 0, timers: 0 };
  const { requestAnimationFrame, setTimeout, setInterval } = window;
  const counted =
    <T extends unknown[]>(kind: keyof Wakes, task: (...all: T) => void) =>
    (...all: T): void => {
      wakes[kind] += 1;
      task(...all);
    };
  Object.assign(window, {
    wakes,
    requestAnimationFrame: (task: FrameRequestCallback) =>
      requestAnimationFrame(counted('frames', task)),
    setTimeout: (task: () => void, ...rest: unknown[]) =>
      setTimeout(counted('timers', task), ...(rest as [number])),
    setInterval: (task: () => void, ...rest: unknown[]) =>
      setInterval(counted('timers', task), ...(rest as [number])),
  });
}

/** Nothing is left to be drawn. */
function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame += 1) {
      await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });
}

export function chatOf(actions: readonly SessionAction[]): SessionState {
  const place = { chatId: `chat-${actions.length}`, agentName: 'Agent', cwd: '/w', at: 0 };
  return actions.reduce(reduce, initialSession(place));
}
