import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../workbench/eventually';
import type { Attachment } from '../../src/session/state/state';
import { withPanel, type Panel } from './harness';
import { MENTIONS, PANEL, told } from './states';
import { T0, asked, connected, ended, said } from './story';

const attachment = (label: string): Attachment => ({
  id: label,
  kind: 'file',
  label,
  title: `src/${label}`,
});

/** Three finished turns; the second prompt has a file beside it. */
const talk = told(
  ...connected(),
  ...asked('first', 't1'),
  ...said('One.', 'text-1', 't1'),
  ...ended(),
  {
    type: 'turnStarted',
    turnId: 't2',
    prompt: { id: 'p2', text: 'second', attachments: [attachment('a.ts'), attachment('b.ts')] },
    at: T0,
  },
  ...said('Two.', 'text-2', 't2'),
  ...ended(),
  ...asked('third', 't3'),
  ...said('Three.', 'text-3', 't3'),
  ...ended(),
);

async function withTalk(run: (panel: Panel) => Promise<void>, session = talk): Promise<void> {
  await withPanel({ width: 289 }, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(session, T0 + 90_000);
    await run(panel);
  });
}

const turn = (panel: Panel, prompt: string) => panel.page.getByRole('article', { name: prompt });
const promptOf = (panel: Panel, prompt: string) => turn(panel, prompt).locator('.prompt');
const editor = (panel: Panel) => panel.page.getByRole('group', { name: 'Edit prompt' });
const field = (panel: Panel) => editor(panel).getByRole('textbox', { name: 'Prompt' });

/** As a user does with a mouse. */
async function edit(panel: Panel, prompt: string): Promise<void> {
  await promptOf(panel, prompt).hover();
  await turn(panel, prompt).getByRole('button', { name: 'Edit and Resend' }).click();
  await eventually('the caret is in the editor', () =>
    field(panel).evaluate(area => area === document.activeElement),
  );
}

