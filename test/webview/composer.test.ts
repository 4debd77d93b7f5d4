import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionState } from '../../src/session/state/state';
import type { ToView } from '../../src/shared/messages';
import { withPanel, type Panel } from './harness';
import { PANEL, stateNamed, told } from './states';
import { T0, asked, connected, ended } from './story';

const ready = told(...connected());
const running = told(...connected(), ...asked());
const answered = told(
  ...connected(),
  ...asked('first', 't1'),
  ...ended(),
  ...asked('second', 't2'),
  ...ended(),
);

async function withChat(session: SessionState, run: (panel: Panel) => Promise<void>) {
  await withPanel({}, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(session, T0 + 42_000);
    await panel.message.focus();
    await run(panel);
  });
}
const sent = async (panel: Panel) => (await panel.intents()).filter(({ type }) => type === 'send');

describe('what is open in the editor', () => {
  const inEditor = (label: string) => ({ ...PANEL, activeEditor: { label, hasSelection: false } });

  test('is offered for each message, and is added to one by its name', async () => {
    await withChat(answered, async panel => {
      await panel.panelState(inEditor('retry.ts'));
      await panel.page.getByRole('button', { name: 'Add retry.ts to the message' }).click();
      await panel.waitForIntent('addActiveEditor');
      await panel.panelState(inEditor('index.ts'));
      await panel.page.getByRole('button', { name: 'Add index.ts to the message' }).waitFor();
      await panel.panelState(PANEL);
      await panel.page.getByText('index.ts').waitFor({ state: 'detached' });
    });
  });

  test('goes with each message while its eye is open', async () => {
    await withChat(answered, async panel => {
      await panel.panelState(inEditor('retry.ts'));
      const eye = panel.page.getByRole('button', {
        name: 'Send the active editor with each message',
        exact: true,
      });
      assert.equal(await eye.getAttribute('aria-pressed'), 'false');
      await eye.click();
      await panel.panelState(inEditor('index.ts'));
      assert.equal(await eye.getAttribute('aria-pressed'), 'true');
      await panel.page.keyboard.type('explain');
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.waitForIntent('sendWithEditor')).text, 'explain');
      // Nothing is open: there is nothing to go along.
      await panel.panelState(PANEL);
      await panel.page.keyboard.type('go on');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: 'go on' }]);
      await panel.panelState(inEditor('index.ts'));
      await eye.click();
      assert.equal(await eye.getAttribute('aria-pressed'), 'false');
    });
  });

  test('is hidden in one chat, also after a reload, and goes along no more there', async () => {
    await withChat(answered, async panel => {
      const { page } = panel;
      const offer = page.getByRole('button', { name: /retry\.ts/ });
      const eye = page.getByRole('button', { name: /^Send the active editor/ });
      const other = { ...answered, chatId: 'chat-2' };
      await panel.panelState(inEditor('retry.ts'));
      const hide = page.getByRole('button', { name: 'Hide the active editor in this chat' });
      const [left, right] = [await eye.boundingBox(), await hide.boundingBox()];
      assert.ok(left && right && left.width >= 24 && left.x + 24 <= right.x, 'side by side');
      await eye.click();
      await hide.click();
      await offer.waitFor({ state: 'detached' });
      await page.keyboard.type('go on');
      await page.keyboard.press('Enter');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: 'go on' }]);

      await panel.panelState({ ...inEditor('retry.ts'), chatId: 'chat-2' });
      await panel.snapshot(other, T0 + 42_000);
      await offer.waitFor();
      assert.equal(await eye.getAttribute('aria-pressed'), 'true');

      await page.reload();
      await panel.waitForPost('ready');
      await panel.panelState(inEditor('retry.ts'));
      await panel.snapshot(answered, T0 + 42_000);
      await panel.message.waitFor();
      assert.equal(await offer.count(), 0);
      await panel.panelState({ ...inEditor('retry.ts'), chatId: 'chat-2' });
      await panel.snapshot(other, T0 + 42_000);
      await offer.waitFor();
    });
  });
});

