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
  /** Milliseconds of the main thread that `run` takes, with all that it leaves to be painted. */
  busy(run: () => Promise<unknown>): Promise<number>;
  /** Elements and texts in the document. */
  nodes(): Promise<number>;
  /** Sends what happens to the chat that is shown, `inFrame` actions a frame. */
  send(actions: readonly SessionAction[], inFrame?: number): Promise<void>;
  /** Shows a chat. @returns milliseconds until a frame with it was painted and a key would be heard */
  show(state: SessionState): Promise<number>;
}

export async function inPage<T>(run: (bench: BenchPage) => Promise<T>): Promise<T> {
  const server = await servePage();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 289, height: 900 } });
    await page.goto(`${server.origin}/?theme=dark-2026`);
    await page.waitForFunction(() => customElements.get('parley-app') !== undefined);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    return await run(benchPage(page, cdp));
  } finally {
    await browser.close();
    await server.close();
  }
}

function benchPage(page: Page, cdp: CDPSession): BenchPage {
  const taken = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
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
    nodes: () => page.evaluate(() => document.querySelectorAll('*').length),
    async show(state) {
      generation += 1;
      seq = 0;
      const message = { type: 'snapshot', generation, seq: 0, state, now: 0 } as const;
      // As text: what the host sends arrives parsed, and is not counted.
      const time = await page.evaluate(
        async ([text, panel]) => {
          const parsed = JSON.parse(text) as unknown;
          window.postMessage({ type: 'panel', state: panel }, location.origin);
          await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
          const start = performance.now();
          window.postMessage(parsed, location.origin);
          await new Promise<void>(resolve => {
            const look = (): void => {
              if (document.querySelector('.turn')) resolve();
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          });
          // Painted, and the next task runs: a key would be heard.
          await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
          return performance.now() - start;
        },
        [JSON.stringify(message), PANEL] as const,
      );
      await settled(page);
      return time;
    },
  };
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
