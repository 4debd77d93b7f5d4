import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../src/session/state/actions';
import { withPanel, type Panel } from './harness';
import { PANEL, told } from './states';
import { T0, asked, connected, edited, ended, said, thought } from './story';

/** So many turns that the first are not in the document before they are asked for. */
const TURNS = 60;

function story(): SessionAction[] {
  return Array.from({ length: TURNS }, (_, index) => {
    const turnId = `turn-${index}`;
    return [
      ...asked(`Question ${index}`, turnId, T0 + index),
      ...(index === 3 ? [...thought(turnId), ...edited(turnId, T0 + index)] : []),
      ...said(
        index % 20 === 0
          ? `Here the **nee**dle lies, in answer ${index}.\n\n${'Hay. '.repeat(100)}`
          : `Only hay in answer ${index}.`,
        `text-${index}`,
        turnId,
        T0 + index,
      ),
      ...ended('end_turn', T0 + index),
    ];
  }).flat();
}

async function opened(panel: Panel, query: string): Promise<void> {
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...story()));
  await panel.message.focus();
  await panel.page.keyboard.press('ControlOrMeta+F');
  await panel.page.getByRole('textbox', { name: 'Find in Chat' }).waitFor();
  await panel.page.keyboard.insertText(query);
}

const status = (panel: Panel, text: string) =>
  panel.page.getByRole('search').getByRole('status').getByText(text, { exact: true }).waitFor();

/** The text that is highlighted as the current match, and whether it is in view. */
const current = (panel: Panel) =>
  panel.page.evaluate(() => {
    const [place] = CSS.highlights.get('parley-find-here') ?? [];
    const log = document.querySelector('.log');
    if (!place || !log) return undefined;
    const range = document.createRange();
    range.setStart(place.startContainer, place.startOffset);
    range.setEnd(place.endContainer, place.endOffset);
    const box = range.getBoundingClientRect();
    const view = log.getBoundingClientRect();
    return {
      text: range.toString(),
      turn: place.startContainer.parentElement?.closest('.turn')?.getAttribute('aria-label'),
      isInView: box.height > 0 && box.top >= view.top && box.bottom <= view.bottom,
    };
  });

describe('find in chat', () => {
  test('finds across formatting and turns that are not drawn yet, and goes around', async () => {
    for (const host of ['sidebar', 'editor'] as const) {
      await withPanel({ width: 289, host }, async panel => {
        await opened(panel, 'needle');
        // From where the reader is, which is the end.
        await status(panel, '3 of 3');
        const { keyboard } = panel.page;
        await keyboard.press('Enter');
        await status(panel, '1 of 3');
        assert.deepEqual(await current(panel), {
          text: 'needle',
          turn: 'Question 0',
          isInView: true,
        });
        await keyboard.press('Shift+Enter');
        await keyboard.press('Shift+Enter');
        await status(panel, '2 of 3');
        assert.equal((await current(panel))?.turn, 'Question 20');
      });
    }
  });

  test('opens what the match is folded into', async () => {
    await withPanel({ width: 289 }, async panel => {
      await opened(panel, 'two forms, and only');
      await status(panel, '1 of 1');
      const place = await current(panel);
      assert.equal(place?.turn, 'Question 3');
      assert.ok(place?.isInView);
      const thoughtIsOpen = await panel.page
        .locator('.thought')
        .evaluate(details => (details as HTMLDetailsElement).open);
      assert.ok(thoughtIsOpen);
    });
  });

  test('minds the case when told so, and says when there is nothing', async () => {
    await withPanel({ width: 289 }, async panel => {
      await opened(panel, 'NEEDLE');
      await status(panel, '3 of 3');
      const matchCase = panel.page.getByRole('button', { name: 'Match Case' });
      await matchCase.click();
      await status(panel, 'No results');
      assert.equal(await matchCase.getAttribute('aria-pressed'), 'true');
      assert.ok(await panel.page.getByRole('button', { name: 'Next Match' }).isDisabled());
    });
  });

  test('counts what is said meanwhile', async () => {
    await withPanel({ width: 289 }, async panel => {
      await opened(panel, 'needle');
      await status(panel, '3 of 3');
      await panel.actions([
        ...asked('More', 'turn-more'),
        ...said('A needle.', 'more', 'turn-more'),
      ]);
      await status(panel, '3 of 4');
    });
  });

  test('Esc closes it, and the focus and the place are as before', async () => {
    await withPanel({ width: 289 }, async panel => {
      await opened(panel, 'answer 17');
      await status(panel, '1 of 1');
      await panel.page.keyboard.press('Escape');
      await panel.page.getByRole('search').waitFor({ state: 'detached' });
      assert.ok(await panel.message.evaluate(box => box === document.activeElement));
      const isInView = await panel.page
        .getByRole('article', { name: 'Question 17', exact: true })
        .evaluate(turn => {
          const view = turn.closest('.log')?.getBoundingClientRect();
          const box = turn.getBoundingClientRect();
          return view !== undefined && box.bottom > view.top && box.top < view.bottom;
        });
      assert.ok(isInView);
      assert.equal(await panel.page.evaluate(() => CSS.highlights.size), 0);
    });
  });

  test('counts what only the host has', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.panelState(PANEL);
      const output = { text: 'A needle, and', truncated: true, ref: 'ref-1' };
      await panel.snapshot(
        told(
          ...connected(),
          ...asked('Look', 'turn-1'),
          {
            type: 'toolCallChanged',
            turnId: 'turn-1',
            partId: 'part',
            toolCallId: 'call',
            announced: true,
            title: 'Fetch',
            toolKind: 'fetch',
            status: 'completed',
            rawOutput: output,
            at: T0,
          },
          ...ended(),
        ),
      );
      await panel.find('needle');
      await status(panel, '1 of 1');
      const asks = await panel.answerQuery('heldMatches', ({ refs }) => ({
        found: refs.map(ref => ({ ref, count: 8 })),
      }));
      assert.equal(asks.type, 'heldMatches');
      await panel.page.getByRole('search').getByText('+7 not shown').waitFor();
      assert.equal((await current(panel))?.isInView, true);
    });
  });

  test('is opened by the command too', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(told(...connected(), ...story()));
      await panel.post({ type: 'find' });
      const field = panel.page.getByRole('textbox', { name: 'Find in Chat' });
      await field.waitFor();
      await panel.page.waitForFunction(() => document.activeElement?.matches('.find input'));
    });
  });
});
