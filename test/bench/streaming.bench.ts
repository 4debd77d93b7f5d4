import { chromium, type Page } from 'playwright-core';
import { servePage } from '../webview/server';

export interface StreamingRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly note?: string;
}

interface MarkdownElement extends HTMLElement {
  text: string;
  live: boolean;
  slow: number;
}

const CHUNK = 24;
const LENGTH = 100 * 1024;
/** Lengths at which the whole message is parsed anew, evenly spread; all of them would take minutes. */
const SAMPLES = 24;

/**
 * What a streamed message costs in the page: the real bundle in Chromium, a 100 KB reply in chunks of 24
 * characters through `<parley-markdown>`, against parsing the whole message again with each chunk; and the
 * cost of one chunk when the message is short and when it is long.
 */
export async function benchStreaming(): Promise<StreamingRow[]> {
  const server = await servePage();
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.origin}/`);
    await page.waitForFunction(() => customElements.get('parley-markdown') !== undefined);
    // The first round is for the compiler.
    await measure(page, reply(20 * 1024));
    const { streamed, whole, near } = await measure(page, reply(LENGTH));
    return [
      {
        name: 'streaming 100 KB in 24-character chunks against parsing the whole each time',
        value: whole / streamed,
        unit: '× faster',
        note: `${streamed.toFixed(0)} ms against ${(whole / 1000).toFixed(1)} s (from ${SAMPLES} lengths)`,
      },
      {
        name: 'cost of a chunk at 100 KB against one at 10 KB',
        value: near.long / near.short,
        unit: '×',
        note: `${near.short.toFixed(3)} ms at 10 KB, ${near.long.toFixed(3)} ms at 100 KB`,
      },
    ];
  } finally {
    await browser.close();
    await server.close();
  }
}

interface Measured {
  /** Milliseconds for all chunks. */
  readonly streamed: number;
  readonly whole: number;
  /** Milliseconds for one chunk, around 10 KB and at the end. */
  readonly near: { readonly short: number; readonly long: number };
}

function measure(page: Page, text: string): Promise<Measured> {
  return page.evaluate(
    async ({ text, chunk, samples }) => {
      const create = (): MarkdownElement => {
        const element = document.createElement('parley-markdown') as MarkdownElement;
        element.className = 'md';
        element.slow = Infinity;
        document.body.append(element);
        return element;
      };
      const show = async (element: MarkdownElement, shown: string): Promise<number> => {
        const start = performance.now();
        element.text = shown;
        element.live = true;
        // The element renders in a microtask.
        await Promise.resolve();
        await Promise.resolve();
        return performance.now() - start;
      };
      const element = create();
      const costs: number[] = [];
      for (let end = chunk; end <= text.length; end += chunk) {
        costs.push(await show(element, text.slice(0, end)));
      }
      element.remove();

      let parsed = 0;
      for (let sample = 1; sample <= samples; sample += 1) {
        const anew = create();
        parsed += await show(anew, text.slice(0, Math.round((text.length * sample) / samples)));
        anew.remove();
      }
      const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
      const mean = (list: readonly number[]): number => sum(list) / list.length;
      const at = Math.floor(10_240 / chunk);
      return {
        streamed: sum(costs),
        whole: (parsed / samples) * costs.length,
        near: { short: mean(costs.slice(at - 200, at + 200)), long: mean(costs.slice(-400)) },
      };
    },
    { text, chunk: CHUNK, samples: SAMPLES },
  );
}

/** A reply as agents write them: prose, lists, code and a table, again and again. */
function reply(length: number): string {
  const section = [
    '## What changed\n\n',
    'The header `Retry-After` is either seconds **or** a date, see [retry.ts:24](src/http/retry.ts:24). ',
    'Until now only the first form was read, so that a date became `NaN` and the retry fired at once.\n\n',
    '- A date in the past means *no wait*, not a negative one.\n- The cap of 5 minutes applies to both.\n\n',
    '```typescript\nconst at = Date.parse(value);\nif (Number.isNaN(at)) return undefined;\n```\n\n',
    '| Header | Wait |\n| --- | --- |\n| `120` | 120 s |\n| none | back off |\n\n',
    'The tests cover both forms, and the webhook client uses the same function from now on.\n\n',
  ].join('');
  return section.repeat(Math.ceil(length / section.length)).slice(0, length);
}
