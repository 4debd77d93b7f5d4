import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../workbench/eventually';
import { withPanel } from './harness';
import { PANEL, stateNamed, told } from './states';
import { PLAN, T0, asked, connected, ended, queued, said, wantsCommand } from './story';

describe('the plan', () => {
  test('is a list with each status in words, also when it is folded', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('plan'));
      const entries = panel.page.getByRole('list', { name: 'Plan' }).getByRole('listitem');
      const texts = (await entries.allTextContents()).map(text => text.trim());
      assert.equal(texts.length, PLAN.length);
      assert.match(texts[0] ?? '', /^Completed: Find where/);
      assert.match(texts[3] ?? '', /^In progress: Run the retry tests/);
      assert.match(texts[6] ?? '', /^Pending: Run the whole/);
    });
  });

  test('has a step in work only while a turn runs', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('plan'));
      const turning = panel.page.locator('.dock .spin');
      await turning.first().waitFor({ state: 'attached' });
      await panel.actions([...ended('cancelled', T0 + 9_000)]);
      await turning.first().waitFor({ state: 'detached' });
      assert.match(
        (await panel.page.getByRole('button', { name: /^Plan 3\/7/ }).textContent()) ?? '',
        /Run the retry tests/,
      );
    });
  });

  test('folds to the count and the current step, and stays as it was left', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('plan'));
      const row = panel.page.getByRole('button', { name: /^Plan 3\/7/ });
      assert.match((await row.innerText()).replace(/\s+/g, ' '), /^Plan 3\/7 Run the retry tests$/);
      await row.click();
      assert.equal(await row.getAttribute('aria-expanded'), 'true');
      await panel.actions([
        { type: 'planChanged', entries: PLAN.map(entry => ({ ...entry, status: 'completed' })) },
      ]);
      const done = panel.page.getByRole('button', { name: /^Plan 7\/7/ });
      assert.equal(await done.getAttribute('aria-expanded'), 'true');
    });
  });
});

describe('the queue', () => {
  test('each waiting message is sent now, edited or dropped', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('queue'));
      const queue = panel.page.getByRole('region', { name: 'Queue' });
      assert.match(
        (await queue.innerText()).replace(/\s+/g, ' '),
        /^2 messages waiting sent when the agent is done/,
      );
      const second = queue.getByRole('listitem').nth(1);
      const buttons = [
        ['Send Now', 'queueSendNow'],
        ['Edit', 'queueEdit'],
        ['Remove', 'queueDrop'],
      ] as const;
      for (const [name, type] of buttons) {
        await second.getByRole('button', { name, exact: true }).click();
        assert.deepEqual(await panel.waitForIntent(type), { type, messageId: 'queued-1' });
      }
    });
  });

  test('is put into another order with the keys, and by dragging', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.show(stateNamed('queue'));
      await panel.actions(queued('one', 'two', 'three').slice(2));
      const list = panel.page.getByRole('list', { name: 'Queue' });
      const rows = list.getByRole('listitem');
      const order = () =>
        rows.evaluateAll(all => all.map(row => (row as HTMLElement).dataset['messageId']));
      assert.deepEqual(await order(), ['queued-0', 'queued-1', 'queued-2']);

      const grip = rows.nth(2).getByRole('button', { name: 'Move: three' });
      await grip.focus();
      await panel.page.keyboard.press('Alt+ArrowDown');
      await panel.page.keyboard.press('Alt+ArrowUp');
      assert.deepEqual(await panel.waitForIntent('queueMove'), {
        type: 'queueMove',
        messageId: 'queued-2',
        before: 'queued-1',
      });
      await panel.actions([{ type: 'messageMoved', messageId: 'queued-2', before: 'queued-1' }]);
      assert.deepEqual(await order(), ['queued-0', 'queued-2', 'queued-1']);
      await eventually('the row that moved has the focus', () =>
        list
          .getByRole('button', { name: 'Move: three' })
          .evaluate(button => button === document.activeElement),
      );
      await list.locator('..').getByText('Message 2 of 3').waitFor({ state: 'attached' });
      await panel.clearPosts();
      await panel.page.keyboard.press('Alt+ArrowDown');
      assert.deepEqual(await panel.waitForIntent('queueMove'), {
        type: 'queueMove',
        messageId: 'queued-2',
      });

      await panel.clearPosts();
      await rows.nth(2).dragTo(rows.nth(0), { targetPosition: { x: 40, y: 2 } });
      assert.deepEqual(await panel.waitForIntent('queueMove'), {
        type: 'queueMove',
        messageId: 'queued-1',
        before: 'queued-0',
      });
    });
  });

  test('waits after a stop until it is resumed, and says so', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(told(...connected(), ...asked()), T0);
      await panel.actions(queued('one', 'two'));
      const queue = panel.page.getByRole('region', { name: 'Queue' });
      const resume = queue.getByRole('button', { name: 'Resume' });
      await queue.waitFor();
      assert.equal(await resume.count(), 0);
      await panel.actions(ended('cancelled'));
      await resume.click();
      assert.equal((await panel.waitForIntent('queueSendNow')).messageId, 'queued-0');
      await panel.page.getByText('Stopped. 2 messages wait until you resume.').waitFor({
        state: 'attached',
      });
    });
  });

  test('waits until it is resumed where the connection was lost in a turn', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(told(...connected(), ...asked()), T0);
      await panel.actions([...queued('one'), ...ended('interrupted')]);
      await panel.page.getByRole('button', { name: 'Resume' }).click();
      assert.equal((await panel.waitForIntent('queueSendNow')).messageId, 'queued-0');
    });
  });

  test('folds, and is gone with its last message', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('queue'));
      const queue = panel.page.getByRole('region', { name: 'Queue' });
      const fold = queue.getByRole('button', { name: '2 messages waiting' });
      await fold.click();
      assert.equal(await queue.getByRole('listitem').count(), 0);
      await fold.click();
      assert.equal(await queue.getByRole('listitem').count(), 2);
      await panel.actions([
        { type: 'messageUnqueued', messageId: 'queued-0' },
        { type: 'messageUnqueued', messageId: 'queued-1' },
      ]);
      assert.equal(await queue.count(), 0);
    });
  });
});

test('a request out of view has a row that leads to it', async () => {
  await withPanel({ height: 500 }, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(
      told(...connected(), ...asked(), ...wantsCommand(T0), ...said('Text.\n\n'.repeat(60), 't')),
      T0 + 42_000,
    );
    const row = panel.page.getByRole('region', { name: 'Waiting for you' });
    await row.waitFor();
    assert.match(await row.innerText(), /^Waiting: npm test -- retry --coverage/);
    await row.getByRole('button', { name: 'Show' }).click();
    await row.waitFor({ state: 'detached' });
    assert.equal(
      await panel.page.evaluate(() =>
        document.activeElement?.closest('.ask')?.getAttribute('data-request-id'),
      ),
      'request-1',
    );
  });
});
