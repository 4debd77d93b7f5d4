import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import { withPanel, type Panel } from '../harness';
import { PANEL, told } from '../states';
import { T0, asked, connected, ended, said } from '../story';

const PROMPT = 'Go through all of it';

/** A message, a tool call and its result, so often. */
function steps(from: number, to: number, turnId = 'turn-1'): SessionAction[] {
  return Array.from({ length: to - from }, (_, index) => {
    const n = from + index;
    const toolCallId = `${turnId}-call-${n}`;
    const call = { turnId, partId: toolCallId, toolCallId, at: T0 + n };
    return [
      ...said(
        `Step ${n} has the word **nee**dle${n} in it.`,
        `${turnId}-text-${n}`,
        turnId,
        T0 + n,
      ),
      {
        type: 'toolCallChanged',
        ...call,
        announced: true,
        title: `Look at ${n}`,
        toolKind: n % 2 === 0 ? 'search' : 'edit',
        status: 'completed',
        content: [
          {
            kind: 'block',
            block: { kind: 'text', text: { text: `Result ${n}`, truncated: false } },
          },
        ],
      } as const,
    ];
  }).flat();
}

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...asked(PROMPT), ...actions));
  await settled(panel);
}

/** Nothing is left to be drawn: what is out of view is, a frame later. */
async function settled(panel: Panel): Promise<void> {
  for (let frame = 0; frame < 4; frame += 1) await panel.painted();
}

const elements = (panel: Panel): Promise<number> =>
  panel.page.evaluate(() => document.querySelectorAll('*').length);

const scrolled = async (panel: Panel, by: number): Promise<void> => {
  await panel.conversation.evaluate((log, pixels) => log.scrollBy(0, pixels), by);
  await settled(panel);
};

/** Pixels of the view in which there is nothing but the place of what is not drawn. */
const missing = (panel: Panel): Promise<number> =>
  panel.conversation.evaluate(log => {
    const view = log.getBoundingClientRect();
    return [...log.querySelectorAll('.gap')].reduce((sum, gap) => {
      const { top, bottom } = gap.getBoundingClientRect();
      return sum + Math.max(0, Math.min(bottom, view.bottom) - Math.max(top, view.top));
    }, 0);
  });

const topOf = (panel: Panel, text: string): Promise<number | undefined> =>
  panel.conversation.evaluate((log, wanted) => {
    const all = [...log.querySelectorAll('p')];
    return all.find(p => p.textContent.startsWith(wanted))?.getBoundingClientRect().top;
  }, text);

/** A paragraph in the middle of the view. */
const seen = (panel: Panel): Promise<string> =>
  panel.conversation.evaluate(log => {
    const { top, bottom } = log.getBoundingClientRect();
    const found = [...log.querySelectorAll('.md > p')].find(
      p => p.getBoundingClientRect().top > (top + bottom) / 2,
    );
    return found?.textContent ?? '';
  });

/** Answers so many queries: no file is there. */
function answerNothing(panel: Panel, times: number): Promise<void> {
  return panel.page.evaluate(count => {
    const { __posts: posts } = window as unknown as { __posts: { type: string; id?: string }[] };
    let left = count;
    posts.push = (...told) => {
      for (const { type, id } of told) {
        if (type !== 'query' || left-- <= 0) continue;
        window.postMessage({ type: 'queryAnswer', id, answer: { existing: [] } }, location.origin);
      }
      return 0;
    };
  }, times);
}

