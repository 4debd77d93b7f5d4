import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Attachment, SessionState } from '../../src/session/state/state';
import type { MentionGroup } from '../../src/shared/queries';
import { withPanel, type Panel } from './harness';
import { MENTIONS, PANEL, told } from './states';
import { T0, asked, connected, ended } from './story';

const ready = told(...connected());

const retry: Attachment = {
  id: 'a-9',
  kind: 'file',
  label: 'retry.ts',
  title: 'src/http/retry.ts',
  mention: '@src/http/retry.ts',
};

async function withChat(session: SessionState, run: (panel: Panel) => Promise<void>) {
  await withPanel({}, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(session, T0 + 42_000);
    await panel.message.focus();
    await run(panel);
  });
}
const options = (panel: Panel) =>
  panel.page.getByRole('listbox', { name: 'Context' }).getByRole('option');
const chips = (panel: Panel) =>
  panel.page.getByRole('list', { name: 'Attached context' }).getByRole('listitem');
const sent = async (panel: Panel) => (await panel.intents()).filter(({ type }) => type === 'send');

/** A host that answers every query about mentions with those whose name has the letters. */
async function answerAll(panel: Panel, groups: readonly MentionGroup[], last: string) {
  for (;;) {
    const { text } = await panel.answerQuery('mentions', query => ({
      groups: groups
        .map(group => ({
          ...group,
          items: group.items.filter(({ name }) => name.includes(query.text)),
        }))
        .filter(({ items }) => items.length > 0),
    }));
    if (text === last) return;
  }
}

describe('mentions', () => {
  test('an @ lists what it may stand for; Enter puts its word into the text and tells the host', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('compare @ret');
      await answerAll(panel, MENTIONS, 'ret');
      await options(panel).nth(3).waitFor();
      assert.equal(await options(panel).first().innerText(), 'retry.ts\nsrc/http');
      const active = await panel.message.getAttribute('aria-activedescendant');
      assert.equal(await options(panel).first().getAttribute('id'), active);
      await panel.page.keyboard.press('ArrowDown');
      await panel.page.keyboard.press('Enter');
      assert.equal(await panel.message.inputValue(), 'compare @test/http/retry.test.ts ');
      assert.deepEqual(await panel.waitForIntent('mention'), {
        type: 'mention',
        id: 'file-code/retry.test.ts',
      });
      assert.equal(await options(panel).count(), 0);
      assert.deepEqual(await sent(panel), []);
      await panel.page.keyboard.press('Control+z');
      assert.equal(await panel.message.inputValue(), 'compare @ret', 'it is one step to undo');
    });
  });

  test('Enter waits for the answer about what was typed, and a late answer to less is dropped', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('@');
      await panel.answerQuery('mentions', () => ({ groups: MENTIONS }));
      await options(panel).first().waitFor();
      await panel.page.keyboard.type('test');
      await panel.page.keyboard.press('Enter');
      assert.equal(await panel.message.inputValue(), '@test');
      assert.deepEqual(await sent(panel), []);
      await answerAll(panel, MENTIONS, 'test');
      await panel.waitForIntent('mention');
      assert.equal(await panel.message.inputValue(), '@test/http/retry.test.ts ');
    });
  });

  test('where nothing is called so, Enter sends', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('what is @nullable');
      await answerAll(panel, MENTIONS, 'nullable');
      await panel.page.keyboard.press('Enter');
      await panel.waitForIntent('send');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: 'what is @nullable' }]);
    });
  });

  test('Enter before the answer sends where it finds nothing, whatever other programs find later', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('ask @');
      await panel.answerQuery('mentions', () => ({ groups: MENTIONS }));
      await options(panel).first().waitFor();
      await panel.page.keyboard.type('bob');
      await panel.page.keyboard.press('Enter');
      await answerAll(panel, [], 'bob');
      await panel.waitForIntent('send');
      assert.deepEqual(await sent(panel), [{ type: 'send', text: 'ask @bob' }]);
      assert.equal(await panel.message.inputValue(), '');
    });
  });

  test('Esc closes the list, also for the letters that follow; another @ opens it again', async () => {
    await withChat(told(...connected(), ...asked()), async panel => {
      await panel.page.keyboard.type('@');
      await panel.answerQuery('mentions', () => ({ groups: MENTIONS }));
      await options(panel).first().waitFor();
      await panel.page.keyboard.press('Escape');
      assert.equal(await options(panel).count(), 0);
      await panel.page.keyboard.type('re ');
      assert.equal(await options(panel).count(), 0);
      assert.deepEqual(
        (await panel.intents()).filter(({ type }) => type === 'stop'),
        [],
      );
      await panel.page.keyboard.type('@');
      await panel.answerQuery('mentions', () => ({ groups: MENTIONS }));
      await options(panel).first().waitFor();
    });
  });

  test('the list is there where the caret is behind an @, and nowhere else', async () => {
    await withChat(ready, async panel => {
      const queries = async () =>
        (await panel.posts()).flatMap(post =>
          post.type === 'query' && post.query.type === 'mentions' ? [post.query.text] : [],
        );
      await panel.page.keyboard.type('mail me@example.com');
      assert.deepEqual(await queries(), []);
      await panel.page.keyboard.type(' (@re');
      await answerAll(panel, MENTIONS, 're');
      await options(panel).first().waitFor();
      await panel.page.keyboard.press('Home');
      await options(panel).first().waitFor({ state: 'hidden' });
      await panel.page.keyboard.press('End');
      await panel.answerQuery('mentions', () => ({ groups: MENTIONS }));
      await options(panel).first().waitFor();
      await panel.page.getByRole('button', { name: 'Add Context' }).focus();
      await options(panel).first().waitFor({ state: 'hidden' });
    });
  });

  test('Enter that ends a composition of an input method chooses nothing', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('@re');
      await answerAll(panel, MENTIONS, 're');
      await options(panel).first().waitFor();
      await panel.message.evaluate(area =>
        area.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
        ),
      );
      assert.equal(await panel.message.inputValue(), '@re');
    });
  });

  test('what other programs are asked for comes below, when it comes', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('@ret');
      await answerAll(panel, MENTIONS, 'ret');
      const symbol = {
        id: 's',
        icon: 'symbol-method',
        name: 'withRetry',
        hits: [4, 5, 6],
        detail: 'src/http/retry.ts',
        mention: '@src/http/retry.ts#withRetry',
      };
      await panel.answerQuery('slowMentions', ({ text }) => {
        assert.equal(text, 'ret');
        return { groups: [{ name: 'Symbols', items: [symbol] }] };
      });
      await options(panel).getByText('withRetry').click();
      assert.equal(await panel.message.inputValue(), '@src/http/retry.ts#withRetry ');
      assert.equal((await panel.waitForIntent('mention')).id, 's');
    });
  });
});

