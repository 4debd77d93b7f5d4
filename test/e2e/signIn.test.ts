import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe } from 'node:test';
import type { ParleyPanel } from './parleyPanel';
import { fixtureAgent, newChatWith, suite, userTest, withSettings } from './suite';

const AGENT = 'Signed-in fixture';
const KEY = 'key-4f1e-of-nobody';

describe('an agent that wants a sign-in', () => {
  let file: string;

  before(async () => {
    file = path.join((await suite()).root, 'signed-in');
  });

  const withAgent = async (body: () => Promise<void>): Promise<void> => {
    const agent = { command: process.execPath, args: [await fixtureAgent('wantsSignIn'), file] };
    await withSettings({ 'parley.agents': { [AGENT]: agent } }, body);
  };

  const methods = (panel: ParleyPanel) =>
    panel.frame.getByRole('group', { name: 'Sign-in methods' });

  /** Sends `text`, which leads to the choice of ways to sign in. */
  const askInVain = async (panel: ParleyPanel, text: string): Promise<void> => {
    await panel.message.fill(text);
    await panel.message.press('Enter');
    await methods(panel).waitFor();
  };

  /** `text` was sent, if later, by who had signed in with `key`. */
  const answered = (panel: ParleyPanel, text: string, key: string): Promise<void> =>
    panel.turn(text).getByText(`You said: ${text}, with the key ${key}`).waitFor();

  const signOut = async (panel: ParleyPanel): Promise<void> => {
    const { workbench } = await suite();
    await workbench.runCommand('Parley: Sign Out');
    await workbench.dialog.getByRole('button', { name: 'Sign Out' }).click();
    // What is sent before VS Code hands on the answer goes to the process that is about to end.
    await panel.frame.getByText('Not running').first().waitFor();
  };

  userTest('is signed in to in a terminal, and again in mid-session', async () => {
    await withAgent(async () => {
      const panel = await newChatWith(AGENT);
      await askInVain(panel, 'written before');
      await methods(panel).getByRole('button', { name: 'In a terminal' }).click();
      // What was asked for meanwhile is carried out, without asking again.
      await answered(panel, 'written before', 'of the file');
      assert.ok(existsSync(file));

      await askInVain(panel, 'asked too late');
      await methods(panel).getByRole('button', { name: 'As older agents do it' }).click();
      await answered(panel, 'asked too late', 'of the file');
    });
  });

  userTest('is signed in to with a key, which no file tells, and signed out of', async () => {
    const { workbench, root } = await suite();
    await withAgent(async () => {
      const panel = await newChatWith(AGENT);
      await panel.waitUntilReady();
      await panel.waitUntilFocused();
      await signOut(panel);
      await askInVain(panel, 'signed out');
      await methods(panel).getByRole('button', { name: 'With a key' }).click();
      const input = workbench.pickerInput;
      await workbench.quickInput.getByText('FIXTURE_KEY').first().waitFor();
      assert.equal(await input.getAttribute('type'), 'password');
      await input.fill(KEY);
      await input.press('Enter');
      await answered(panel, 'signed out', KEY);
      assert.ok(!existsSync(file));

      const telling = readdirSync(path.join(root, 'user', 'logs'), {
        recursive: true,
        encoding: 'utf8',
      })
        .map(name => path.join(root, 'user', 'logs', name))
        .filter(name => path.extname(name) === '.log' && readFileSync(name, 'utf8').includes(KEY));
      assert.deepEqual(telling, []);

      await signOut(panel);
      await askInVain(panel, 'and out again');
    });
  });
});