describe('a conversation of any length', () => {
  test('has no more elements in the document than a short one', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...steps(0, 60));
      const few = await elements(panel);
      for (const count of [600, 5000]) {
        await show(panel, ...steps(0, count));
        assert.ok((await elements(panel)) < few * 1.3, `${count} steps, running`);
        await panel.actions(ended());
        await panel.actions([
          ...asked('And now?', 'turn-2', T0 + 80_000),
          ...said('Yes', 'a', 'turn-2'),
        ]);
        await settled(panel);
        assert.ok((await elements(panel)) < few * 1.3, `${count} steps, folded`);
      }
      const turns = Array.from({ length: 1500 }, (_, n) => [
        ...asked(`Prompt ${n}`, `t-${n}`, T0 + n),
        ...steps(0, 2, `t-${n}`),
        ...ended('end_turn', T0 + n),
      ]);
      await show(panel, ...ended(), ...turns.flat());
      // A turn has more than a step: its prompt, and what can be done with it.
      assert.ok((await elements(panel)) < few * 2, 'many turns');
    });
  });

  // The host finds no file of these names, and then does not answer any more.
  for (const answers of [1000, 2]) {
    test(`leaves memory as it leaves the view (${answers} answers)`, async () => {
      await withPanel({ width: 289 }, async panel => {
        const cdp = await panel.page.context().newCDPSession(panel.page);
        const nodes = async (): Promise<number> => {
          // What is collected may let go of more.
          for (let times = 0; times < 3; times += 1) await cdp.send('HeapProfiler.collectGarbage');
          return (await cdp.send('Memory.getDOMCounters')).nodes;
        };
        const turns = Array.from({ length: 300 }, (_, n) => [
          ...asked(`Prompt ${n}`, `t-${n}`, T0 + n),
          ...said(`Look at src/file${n}.ts.`, `t-${n}-text`, `t-${n}`, T0 + n),
          ...ended('end_turn', T0 + n),
        ]);
        await answerNothing(panel, answers);
        await panel.panelState(PANEL);
        await panel.snapshot(told(...connected(), ...turns.flat()));
        await settled(panel);
        const before = await nodes();
        for (let view = 0; view < 30; view += 1) await scrolled(panel, -500);
        await panel.conversation.evaluate(log => (log.scrollTop = log.scrollHeight));
        await settled(panel);
        const after = await nodes();
        assert.ok(after < before * 2, `${after} nodes instead of ${before}`);
      });
    });
  }

  test('is all there as the reader scrolls, and stays where it is', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...steps(0, 400));
      assert.equal(await missing(panel), 0);
      for (let view = 0; view < 12; view += 1) {
        const text = await seen(panel);
        const top = await topOf(panel, text);
        await scrolled(panel, -300);
        assert.ok(
          Math.abs(((await topOf(panel, text)) ?? 0) - (top ?? 0) - 300) <= 2,
          `view ${view}`,
        );
        assert.equal(await missing(panel), 0, `view ${view}`);
      }
      // Into the middle of what was never drawn, and to both ends.
      for (const place of [0.4, 0.1, 0, 0.7, 1]) {
        await panel.conversation.evaluate((log, part) => {
          log.scrollTop = log.scrollHeight * part;
        }, place);
        await settled(panel);
        assert.equal(await missing(panel), 0, `at ${place}`);
      }
      await panel.conversation.getByText('Step 399 has').waitFor();
    });
  });

  test('does not move while more comes', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...steps(0, 300));
      await scrolled(panel, -3000);
      const text = await seen(panel);
      const top = await topOf(panel, text);
      for (let n = 300; n < 400; n += 10) {
        await panel.actions(steps(n, n + 10));
        assert.equal(await topOf(panel, text), top, `at step ${n}`);
      }
      await panel.actions(ended());
      await settled(panel);
      assert.equal(await topOf(panel, text), top, 'at the end');
      const count = await elements(panel);
      await panel.page.getByRole('button', { name: 'Latest' }).click();
      await settled(panel);
      await panel.conversation.getByText('Step 399 has').waitFor();
      assert.ok((await elements(panel)) < count * 2);
    });
  });

  test('follows the end', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...steps(0, 30));
      for (let n = 30; n < 200; n += 10) {
        await panel.actions(steps(n, n + 10));
        await settled(panel);
        const left = await panel.conversation.evaluate(
          log => log.scrollHeight - log.scrollTop - log.clientHeight,
        );
        assert.ok(left < 2, `${left} px at step ${n}`);
        assert.equal(await missing(panel), 0);
      }
    });
  });

  test('is walked with the keyboard, from one end to the other', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...steps(0, 500));
      const focused = () => panel.page.evaluate(() => document.activeElement?.textContent ?? '');
      await panel.conversation.focus();
      await panel.page.keyboard.press('Home');
      await panel.page.waitForFunction(() => document.activeElement?.matches('.prompt'));
      assert.match(await focused(), new RegExp(PROMPT));
      for (let n = 0; n < 150; n += 1) await panel.page.keyboard.press('ArrowDown');
      assert.match(await focused(), /74/);
      await panel.page.keyboard.press('End');
      await panel.page.waitForFunction(() => document.activeElement?.textContent.includes('499'));
    });
  });

  test('shows a request that is far away when asked to', async () => {
    await withPanel({ width: 289 }, async panel => {
      const ask: readonly SessionAction[] = [
        {
          type: 'toolCallChanged',
          turnId: 'turn-1',
          partId: 'asked',
          toolCallId: 'asked',
          announced: true,
          title: 'npm test',
          toolKind: 'execute',
          status: 'pending',
          at: T0,
        },
        {
          type: 'permissionRequested',
          request: {
            id: 'r',
            toolCallId: 'asked',
            title: 'npm test',
            options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
            requestedAt: T0,
          },
        },
      ];
      await show(panel, ...steps(0, 100), ...ask, ...steps(100, 600));
      assert.equal(await panel.page.locator('.ask').count(), 0);
      await panel.page.getByRole('button', { name: 'Show', exact: true }).click();
      await panel.page.waitForFunction(() => document.activeElement?.matches('.ask'));
      assert.equal(await missing(panel), 0);
    });
  });

  test('is searched as a whole', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(
        panel,
        ...steps(0, 1500),
        ...ended(),
        ...asked('And now?', 'turn-2', T0 + 80_000),
        ...steps(0, 300, 'turn-2'),
      );
      await panel.find('needle7 in');
      const status = (text: string) =>
        panel.page.getByRole('search').getByText(text, { exact: true }).waitFor();
      await status('2 of 2');
      await panel.page.keyboard.press('Enter');
      await status('1 of 2');
      const here = await panel.page.waitForFunction(() => {
        const [place] = CSS.highlights.get('parley-find-here') ?? [];
        const log = document.querySelector('.log')?.getBoundingClientRect();
        const box = place?.startContainer.parentElement?.getBoundingClientRect();
        return box && log && box.top >= log.top && box.bottom <= log.bottom
          ? place?.startContainer.parentElement?.closest('.turn')?.getAttribute('aria-label')
          : undefined;
      });
      assert.equal(await here.jsonValue(), PROMPT);
      await panel.page.getByRole('textbox', { name: 'Find in Chat' }).fill('Result 1234');
      await status('1 of 1');
      await panel.page.getByText('Result 1234', { exact: true }).waitFor();
    });
  });

  test('is as it was when the panel is shown again', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...steps(0, 300));
      await scrolled(panel, -3000);
      const text = await seen(panel);
      const top = await topOf(panel, text);
      // A panel that comes back asks for everything again.
      await panel.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await panel.waitForPost('resync');
      await panel.snapshot(told(...connected(), ...asked(PROMPT), ...steps(0, 310)));
      assert.equal(await topOf(panel, text), top);
    });
  });

  test('keeps what is selected', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...steps(0, 300));
      await scrolled(panel, -2000);
      const text = await seen(panel);
      await panel.conversation.evaluate((log, wanted) => {
        const found = [...log.querySelectorAll('p')].find(p => p.textContent === wanted);
        if (found) getSelection()?.selectAllChildren(found);
      }, text);
      await scrolled(panel, -6000);
      assert.equal(await panel.page.evaluate(() => String(getSelection())), text);
    });
  });
});