describe('sending', () => {
  test('Enter sends, Shift+Enter breaks the line', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('one');
      await panel.page.keyboard.press('Shift+Enter');
      await panel.page.keyboard.type('two');
      assert.deepEqual(await sent(panel), []);
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: 'one\ntwo' }]);
      assert.equal(await panel.message.inputValue(), '');
    });
  });

  test('Enter belongs to the chat that is on screen, though another is on its way', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('for the first');
      const other: ToView = {
        type: 'snapshot',
        generation: 99,
        seq: 0,
        state: { ...ready, chatId: 'another', draft: { ...ready.draft, text: '' } },
        now: T0,
      };
      // In one task: no frame comes between.
      await panel.message.evaluate((area, data) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
        area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      }, other);
      await panel.painted();
      const sends = (await panel.posts()).filter(
        post => post.type === 'intent' && post.intent.type === 'send',
      );
      assert.deepEqual(sends, [
        {
          type: 'intent',
          chatId: ready.chatId,
          intent: { type: 'send', text: 'for the first' },
        },
      ]);
      assert.equal(await panel.message.inputValue(), '');
    });
  });

  test('an empty message is not sent, and the button says why', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.press('Enter');
      await panel.page.keyboard.type('  ');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await sent(panel), []);
      const send = panel.page.getByRole('button', { name: 'Send' });
      assert.equal(await send.isDisabled(), true);
      assert.equal(await send.getAttribute('title'), 'Type a message first');
    });
  });

  test('Enter that ends a composition of an input method does not send', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('に');
      await panel.message.evaluate(area =>
        area.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
        ),
      );
      assert.deepEqual(await sent(panel), []);
      assert.equal(await panel.message.inputValue(), 'に');
    });
  });

  test('while a turn runs there is Stop, and with text also Send, which queues', async () => {
    await withChat(running, async panel => {
      const stop = panel.page.getByRole('button', { name: 'Stop', exact: true });
      const send = panel.page.getByRole('button', { name: 'Send', exact: true });
      assert.equal(await stop.count(), 1);
      assert.equal(await send.count(), 0);
      await panel.page.keyboard.type('and then');
      assert.match((await send.getAttribute('title')) ?? '', /queued until the agent is done/);
      await panel.page.keyboard.press('Escape');
      assert.equal((await panel.waitForIntent('stop')).type, 'stop');
      assert.equal(await panel.message.inputValue(), 'and then', 'what was typed stays');
      await panel.actions([{ type: 'cancelRequested' }]);
      await panel.page.waitForFunction(
        () =>
          document.querySelector<HTMLElement & { cancelling: boolean }>('parley-composer')
            ?.cancelling,
      );
      await panel.clearPosts();
      await panel.page.keyboard.press('Escape');
      assert.deepEqual(await panel.intents(), [], 'one stop is enough');
    });
  });

  test('while a turn runs of an agent that can be steered, Enter steers and Alt+Enter queues', async () => {
    const { agent } = running;
    const capabilities = { ...agent.capabilities, steer: true };
    await withChat({ ...running, agent: { ...agent, capabilities } }, async panel => {
      assert.match((await panel.message.getAttribute('placeholder')) ?? '', /^Steer /);
      const steer = panel.page.getByRole('button', { name: 'Steer', exact: true });
      const send = panel.page.getByRole('button', { name: 'Send', exact: true });
      await panel.page.keyboard.type('/review');
      assert.match((await send.getAttribute('title')) ?? '', /queued until the agent is done/);
      await panel.message.fill('left');
      assert.match((await steer.getAttribute('title')) ?? '', /right away\. Alt\+Enter: queued/);
      await panel.page.keyboard.press('Enter');
      const first = await panel.waitForIntent('send');
      assert.deepEqual(first, { type: 'send', text: 'left' });
      await panel.clearPosts();
      await panel.page.keyboard.type('later');
      await panel.page.keyboard.press('Alt+Enter');
      const second = await panel.waitForIntent('send');
      assert.deepEqual(second, { type: 'send', text: 'later', how: 'queue' });
    });
  });

  test('Up in an empty composer recalls earlier prompts, Down comes back', async () => {
    await withChat(answered, async panel => {
      const shown = async (key: string) => {
        await panel.page.keyboard.press(key);
        return panel.message.inputValue();
      };
      assert.equal(await shown('ArrowUp'), 'second');
      assert.equal(await shown('ArrowUp'), 'first');
      assert.equal(await shown('ArrowUp'), 'first');
      assert.equal(await shown('ArrowDown'), 'second');
      assert.equal(await shown('ArrowDown'), '');
      await panel.page.keyboard.type('mine');
      assert.equal(await shown('ArrowUp'), 'mine', 'what was typed is not replaced');
    });
  });
});

describe('an empty chat', () => {
  test('with the built-in agent offers what it can do, the tour first', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      const commands = ['tour', 'crash', 'edit'].map(name => ({
        name,
        description: `Does ${name}`,
      }));
      await panel.snapshot({
        ...ready,
        agent: { ...ready.agent, name: 'Parley Demo' },
        commands,
      });
      const tries = panel.page.getByRole('region', { name: 'Try' }).getByRole('button');
      assert.deepEqual(
        (await tries.allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()),
        ['Does tour /tour', 'Does edit /edit'],
      );
      await tries.first().click();
      await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === '/tour');
    });
  });
});

