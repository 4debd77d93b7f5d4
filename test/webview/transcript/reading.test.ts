import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import type { SessionState } from '../../../src/session/state/state';
import { withPanel, type Panel } from '../harness';
import { stateNamed } from '../states';
import { tool } from './tool';
import { AGENT, T0, asked, connected, ended, queued, said, testsRunning } from '../story';

function stateOf(...actions: readonly SessionAction[]): SessionState {
  const place = { chatId: 'chat-1', agentName: AGENT, cwd: '/work/parcel-api', at: T0 };
  return [...connected(), ...asked(), ...actions].reduce(reduce, initialSession(place));
}

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.panelState(stateNamed('streaming').panel);
  await panel.snapshot(stateOf(...actions), T0 + 42_000);
}

const next = (): SessionAction => ({
  type: 'turnStarted',
  turnId: 'turn-2',
  prompt: { id: 'queued-0', text: 'And now?', attachments: [] },
  at: T0 + 80_000,
});

const paragraphs = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `${name} ${n}: ${'some words of it '.repeat(8)}`).join(
    '\n\n',
  );

describe('a finished turn folds what it did and never what it said', () => {
  const words = (id: string): readonly SessionAction[] => said(`Words ${id}.`, `text-${id}`);
  const shapes: readonly (readonly [string, readonly SessionAction[]])[] = [
    ['words last', [tool('a'), ...words('x')]],
    ['a tool last', [...words('x'), tool('a')]],
    ['words between tools', [tool('a'), ...words('x'), tool('b'), ...words('y'), tool('c')]],
    ['words alone', [...words('x')]],
    ['tools alone', [tool('a'), tool('b')]],
  ];
  for (const [name, actions] of shapes) {
    test(name, async () => {
      await withPanel({ width: 289 }, async panel => {
        await show(panel, ...actions, ...ended(), next());
        const first = panel.page.locator('.turn').first();
        for (const id of ['x', 'y']) {
          const isSaid = actions.some(action => JSON.stringify(action).includes(`Words ${id}.`));
          assert.equal(await first.getByText(`Words ${id}.`).isVisible(), isSaid, id);
        }
        const rows = first.locator('.tool');
        for (let n = 0; n < (await rows.count()); n += 1) {
          assert.equal(await rows.nth(n).isVisible(), false);
        }
        // In the order in which it was: a run of work has one line where it stood.
        const runs = actions.filter(
          (action, at) =>
            action.type === 'toolCallChanged' && actions[at - 1]?.type !== 'toolCallChanged',
        );
        assert.equal(await first.locator('.work-fold').count(), runs.length);
      });
    });
  }

  test('and what was refused or failed is not counted as done', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(
        panel,
        tool('a', { status: 'failed' }),
        ...said('No.', 'text-1'),
        ...ended(),
        next(),
      );
      assert.equal(await panel.page.locator('.work-fold .codicon-check').count(), 0);
    });
  });
});

