import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel } from './harness';
import { PANEL, stateNamed, told } from './states';
import { COMMAND, asked, connected, edited, ended } from './story';

describe('content that is not prose', () => {
  test('sound is played where the browser can, and named otherwise', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('content'));
      const sound = panel.page.locator('audio');
      assert.equal(await sound.count(), 1);
      await sound.evaluate(
        element =>
          new Promise<void>((resolve, reject) => {
            const audio = element as HTMLAudioElement;
            if (audio.readyState > 0) resolve();
            audio.addEventListener('loadedmetadata', () => resolve());
            audio.addEventListener('error', () => reject(new Error(audio.error?.message)));
          }),
      );
      assert.match(await panel.conversation.innerText(), /Audio\s+audio\/x-voice, 180 KB/);
    });
  });

  test('what is meant for the agent is folded, not hidden', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('content'));
      assert.doesNotMatch(await panel.conversation.innerText(), /under 200 words/);
      await panel.page.getByText('For the agent').click();
      await panel.page.getByText('Keep the answer under 200 words.').waitFor();
    });
  });

  test('the summary of a compaction is folded into its notice', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('content'));
      const notice = panel.page.locator('[data-part="notice"]');
      assert.doesNotMatch(await notice.innerText(), /as seconds/);
      await notice.getByText('Details').click();
      await notice.getByText('as seconds').waitFor();
    });
  });
});

test('plans with names stand in the dock: steps, a file, a text', async () => {
  await withPanel({}, async panel => {
    await panel.show(stateNamed('content'));
    const { page } = panel;
    assert.equal(await page.getByRole('list', { name: 'Plan' }).count(), 1);
    await page.locator('.dock').getByRole('button', { name: 'Open' }).click();
    assert.deepEqual(await panel.waitForIntent('openLink'), {
      type: 'openLink',
      href: 'file:///work/parcel-api/PLAN.md',
    });
    await page.getByRole('button', { name: /^Plan Later/ }).click();
    await page.locator('.dock').getByText('Webhooks').waitFor();
    await panel.actions([{ type: 'namedPlanRemoved', planId: 'c' }]);
    assert.equal(await page.locator('.dock').getByText('Webhooks').count(), 0);
  });
});

test('a stopped turn says which edits stay, and offers to take them back', async () => {
  await withPanel({}, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(told(...connected(), ...asked(), ...edited(), ...ended('cancelled')));
    const notice = panel.page.getByRole('note');
    assert.match(await notice.innerText(), /Its edit to 1 file is still there\./);
    await notice.getByRole('button', { name: /^Restore to Before This Prompt/ }).click();
    assert.equal((await panel.waitForIntent('restorePrompt')).turnId, 'turn-1');
  });
});

describe('signing in', () => {
  test('a method without words of its own says what it will do', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(
        told({
          type: 'connectionChanged',
          connection: {
            kind: 'signIn',
            problem: 'The terminal was closed before the sign-in was done.',
            methods: [
              { id: 'browser', name: 'Browser', type: 'agent' },
              { id: 'shell', name: 'Shell', type: 'terminal' },
              { id: 'key', name: 'Key', type: 'env_var' },
            ],
          },
        }),
      );
      const methods = panel.page.getByRole('group', { name: 'Sign-in methods' });
      assert.match(await methods.innerText(), /Shell\s+Opens a terminal here/);
      assert.match(await methods.innerText(), /Key\s+Asks for a key/);
      assert.match(await panel.conversation.getByRole('alert').innerText(), /closed before/);
      await methods.getByRole('button', { name: /^Shell/ }).click();
      assert.equal((await panel.waitForIntent('signIn')).methodId, 'shell');
    });
  });

  test('while it is waited for, the ways are closed and it can be cancelled', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      const methods = [{ id: 'browser', name: 'Browser', type: 'agent' }] as const;
      await panel.snapshot(
        told({ type: 'connectionChanged', connection: { kind: 'signIn', methods, busy: true } }),
      );
      assert.ok(await panel.page.getByRole('button', { name: /^Browser/ }).isDisabled());
      const cancel = panel.page.getByRole('button', { name: 'Cancel' });
      await cancel.click();
      assert.deepEqual(await panel.waitForIntent('cancelStart'), { type: 'cancelStart' });
      await panel.actions([{ type: 'connectionChanged', connection: { kind: 'signIn', methods } }]);
      await cancel.waitFor({ state: 'detached' });
      assert.ok(await panel.page.getByRole('button', { name: /^Browser/ }).isEnabled());
    });
  });

  test('without methods the card tells what to do, and tries again', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(
        told({ type: 'connectionChanged', connection: { kind: 'signIn', methods: [] } }),
      );
      await panel.page.getByRole('button', { name: 'Try Again' }).click();
      assert.deepEqual(await panel.waitForIntent('retry'), { type: 'retry' });
    });
  });

  test('the menu offers what the agent can: to sign out, and to copy a chat', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('ready'));
      const more = panel.page.getByRole('button', { name: 'More Actions' });
      const item = (name: string) => panel.page.getByRole('menuitem', { name });
      await more.click();
      assert.equal(await item('Sign Out').count(), 0);
      assert.equal(await item('Duplicate Chat').count(), 0);
      await panel.actions([
        {
          type: 'agentIdentified',
          title: COMMAND,
          capabilities: {
            image: true,
            audio: true,
            embeddedContext: true,
            loadSession: true,
            resumeSession: true,
            fork: true,
            signOut: true,
          },
        },
      ]);
      await item('Sign Out').click();
      assert.deepEqual(await panel.waitForIntent('signOut'), { type: 'signOut' });
      await more.click();
      await item('Duplicate Chat').click();
      assert.deepEqual(await panel.waitForIntent('forkChat'), { type: 'forkChat' });
    });
  });
});
