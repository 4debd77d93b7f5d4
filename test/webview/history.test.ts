import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel, type Panel } from './harness';
import { stateNamed } from './states';

async function withChats(run: (panel: Panel) => Promise<void>): Promise<void> {
  await withPanel({}, async panel => {
    await panel.show(stateNamed('history'));
    await panel.page.getByRole('searchbox', { name: 'Search chats' }).waitFor();
    await panel.painted();
    await panel.clearPosts();
    await run(panel);
  });
}

const rows = (panel: Panel) => panel.page.locator('.history .item .two > .cut').allTextContents();
const focused = (panel: Panel) =>
  panel.page.evaluate(
    () => document.activeElement?.closest('li')?.getAttribute('data-chat-id') ?? null,
  );
const press = async (panel: Panel, ...keys: readonly string[]) => {
  for (const key of keys) await panel.page.keyboard.press(key);
};

describe('the list of chats', () => {
  test('groups what waits, what runs, today and earlier, the newest first', async () => {
    await withChats(async panel => {
      const lines = await panel.page
        .locator('.history :is(h2, .item .two > .cut)')
        .allTextContents();
      assert.deepEqual(lines, [
        'Waiting for you',
        'Move invoices to the new schema',
        'Running',
        'Retry-After given as a date',
        'Rename ParcelState to ShipmentState everywhere',
        'Today',
        'Why is the cold start slow?',
        'Flaky test in orders.spec.ts',
        'Earlier',
        'Translate the error messages',
        'Tour of Parley',
      ]);
      const current = panel.page.locator('.history [aria-current="true"]');
      assert.match(await current.innerText(), /^R?C?\s*Retry-After given as a date/);
    });
  });

  test('is searched by the words of title and agent', async () => {
    await withChats(async panel => {
      assert.equal(
        await panel.page.evaluate(() => document.activeElement?.getAttribute('type')),
        'search',
        'the focus starts in the search',
      );
      await panel.page.keyboard.type('codex ORDERS');
      assert.deepEqual(await rows(panel), ['Flaky test in orders.spec.ts']);
      await panel.page.keyboard.type(' nowhere');
      assert.equal(
        (await panel.page.getByRole('status').filter({ hasText: 'No chat' }).innerText()).trim(),
        'No chat matches "codex ORDERS nowhere".',
      );
    });
  });

  test('arrows move through the groups and back to the search, Enter opens', async () => {
    await withChats(async panel => {
      await press(panel, 'ArrowDown');
      assert.equal(await focused(panel), 'chat-2');
      await press(panel, 'ArrowDown', 'ArrowDown', 'ArrowDown');
      assert.equal(await focused(panel), 'chat-4');
      await press(panel, 'ArrowUp');
      assert.equal(await focused(panel), 'chat-3');
      await press(panel, 'ArrowUp', 'ArrowUp', 'ArrowUp');
      assert.equal(await focused(panel), null);
      await press(panel, 'ArrowDown', 'Enter');
      assert.deepEqual(await panel.waitForIntent('selectChat'), {
        type: 'selectChat',
        chatId: 'chat-2',
      });
      assert.equal(await panel.page.getByRole('searchbox').count(), 0, 'the list closes');
    });
  });

  test('F2 renames: Enter keeps the new name, Esc the old one', async () => {
    await withChats(async panel => {
      await press(panel, 'ArrowDown', 'F2');
      const name = panel.page.getByRole('textbox', { name: 'New name' });
      assert.equal(await name.inputValue(), 'Move invoices to the new schema');
      await panel.page.keyboard.type('Invoices');
      await press(panel, 'Escape');
      assert.equal(await name.count(), 0);
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await focused(panel), 'chat-2', 'the focus is on the row again');
      await press(panel, 'F2');
      await panel.page.keyboard.type('Invoices');
      await press(panel, 'Enter');
      assert.deepEqual(await panel.intents(), [
        { type: 'renameChat', chatId: 'chat-2', title: 'Invoices' },
      ]);
    });
  });

  test('Delete asks first', async () => {
    await withChats(async panel => {
      await press(panel, 'ArrowDown', 'Delete');
      const question = panel.page.getByRole('group', {
        name: 'Delete "Move invoices to the new schema"?',
      });
      await question.getByRole('button', { name: 'Keep' }).click();
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await focused(panel), 'chat-2');
      await press(panel, 'Delete');
      await press(panel, 'Enter');
      assert.deepEqual(await panel.waitForIntent('deleteChat'), {
        type: 'deleteChat',
        chatId: 'chat-2',
      });
    });
  });

  test('each row has its buttons, by name', async () => {
    await withChats(async panel => {
      await panel.page.getByRole('button', { name: 'Rename Tour of Parley' }).focus();
      await press(panel, 'Enter');
      assert.equal(
        await panel.page.getByRole('textbox', { name: 'New name' }).inputValue(),
        'Tour of Parley',
      );
    });
  });

  test('Esc goes back to the chat, with the focus in Message', async () => {
    await withChats(async panel => {
      await press(panel, 'Escape');
      await panel.message.waitFor();
      await panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    });
  });
});