describe('what is mentioned', () => {
  test('goes along while its word stands in the text', async () => {
    await withChat(ready, async panel => {
      await panel.actions([{ type: 'attachmentAdded', attachment: retry }]);
      assert.equal(await chips(panel).count(), 0);
      await panel.page.keyboard.insertText('see @src/http/retry.ts for it');
      await chips(panel).filter({ hasText: 'retry.ts' }).waitFor();
      await panel.page.getByRole('button', { name: 'Remove retry.ts' }).click();
      await chips(panel).first().waitFor({ state: 'hidden' });
      assert.equal(await panel.message.inputValue(), 'see for it');
      await panel.page.keyboard.press('Control+z');
      await chips(panel).first().waitFor();
      assert.equal(await panel.message.inputValue(), 'see @src/http/retry.ts for it');
    });
  });

  test('means the same in a prompt that is recalled', async () => {
    const [start, ...rest] = asked('read @src/http/retry.ts', 't1');
    assert.ok(start?.type === 'turnStarted');
    const prompt = { ...start.prompt, id: 'p', text: 'read @src/http/retry.ts' };
    const earlier = told(
      ...connected(),
      { ...start, prompt: { ...prompt, attachments: [retry] } },
      ...rest,
      ...ended(),
    );
    await withChat(earlier, async panel => {
      await panel.page.keyboard.press('ArrowUp');
      assert.equal(await panel.message.inputValue(), 'read @src/http/retry.ts');
      await chips(panel).filter({ hasText: 'retry.ts' }).waitFor();
    });
  });

  test('opens from where it is mentioned in the conversation', async () => {
    const [start, ...rest] = asked('', 't1');
    assert.ok(start?.type === 'turnStarted');
    const prompt = { id: 'p', text: 'read @src/http/retry.ts.', attachments: [retry] };
    await withChat(told(...connected(), { ...start, prompt }, ...rest), async panel => {
      const link = panel.conversation.getByRole('link', { name: '@src/http/retry.ts' });
      assert.equal(await link.innerText(), '@src/http/retry.ts');
      await link.click();
      assert.deepEqual(await panel.waitForIntent('openAttachment'), {
        type: 'openAttachment',
        attachmentId: 'a-9',
      });
      assert.equal(await panel.conversation.locator('.prompt .chip').count(), 0);
    });
  });
});

