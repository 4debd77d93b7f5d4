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

const more = ({ page }: Panel, title: string) =>
  page.getByRole('button', { name: `More actions for ${title}` });
const menuItems = ({ page }: Panel) => page.getByRole('menuitem').allTextContents();
const list = { ...stateNamed('listed').panel };
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

  test('is searched by the words of title and agent, and by what was said', async () => {
    await withChats(async panel => {
      assert.equal(
        await panel.page.evaluate(() => document.activeElement?.getAttribute('type')),
        'search',
        'the focus starts in the search',
      );
      await panel.page.keyboard.type('codex ORDERS');
      assert.deepEqual(await rows(panel), ['Flaky test in orders.spec.ts']);
      await panel.searchChats('codex ORDERS nowhere', []);
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

  test('each row has a menu, by the name of its chat', async () => {
    await withChats(async panel => {
      await more(panel, 'Tour of Parley').focus();
      await press(panel, 'Enter');
      assert.deepEqual(await menuItems(panel), ['Pin', 'Rename', 'Archive', 'Delete']);
      await press(panel, 'Escape');
      assert.equal(await panel.page.getByRole('menu').count(), 0);
      assert.equal(await panel.page.getByRole('searchbox').count(), 1, 'the list stays');
      await press(panel, 'Enter', 'ArrowDown', 'Enter');
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

  test('what is pinned stands above what runs, and what is archived is folded below', async () => {
    await withChats(async panel => {
      await panel.panelState(list);
      const lines = panel.page.locator('.history :is(h2, summary, .item .two > .cut)');
      assert.deepEqual(await lines.allTextContents(), [
        'Waiting for you',
        'Move invoices to the new schema',
        'Pinned',
        'Flaky test in orders.spec.ts',
        'Running',
        'Retry-After given as a date',
        'Rename ParcelState to ShipmentState everywhere',
        'Today',
        'Why is the cold start slow?',
        'Archived (2)',
        'Other folders',
      ]);
      await panel.page.locator('.archived summary').click();
      assert.deepEqual((await rows(panel)).slice(-2), [
        'Translate the error messages',
        'Tour of Parley',
      ]);
      await more(panel, 'Tour of Parley').focus();
      await press(panel, 'Enter');
      assert.deepEqual(await menuItems(panel), ['Pin', 'Rename', 'Unarchive', 'Delete']);
    });
  });

  test('the day before has a group of its own', async () => {
    await withChats(async panel => {
      const state = stateNamed('history').panel;
      await panel.panelState({
        ...state,
        chats: state.chats.map(each =>
          each.chatId === 'chat-6' ? { ...each, updatedAt: each.updatedAt + 48 * 3_600_000 } : each,
        ),
      });
      const group = panel.page.locator('.history h2', { hasText: 'Yesterday' }).locator('+ ul');
      assert.match(await group.innerText(), /Translate the error messages/);
    });
  });

  test('the menu pins and archives; the focus stays with the chat', async () => {
    await withChats(async panel => {
      const row = panel.page.locator('li', { hasText: 'Flaky test' });
      await row.locator('.item').click({ button: 'right' });
      await panel.page.getByRole('menu').waitFor();
      await press(panel, 'Enter');
      assert.deepEqual(await panel.waitForIntent('setListed'), {
        type: 'setListed',
        chatId: 'chat-5',
        listed: 'pinned',
      });
      await panel.panelState({ ...list, sessions: [] });
      await panel.page.waitForFunction(
        () => document.activeElement?.closest('li')?.dataset['chatId'] === 'chat-5',
      );
      await panel.clearPosts();
      await more(panel, 'Flaky test in orders.spec.ts').press('Enter');
      await panel.page.getByRole('menuitem', { name: 'Unpin' }).click();
      assert.deepEqual(await panel.waitForIntent('setListed'), {
        type: 'setListed',
        chatId: 'chat-5',
      });
      await panel.clearPosts();
      await more(panel, 'Why is the cold start slow?').focus();
      await press(panel, 'Enter', 'ArrowDown', 'ArrowDown', 'Enter');
      assert.deepEqual(await panel.waitForIntent('setListed'), {
        type: 'setListed',
        chatId: 'chat-4',
        listed: 'archived',
      });
      const chats = list.chats.map(each =>
        each.chatId === 'chat-4' ? { ...each, listed: 'archived' as const } : each,
      );
      await panel.panelState({ ...list, chats });
      // It is folded away: its heading has the focus.
      await panel.page.waitForFunction(() =>
        document.activeElement?.matches('.archived > summary'),
      );
    });
  });

  test('a chat that is at work cannot be archived', async () => {
    await withChats(async panel => {
      await more(panel, 'Retry-After given as a date').focus();
      await press(panel, 'Enter');
      assert.deepEqual(await menuItems(panel), ['Pin', 'Rename', 'Delete']);
    });
  });

  test('what was found in a chat is shown with its words marked, also in the archive', async () => {
    await withChats(async panel => {
      await panel.panelState(list);
      await panel.searchChats('translate later', [
        { chatId: 'chat-4', preview: 'We TRANSLATE it later, (not) now' },
        { chatId: 'chat-6', preview: 'later' },
      ]);
      assert.deepEqual(await rows(panel), [
        'Why is the cold start slow?',
        'Translate the error messages',
      ]);
      const marks = panel.page.locator('.history mark');
      assert.deepEqual(await marks.allTextContents(), ['TRANSLATE', 'later', 'Translate', 'later']);
      await panel.page.getByRole('status').filter({ hasText: '2 chats found' }).waitFor();
      const row = panel.page.getByRole('button', { name: /Why is the cold start slow\?.*later/ });
      assert.match((await row.getAttribute('class')) ?? '', /item/, 'the preview is read with it');
    });
  });

  test('typing on ends the search before, and what it would have found is not shown', async () => {
    await withChats(async panel => {
      const search = panel.page.getByRole('searchbox');
      await search.fill('fla');
      await search.fill('flaxen');
      await panel.page.waitForFunction(() =>
        (window as unknown as { __posts: { type: string }[] }).__posts.some(
          ({ type }) => type === 'cancelQuery',
        ),
      );
      const asked: string[] = [];
      const answer = (found: { chatId: string; preview: string }[]) =>
        panel.answerQuery('searchChats', ({ text }) => {
          asked.push(text);
          return { found };
        });
      await answer([{ chatId: 'chat-6', preview: 'fla' }]);
      await answer([{ chatId: 'chat-7', preview: 'flaxen' }]);
      await panel.page.locator('.history .found').waitFor();
      assert.deepEqual(asked, ['fla', 'flaxen']);
      assert.deepEqual(await rows(panel), ['Tour of Parley']);
      // Less than two letters are in every chat.
      await panel.clearPosts();
      await search.fill('f');
      await panel.painted();
      const posts = await panel.posts();
      assert.deepEqual(
        posts.filter(({ type }) => type === 'query'),
        [],
      );
    });
  });

  test('a chat that was found opens where the text is, with the keyboard alone', async () => {
    await withChats(async panel => {
      await panel.searchChats('header', [
        { chatId: 'chat-1', preview: 'a Header given as a date' },
      ]);
      await press(panel, 'ArrowDown', 'Enter');
      await panel.waitForIntent('selectChat');
      const find = panel.page.getByRole('textbox', { name: 'Find in Chat' });
      await find.waitFor();
      assert.equal(await find.inputValue(), 'header');
      await panel.page.locator('.find .found', { hasText: / of / }).waitFor();
      await panel.page.waitForFunction(
        () => document.activeElement?.getAttribute('aria-label') === 'Find in Chat',
      );
      await press(panel, 'Escape');
      await panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    });
  });

  test('chats of other folders are read when they are shown, searched too, and open where they belong', async () => {
    await withChats(async panel => {
      const folders = panel.page.locator('.sessions', { hasText: 'Other folders' });
      await folders.locator('summary').focus();
      await press(panel, 'Enter');
      const chat = { chatId: 'far', title: 'Far away', agentName: 'Codex', updatedAt: 0 };
      const folder = { folderId: 'f1', name: 'orders', title: 'file:///w/orders', chats: [chat] };
      const { text } = await panel.answerQuery('otherFolders', () => ({ folders: [folder] }));
      assert.equal(text, '');
      await folders.getByRole('heading', { name: 'orders' }).waitFor();
      await panel.page.getByRole('searchbox').fill('needle');
      const found = { ...folder, chats: [{ ...chat, preview: 'a needle far away' }] };
      await panel.answerQuery('otherFolders', () => ({ folders: [found] }));
      await folders.locator('mark', { hasText: 'needle' }).waitFor();
      await folders.locator('summary').focus();
      await press(panel, 'ArrowDown', 'Enter');
      assert.deepEqual(await panel.waitForIntent('openFolder'), {
        type: 'openFolder',
        folderId: 'f1',
        chatId: 'far',
      });
      await panel.answerQuery('searchChats', () => ({ found: [] }));
      await panel.page.getByRole('searchbox').fill('nothing');
      await panel.answerQuery('otherFolders', () => ({ folders: [] }));
      await folders.getByRole('status').filter({ hasText: 'No chats in other folders.' }).waitFor();
    });
  });
});