describe('nothing that is read moves', () => {
  const failed: SessionAction = {
    type: 'turnEnded',
    end: { reason: 'failed' },
    planPartId: 'plan-end',
    at: T0 + 60_000,
  };
  const ENDS: readonly (readonly [string, readonly SessionAction[]])[] = [
    ['ends', ended()],
    ['is stopped', ended('cancelled')],
    ['fails', [failed]],
    [
      'ends and a message that waited goes',
      [...ended(), { type: 'messageUnqueued', messageId: 'queued-0' }, next()],
    ],
  ];
  const begin: readonly SessionAction[] = [
    tool('a'),
    ...said(paragraphs('First', 12), 'text-1'),
    tool('b'),
    ...said(paragraphs('Second', 12), 'text-2'),
  ];
  for (const [name, end] of ENDS) {
    test(`when a turn ${name}`, async () => {
      await withPanel({ width: 289 }, async panel => {
        for (const place of ['First 6', 'Second 4']) {
          await show(panel, ...begin, ...queued('And now?'));
          const read = panel.page.getByText(`${place}:`);
          await panel.page.locator('.log').evaluate((log, wanted) => {
            const target = [...log.querySelectorAll('p')].find(p =>
              p.textContent.startsWith(wanted),
            );
            log.scrollTop += (target?.getBoundingClientRect().top ?? 0) - 200;
          }, place);
          await panel.painted();
          const before = await read.boundingBox();
          const running = panel.page.locator('.turn').first().locator('.work');
          await running.waitFor({ state: 'attached' });
          await panel.page.evaluate(wanted => {
            const tops: number[] = [];
            Object.assign(window, { tops, lastFrame: undefined });
            const sample = (): void => {
              const target = [...document.querySelectorAll('.log p')].find(p =>
                p.textContent.startsWith(wanted),
              );
              tops.push(target?.getBoundingClientRect().top ?? NaN);
              // It looks on from before the end until thirty frames after it has been drawn.
              const { lastFrame = Infinity } = window as unknown as { lastFrame?: number };
              if (tops.length < lastFrame) requestAnimationFrame(() => setTimeout(sample));
            };
            sample();
          }, place);
          await panel.actions(end);
          await running.waitFor({ state: 'detached' });
          const count = await panel.page.evaluate(() => {
            const seen = window as unknown as { tops: number[]; lastFrame: number };
            return (seen.lastFrame = seen.tops.length + 30);
          });
          await panel.page.waitForFunction(
            wanted => (window as unknown as { tops: number[] }).tops.length >= wanted,
            count,
          );
          const tops = await panel.page.evaluate(
            () => (window as unknown as { tops: number[] }).tops,
          );
          for (const top of tops) {
            assert.ok(Math.abs(top - (before?.y ?? 0)) <= 1, `${place}: ${tops.join(' ')}`);
          }
        }
      });
    });
  }
});

test('the output of a command shows its newest lines, also where they wrap', async () => {
  await withPanel({ width: 289 }, async panel => {
    const lines = (from: number, to: number): SessionAction => ({
      type: 'terminalOutput',
      terminalId: 'terminal-1',
      data: Array.from(
        { length: to - from },
        (_, n) => `\r\nline ${from + n} ${'wrapped '.repeat(9)}end ${from + n};`,
      ).join(''),
      at: T0,
    });
    await show(panel, ...testsRunning(), lines(0, 3));
    const term = panel.page.getByLabel('Terminal output');
    const last = (): Promise<boolean> =>
      term.evaluate(box => {
        const [text] = box.querySelectorAll('.lines');
        const end = text?.getBoundingClientRect().bottom ?? 0;
        return Math.abs(end - box.getBoundingClientRect().bottom) <= 1;
      });
    assert.ok(await last());
    for (let n = 3; n < 24; n += 3) {
      await panel.actions([lines(n, n + 3)]);
      assert.ok(await last(), `after line ${n + 2}`);
    }
    // Who scrolls up to read stays there.
    await term.evaluate(box => box.scrollBy(0, -60));
    await panel.actions([lines(24, 25)]);
    assert.equal(await last(), false);
  });
});

test('each paragraph is written in its own direction, code from the left; links are underlined', async () => {
  await withPanel({ width: 289 }, async panel => {
    await show(
      panel,
      ...said(
        'مرحبا بالعالم `npm test` الآن\n\nHello\n\n```\nשלום = 1\n```\n\n[a](a.ts) in a sentence',
        'text-1',
      ),
      ...ended(),
    );
    const shown = await panel.page.locator('parley-markdown').evaluate(prose => {
      const style = (selector: string, index = 0): CSSStyleDeclaration =>
        getComputedStyle(prose.querySelectorAll(selector)[index] as Element);
      const startOf = (index: number): number => {
        const range = document.createRange();
        const paragraph = prose.querySelectorAll('p')[index] as Element;
        range.selectNodeContents(paragraph);
        const { left, right } = paragraph.getBoundingClientRect();
        const box = range.getBoundingClientRect();
        return Math.abs(box.left - left) < 2 ? -1 : Math.abs(box.right - right) < 2 ? 1 : 0;
      };
      return {
        arabic: startOf(0),
        english: startOf(1),
        code: style('pre').direction,
        link: style('a').textDecorationLine,
      };
    });
    assert.deepEqual(shown, { arabic: 1, english: -1, code: 'ltr', link: 'underline' });
    assert.equal(await panel.message.getAttribute('dir'), 'auto');
  });
});