describe('a prompt is changed in its place', () => {
  test('and sent with what it keeps', async () => {
    await withTalk(async panel => {
      await edit(panel, 'second');
      assert.equal(await field(panel).inputValue(), 'second');
      await panel.page.keyboard.type(' thoughts');
      await panel.page.keyboard.press('Shift+Enter');
      await panel.page.keyboard.type('on it');
      await editor(panel).getByRole('button', { name: 'Remove a.ts' }).click();
      await editor(panel).getByRole('button', { name: 'Send' }).click();
      assert.deepEqual(await panel.waitForIntent('resendPrompt'), {
        type: 'resendPrompt',
        turnId: 't2',
        text: 'second thoughts\non it',
        without: ['a.ts'],
      });
      // The user may still say no to what goes back.
      assert.equal(await field(panel).inputValue(), 'second thoughts\non it');
      await field(panel).focus();
      await panel.actions([{ type: 'transcriptRewound', turnId: 't2' }]);
      await editor(panel).waitFor({ state: 'detached' });
      await eventually('the caret is in the message box', () =>
        panel.message.evaluate(area => area === document.activeElement),
      );
      assert.equal(await panel.message.inputValue(), '');
    });
  });

  test('with the keyboard alone; Esc leaves it as it was, and Enter belongs to an input method', async () => {
    await withTalk(async panel => {
      await panel.conversation.focus();
      await panel.page.keyboard.press('Home');
      await panel.page.keyboard.press('Enter');
      await eventually('the caret is in the editor', () =>
        field(panel).evaluate(area => area === document.activeElement),
      );
      await panel.page.keyboard.type(' and more');
      await field(panel).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      await panel.page.keyboard.press('Escape');
      await editor(panel).waitFor({ state: 'detached' });
      await eventually('the prompt has the focus', () =>
        promptOf(panel, 'first').evaluate(item => item === document.activeElement),
      );
      assert.equal(await promptOf(panel, 'first').locator('p').innerText(), 'first');
      assert.deepEqual(await panel.intents(), []);
      await panel.page.keyboard.press('Enter');
      await field(panel).waitFor();
      assert.equal(await field(panel).inputValue(), 'first', 'what was given up is gone');
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.waitForIntent('resendPrompt')).turnId, 't1');
    });
  });

  test('mentions what the message box can mention', async () => {
    await withTalk(async panel => {
      await edit(panel, 'third');
      await panel.page.keyboard.insertText(' in @ret');
      await panel.answerQuery('mentions', () => ({ groups: MENTIONS }));
      const list = editor(panel).getByRole('listbox');
      await list.waitFor();
      await panel.page.keyboard.press('Enter');
      await list.waitFor({ state: 'detached' });
      const mention = await panel.waitForIntent('mention');
      assert.equal(mention.id, MENTIONS[0]?.items[0]?.id);
      await panel.page.keyboard.press('Enter');
      assert.equal(
        (await panel.waitForIntent('resendPrompt')).text,
        `third in ${MENTIONS[0]?.items[0]?.mention} `,
      );
    });
  });

  test('takes what is pasted as the message box does, for itself', async () => {
    await withTalk(async panel => {
      await edit(panel, 'second');
      await field(panel).evaluate(async area => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 4;
        canvas.getContext('2d')?.fillRect(0, 0, 4, 4);
        const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([blob ?? ''], 'image.png', { type: 'image/png' }));
        area.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      });
      const intent = await panel.waitForIntent('attachImage');
      assert.equal(intent.turnId, 't2');
      const image: Attachment = {
        id: 'pasted',
        kind: 'image',
        label: 'Pasted image',
        title: 'Pasted image',
        forTurn: 't2',
      };
      await panel.actions([{ type: 'attachmentAdded', attachment: image }]);
      await editor(panel).getByText('Pasted image').waitFor();
      assert.equal(
        await panel.page.locator('parley-composer').getByText('Pasted image').count(),
        0,
      );
      await field(panel).press('Escape');
      assert.equal((await panel.waitForIntent('removeAttachment')).attachmentId, 'pasted');
    });
  });

  test('is still being changed after a reload, and an empty one is not sent', async () => {
    await withTalk(async panel => {
      await edit(panel, 'third');
      await field(panel).fill('half a thou');
      await panel.page.reload();
      await panel.waitForPost('ready');
      await panel.panelState(PANEL);
      await panel.snapshot(talk, T0 + 90_000);
      await field(panel).waitFor();
      assert.equal(await field(panel).inputValue(), 'half a thou');
      await field(panel).fill('  ');
      assert.ok(await editor(panel).getByRole('button', { name: 'Send' }).isDisabled());
      await field(panel).press('Enter');
      assert.deepEqual(await panel.intents(), []);
    });
  });

  test('not while its own turn runs', async () => {
    await withTalk(async panel => {
      await panel.actions(asked('fourth', 't4'));
      await promptOf(panel, 'fourth').hover();
      const buttons = turn(panel, 'fourth').getByRole('button', { name: 'Edit and Resend' });
      assert.equal(await buttons.count(), 0);
      assert.equal(
        await turn(panel, 'third').getByRole('button', { name: 'Edit and Resend' }).count(),
        1,
      );
    });
  });
});

describe('an answer is tried again', () => {
  test('any answer, and the latest where it ends', async () => {
    await withTalk(async panel => {
      await turn(panel, 'first').hover();
      await turn(panel, 'first').getByRole('button', { name: 'Try Again', exact: true }).click();
      assert.equal((await panel.waitForIntent('tryAgain')).turnId, 't1');
      await turn(panel, 'third')
        .locator('.endline')
        .getByRole('button', { name: 'Try Again', exact: true })
        .click();
      await panel.page.waitForFunction(() =>
        (window as unknown as { __posts: { intent?: { turnId?: string } }[] }).__posts.some(
          ({ intent }) => intent?.turnId === 't3',
        ),
      );
    });
  });

  test('by another model or agent', async () => {
    await withTalk(async panel => {
      const end = turn(panel, 'third').locator('.endline');
      await end.getByRole('button', { name: 'Try Again With…' }).click();
      assert.equal((await panel.waitForIntent('tryAgainWith')).turnId, 't3');
    });
  });
});