describe('code that was copied in an editor', () => {
  const CODE = 'one\n  two\n';
  const item = {
    id: 'place',
    icon: 'list-selection',
    name: 'src/a.ts:1-2',
    hits: [],
    detail: '',
    mention: '@src/a.ts:1-2',
  };
  /** As the browser does it: the event, and then the text as if it were typed. */
  const paste = (panel: Panel, types: readonly string[]) =>
    panel.message.evaluate(
      (area, { text, kinds }) => {
        const clipboardData = new DataTransfer();
        for (const kind of kinds) clipboardData.setData(kind, text);
        area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
        document.execCommand('insertText', false, text);
      },
      { text: CODE, kinds: types },
    );

  test('becomes a mention of its place, and is code again after Undo', async () => {
    await withChat(ready, async panel => {
      await panel.page.keyboard.type('why ');
      await paste(panel, ['text/plain', 'vscode-editor-data']);
      await panel.page.keyboard.type('this?');
      assert.equal(await panel.message.inputValue(), `why ${CODE}this?`);
      const { text } = await panel.answerQuery('pastedCode', () => ({ item }));
      assert.equal(text, CODE);
      assert.equal((await panel.waitForIntent('mention')).id, 'place');
      assert.equal(await panel.message.inputValue(), 'why @src/a.ts:1-2 this?');
      await panel.page.keyboard.type(' Yes');
      assert.equal(await panel.message.inputValue(), 'why @src/a.ts:1-2 this? Yes');
      // How much of what was typed is one step is the browser's affair.
      const undone = [];
      for (let step = 0; step < 8; step++) {
        await panel.page.keyboard.press('Control+z');
        undone.push(await panel.message.inputValue());
      }
      assert.ok(
        undone.some(text => text.includes(CODE)),
        JSON.stringify(undone),
      );
    });
  });

  test('stays code where its place is not known, or it is no code of an editor', async () => {
    await withChat(ready, async panel => {
      await paste(panel, ['text/plain', 'vscode-editor-data']);
      await panel.answerQuery('pastedCode', () => ({}));
      await paste(panel, ['text/plain']);
      assert.equal(await panel.message.inputValue(), CODE + CODE);
      const asked = (await panel.posts()).filter(
        post => post.type === 'query' && post.query.type === 'pastedCode',
      );
      assert.equal(asked.length, 1);
    });
  });
});

describe('what is dropped', () => {
  for (const [what, type, data] of [
    ['files of the Explorer', 'application/vnd.code.uri-list', 'file:///w/a.ts\r\nfile:///w/src'],
    ['tabs', 'resourceurls', '["file:///w/a.ts","file:///w/src"]'],
    ['files of another program', 'text/uri-list', '# two\r\nfile:///w/a.ts\r\nfile:///w/src'],
  ] as const) {
    test(`${what} go to the host by their addresses`, async () => {
      await withChat(ready, async panel => {
        await panel.message.evaluate(
          (area, given) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.setData(given.type, given.data);
            dataTransfer.setData('text/plain', '/w/a.ts');
            const init = { dataTransfer, bubbles: true, cancelable: true };
            const over = new DragEvent('dragover', init);
            area.dispatchEvent(over);
            if (over.defaultPrevented) area.dispatchEvent(new DragEvent('drop', init));
          },
          { type, data },
        );
        assert.deepEqual((await panel.waitForIntent('attachUris')).uris, [
          'file:///w/a.ts',
          'file:///w/src',
        ]);
        assert.equal(await panel.message.inputValue(), '');
      });
    });
  }
});
