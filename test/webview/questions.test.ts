import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../src/session/state/actions';
import type { FormField } from '../../src/session/state/elicitation';
import { withPanel, type Panel } from './harness';
import { FIELDS, OPTIONAL, asksForm, asksPage } from './questionStory';
import { PANEL, told } from './states';
import { asked, connected, said, wantsCommand } from './story';

const MESSAGE = 'Which behaviour do you want for very long waits?';
const form = (panel: Panel, message = MESSAGE) =>
  panel.page.getByRole('form', { name: `Claude Code asks: ${message}` });

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...asked(), ...actions));
}

const submit = (panel: Panel) => form(panel).getByRole('button', { name: 'Submit' }).click();

async function answer(panel: Panel): Promise<unknown> {
  const intent = await panel.waitForIntent('answerElicitation');
  return { ...intent, ...(intent.values && { values: JSON.parse(intent.values) as unknown }) };
}

describe('a form', () => {
  test('has a labelled control for every kind of field, with what the agent proposes', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksForm(FIELDS));
      const { page } = panel;
      await page.getByLabel('Longest wait, in seconds').fill('120');
      assert.equal(await page.getByRole('radio', { name: /^Give up/ }).isChecked(), true);
      assert.equal(await page.getByLabel('Log every wait').isChecked(), true);
      const clients = page.getByRole('group', { name: /^Clients that use it/ });
      await clients.getByRole('checkbox', { name: /^Labels/ }).check();
      await clients.getByRole('checkbox', { name: 'Carrier client' }).check();
      await page.getByLabel('Who is told').fill('me@example.com');
      await submit(panel);
      assert.deepEqual(await answer(panel), {
        type: 'answerElicitation',
        requestId: 'form-1',
        action: 'accept',
        values: {
          longest: 120,
          longer: 'report',
          where: ['carrier', 'labels'],
          owner: 'me@example.com',
          log: true,
        },
      });
    });
  });

  test('says what is wrong before anything is sent, and puts the caret there', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksForm(FIELDS));
      const longest = panel.page.getByLabel('Longest wait, in seconds');
      await panel.page.getByLabel('Who is told').fill('nobody');
      await longest.fill('4000');
      await submit(panel);
      assert.equal(await longest.getAttribute('aria-invalid'), 'true');
      const text = await form(panel).innerText();
      assert.match(text, /at most 3600/);
      assert.match(text, /Choose at least one/);
      assert.match(text, /Enter an email address/);
      assert.equal(await longest.evaluate(element => element === document.activeElement), true);
      assert.deepEqual(await panel.intents(), []);
      await longest.fill('40');
      assert.doesNotMatch(await form(panel).innerText(), /at most 3600/);
    });
  });

  test('shows what the host found wrong, and can then be sent again', async () => {
    await withPanel({}, async panel => {
      const code: FormField = { kind: 'text', name: 'code', label: 'Code', required: true };
      await show(panel, asksForm([code]));
      await panel.page.getByLabel('Code', { exact: true }).fill('x');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(((await answer(panel)) as { values: unknown }).values, { code: 'x' });
      const problems = { code: 'Must match the pattern [0-9]+' };
      await panel.actions([{ type: 'elicitationRefused', requestId: 'form-1', problems }]);
      assert.match(await form(panel).innerText(), /Must match the pattern/);
      await panel.clearPosts();
      await panel.page.getByLabel('Code', { exact: true }).fill('7');
      await submit(panel);
      assert.deepEqual(((await answer(panel)) as { values: unknown }).values, { code: '7' });
    });
  });

  test('leaves out what need not be answered, and lets a choice be taken back', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksForm(OPTIONAL));
      const { page } = panel;
      const red = page.getByRole('radio', { name: /^Red/ });
      await red.click();
      assert.equal(await red.isChecked(), true);
      await red.click();
      assert.equal(await red.isChecked(), false);
      await page.getByRole('radio', { name: /^Blue/ }).click();
      await page.getByRole('combobox', { name: 'Zone' }).selectOption('Zone 4');
      await page.getByLabel('Since').fill('2026-02-28');
      await submit(panel);
      assert.deepEqual(((await answer(panel)) as { values: unknown }).values, {
        question_0: 'Blue',
        zone: 'z4',
        since: '2026-02-28',
        note: 'one\ntwo',
      });
    });
  });

  test('is declined and cancelled', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksForm(FIELDS));
      for (const [name, action] of [
        ['Decline', 'decline'],
        ['Cancel', 'cancel'],
      ] as const) {
        await panel.clearPosts();
        await form(panel).getByRole('button', { name }).click();
        assert.deepEqual(await answer(panel), {
          type: 'answerElicitation',
          requestId: 'form-1',
          action,
        });
      }
    });
  });

  test('does not take the focus, gives it back on Esc, and hands it to the next', async () => {
    await withPanel({}, async panel => {
      await show(panel);
      await panel.message.focus();
      await panel.message.pressSequentially('typing');
      await panel.actions([asksForm(FIELDS), asksForm(FIELDS, 'form-2')]);
      await panel.message.pressSequentially(' on');
      assert.equal(await panel.message.inputValue(), 'typing on');
      const first = panel.page.getByLabel('Longest wait, in seconds').first();
      await first.focus();
      await panel.page.keyboard.press('ArrowDown');
      assert.equal(await first.evaluate(element => element === document.activeElement), true);
      await panel.page.keyboard.press('Escape');
      await panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
      await first.focus();
      await panel.actions([{ type: 'elicitationEnded', requestId: 'form-1', at: 0 }]);
      assert.equal(
        await panel.page.evaluate(() =>
          document.activeElement?.closest('.ask')?.getAttribute('data-request-id'),
        ),
        'form-2',
      );
    });
  });

  test('keeps what was filled in when the page is loaded anew', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksForm(FIELDS));
      await panel.page.getByLabel('Who is told').fill('me@example.com');
      await panel.page.reload();
      await panel.waitForPost('ready');
      await show(panel, asksForm(FIELDS));
      assert.equal(await panel.page.getByLabel('Who is told').inputValue(), 'me@example.com');
    });
  });

  test('makes the chat wait: header, dock, and no filled button beside an older request', async () => {
    await withPanel({ height: 480 }, async panel => {
      await show(panel, ...said('Text.\n\n'.repeat(60), 't'), asksForm(FIELDS));
      assert.match(await panel.page.locator('.head').innerText(), /Waiting for you/);
      await panel.page.locator('.log').evaluate(log => {
        log.scrollTop = 0;
      });
      const row = panel.page.getByRole('region', { name: 'Waiting for you' });
      await row.getByRole('button', { name: 'Show' }).click();
      await row.waitFor({ state: 'detached' });
      const look = () => form(panel).getByRole('button', { name: 'Submit' }).getAttribute('class');
      assert.match((await look()) ?? '', /primary/);
      await panel.actions(wantsCommand());
      assert.match((await look()) ?? '', /secondary/);
    });
  });
});