describe('commands', () => {
  test('a slash lists them; arrows, Tab and Esc work while the focus stays in the text', async () => {
    await withChat(running, async panel => {
      await panel.page.keyboard.type('/re');
      const options = panel.page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
      assert.equal(await options.count(), 4);
      const active = () => panel.message.getAttribute('aria-activedescendant');
      const first = await active();
      await panel.page.keyboard.press('ArrowDown');
      const second = await active();
      assert.notEqual(second, first);
      assert.equal(await panel.page.locator(`#${second}`).getAttribute('aria-selected'), 'true');
      await panel.page.keyboard.press('Escape');
      assert.equal(await options.count(), 0);
      assert.deepEqual(
        (await panel.intents()).filter(({ type }) => type === 'stop'),
        [],
        'the first Esc only closes the list',
      );
      await panel.page.keyboard.type('v');
      assert.equal(await options.count(), 2);
      await panel.page.keyboard.press('Tab');
      assert.equal(await panel.message.inputValue(), '/review ');
      assert.equal(await options.count(), 0);
    });
  });

  test('a command that comes back as a draft, after a crash, opens nothing until it is typed on', async () => {
    await withChat(running, async panel => {
      await panel.actions([{ type: 'draftReplaced', text: '/re', attachments: [] }]);
      await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === '/re');
      const options = panel.page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
      assert.equal(await options.count(), 0);
      await panel.message.press('End');
      await panel.page.keyboard.type('s');
      await options.first().waitFor();
    });
  });

  test('a command typed in full that takes nothing is sent by Enter', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('/resume');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: '/resume' }]);
    });
  });
});

describe('the draft', () => {
  test('typing is told after a pause, once, and at once when the composer is left', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('half a thought');
      assert.equal((await panel.waitForIntent('draft')).text.length > 0, true);
      await panel.page.keyboard.type(', whole');
      await panel.message.blur();
      await panel.waitForDraft('half a thought, whole');
    });
  });

  test('the host replaces the text only by a new revision', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('mine');
      await panel.waitForDraft('mine');
      await panel.actions([{ type: 'draftTyped', text: 'an old echo', viewId: 'other' }]);
      assert.equal(await panel.message.inputValue(), 'mine');
      await panel.actions([{ type: 'draftReplaced', text: 'from the queue', attachments: [] }]);
      assert.equal(await panel.message.inputValue(), 'from the queue');
    });
  });

  test('what is typed while a sent message is on its way stays', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('one');
      await panel.page.keyboard.press('Enter');
      await panel.page.keyboard.type('two');
      await panel.actions([{ type: 'draftReplaced', text: '', attachments: [] }]);
      assert.equal(await panel.message.inputValue(), 'two');
    });
  });

  test('each chat has its own', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('for the first chat');
      await panel.snapshot({
        ...ready,
        chatId: 'chat-2',
        draft: { ...ready.draft, text: 'other' },
      });
      assert.equal(await panel.message.inputValue(), 'other');
      const posts = await panel.posts();
      const draft = posts.findLast(post => post.type === 'intent' && post.intent.type === 'draft');
      assert.deepEqual(draft, {
        type: 'intent',
        chatId: 'chat-1',
        intent: { type: 'draft', text: 'for the first chat' },
      });
    });
  });
});

describe('the message box is expanded', () => {
  const height = async ({ message }: Panel) => (await message.boundingBox())?.height ?? 0;

  test('with its button and with a key, and is small again when the message is sent', async () => {
    await withPanel({ width: 289, height: 640 }, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(ready, T0);
      await panel.message.focus();
      const small = await height(panel);
      const button = panel.page.getByRole('button', { name: 'Expand Message Box' });
      await panel.page.keyboard.type('a plan');
      await panel.page.keyboard.press('Control+Alt+Enter');
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      assert.ok((await height(panel)) > 300, String(await height(panel)));
      assert.ok(await panel.conversation.isVisible());
      await button.click();
      assert.equal(await height(panel), small);
      assert.ok(await panel.message.evaluate(area => area === document.activeElement));
      await button.click();
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: 'a plan' }]);
      assert.equal(await height(panel), small);
    });
  });

  test('what an input method composes is neither sent nor broken by it', async () => {
    await withChat(ready, async panel => {
      const keys = await panel.page.context().newCDPSession(panel.page);
      await keys.send('Input.imeSetComposition', {
        text: 'にほん',
        selectionStart: 3,
        selectionEnd: 3,
      });
      for (const key of ['Enter', 'Escape', 'ArrowUp']) {
        await keys.send('Input.dispatchKeyEvent', {
          type: 'rawKeyDown',
          key,
          windowsVirtualKeyCode: 229,
        });
      }
      await panel.page.getByRole('button', { name: 'Expand Message Box' }).waitFor();
      await panel.actions([{ type: 'commandsChanged', commands: [] }]);
      assert.equal(await panel.message.inputValue(), 'にほん');
      assert.deepEqual(await panel.intents(), []);
      await keys.send('Input.insertText', { text: '日本' });
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: '日本' }]);
    });
  });
});

describe('attachments', () => {
  test('a chip opens what it stands for', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('composer'));
      await panel.page.getByRole('button', { name: 'retry.ts:18-42', exact: true }).last().click();
      assert.deepEqual(await panel.waitForIntent('openAttachment'), {
        type: 'openAttachment',
        attachmentId: 'a-1',
      });
    });
  });

  test('a chip is removed by its button', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('composer'));
      await panel.page.getByRole('button', { name: 'Remove retry.ts:18-42' }).click();
      assert.deepEqual(await panel.waitForIntent('removeAttachment'), {
        type: 'removeAttachment',
        attachmentId: 'a-1',
      });
    });
  });
});
