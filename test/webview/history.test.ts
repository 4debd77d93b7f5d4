import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel, type Panel } from './harness';
import { stateNamed } from './states';
import { AGENT } from './story';

const CODEX_LIST = {
  agentName: 'Codex',
  sessions: [],
  hasMore: false,
  canDelete: false,
  canCopy: false,
};

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

  test('marks what ended out of sight, above what was read', async () => {
    await withChats(async panel => {
      const { chats } = stateNamed('history').panel;
      const unread = (title: string, how: 'done' | 'failed') => (chat: (typeof chats)[number]) =>
        chat.title === title ? { ...chat, unread: how } : chat;
      await panel.panelState({
        ...stateNamed('history').panel,
        chats: chats
          .map(unread('Translate the error messages', 'done'))
          .map(unread('Tour of Parley', 'failed')),
      });
      const group = panel.page.locator('.history h2', { hasText: 'Unread' }).locator('+ ul');
      const texts = await group.getByRole('button', { name: /Translate|Tour/ }).allInnerTexts();
      assert.deepEqual(
        texts.filter(text => /Done|Failed/.test(text)).map(text => /Done|Failed/.exec(text)?.[0]),
        ['Done', 'Failed'],
      );
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

  test('what an agent keeps is asked for when its list is opened', async () => {
    await withChats(async panel => {
      const list = panel.page.locator('.sessions', { hasText: 'Sessions of Codex' });
      await list.locator('summary').focus();
      await press(panel, 'Enter');
      assert.deepEqual(await panel.waitForIntent('listSessions'), {
        type: 'listSessions',
        agentName: 'Codex',
      });
      const problem = 'Codex wants you to sign in first.';
      const sessions = [{ ...CODEX_LIST, state: 'reading' as const }];
      const told = { ...stateNamed('history').panel, sessions };
      await panel.post({ type: 'panel', state: told });
      await list.getByRole('status').filter({ hasText: 'Asking Codex…' }).waitFor();
      const failed = { ...told, sessions: [{ ...CODEX_LIST, state: 'read' as const, problem }] };
      await panel.post({ type: 'panel', state: failed });
      await list.getByRole('status').filter({ hasText: problem }).waitFor();
      await panel.clearPosts();
      await press(panel, 'Enter');
      assert.equal(await list.getByRole('status').count(), 0);
      assert.deepEqual(await panel.intents(), [], 'closing asks for nothing');
    });
  });

  test('sessions are opened, copied, deleted and searched like chats', async () => {
    await withChats(async panel => {
      const summary = panel.page.locator('.sessions summary').first();
      await summary.click();
      await panel.waitForIntent('listSessions');
      const untitled = panel.page.locator('.sessions .item', { hasText: 'Untitled session' });
      await untitled.waitFor();
      const id = { agentName: AGENT, sessionId: 's-1' };
      await press(panel, 'ArrowDown', 'F2');
      assert.equal(await focused(panel), `${AGENT}/s-1`);
      assert.equal(await panel.page.getByRole('textbox', { name: 'New name' }).count(), 0);
      await press(panel, 'Delete');
      await panel.page
        .getByRole('group', {
          name: `Delete "Measure the import of tariffs" from ${AGENT} permanently?`,
        })
        .waitFor();
      await press(panel, 'Enter');
      assert.deepEqual(await panel.waitForIntent('deleteSession'), {
        type: 'deleteSession',
        ...id,
      });
      await panel.page.getByRole('button', { name: 'Show More' }).click();
      assert.deepEqual(await panel.waitForIntent('moreSessions'), {
        type: 'moreSessions',
        agentName: AGENT,
      });
      await panel.page.getByRole('searchbox').fill('tariffs');
      assert.deepEqual(await rows(panel), ['Measure the import of tariffs']);
      const copy = panel.page.getByRole('button', { name: /^Duplicate Measure the import/ });
      await copy.focus();
      await press(panel, 'Enter');
      assert.deepEqual(await panel.waitForIntent('copySession'), { type: 'copySession', ...id });
      assert.equal(await panel.page.getByRole('searchbox').count(), 0, 'the list closes');
      await panel.post({ type: 'showChats' });
      await summary.click();
      await panel.page.locator('.sessions .item').first().click();
      assert.deepEqual(await panel.waitForIntent('openSession'), { type: 'openSession', ...id });
    });
  });
});