describe('a page to visit', () => {
  const page = (panel: Panel) => form(panel, 'Sign in to the carrier to read its rates');

  test('has no row in the dock while it is in view', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksPage());
      await page(panel).waitFor();
      await panel.painted();
      await panel.page.getByRole('region', { name: 'Waiting for you' }).waitFor({
        state: 'detached',
      });
    });
  });

  test('shows host and whole address, and is opened only on consent', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksPage());
      const text = await page(panel).innerText();
      assert.match(text, /Page at login\.parcel\.example/);
      assert.match(text, /https:\/\/login\.parcel\.example\/oauth\/authorize\?.*state=8fk2/);
      assert.equal(await page(panel).locator('a').count(), 0);
      assert.deepEqual(await panel.intents(), []);
      await page(panel).getByRole('button', { name: 'Open in Browser' }).click();
      assert.deepEqual(await answer(panel), {
        type: 'answerElicitation',
        requestId: 'page-1',
        action: 'accept',
      });
      await panel.actions([{ type: 'elicitationOpened', requestId: 'page-1' }]);
      assert.match(await page(panel).innerText(), /Opened in your browser/);
      assert.doesNotMatch(await panel.page.locator('.head').innerText(), /Waiting for you/);
    });
  });

  test('warns of a host in lookalike letters', async () => {
    await withPanel({}, async panel => {
      await show(panel, asksPage({ lookalike: true }));
      const text = await page(panel).innerText();
      assert.match(text, /Page at xn--prcel-3ve\.example:8443/);
      assert.match(text, /may imitate a site you know/);
    });
  });

  test('that cannot be opened says why, and offers no opening', async () => {
    await withPanel({}, async panel => {
      await show(panel, {
        type: 'elicitationRequested',
        elicitation: {
          kind: 'page',
          id: 'page-1',
          message: 'Sign in to the carrier to read its rates',
          requestedAt: 0,
          url: 'file:///etc/passwd',
          host: '',
          refused: 'Parley opens only http and https addresses.',
          opened: false,
        },
      });
      assert.match(await page(panel).innerText(), /opens only http and https/);
      assert.equal(await page(panel).getByRole('button', { name: /^Open/ }).count(), 0);
      await page(panel).getByRole('button', { name: 'Decline' }).click();
      assert.equal((await panel.waitForIntent('answerElicitation')).action, 'decline');
    });
  });
});
