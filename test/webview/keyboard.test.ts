import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../workbench/eventually';
import { withPanel, type Panel } from './harness';
import { PANEL, stateNamed, told } from './states';
import { T0, asked, connected, wantsCommand } from './story';

/** The name of what has the focus, also inside a component. */
const focused = (panel: Panel): Promise<string> =>
  panel.page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'nothing';
    const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return name.replace(/\s+/g, ' ').trim();
  });
const press = async (panel: Panel, key: string) => {
  await panel.page.keyboard.press(key);
  return focused(panel);
};

describe('Tab', () => {
  test('goes from the header through conversation, dock and composer to the selectors', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('queue'));
      await panel.actions([
        {
          type: 'draftReplaced',
          text: 'more',
          attachments: [{ id: 'a', kind: 'file', label: 'a.ts', title: 'src/a.ts' }],
        },
      ]);
      const stops: string[] = [];
      for (
        let name = await press(panel, 'Tab');
        name !== 'nothing';
        name = await press(panel, 'Tab')
      ) {
        stops.push(name);
        assert.ok(stops.length < 40, stops.join(' | '));
      }
      assert.deepEqual(stops, [
        'Agent: Claude Code. Change agent',
        'New Chat',
        'Conversation',
        'Plan3/7Run the retry tests',
        '2 messages waiting',
        'Move: Then use it in the webhook client as well',
        ...['Send Now', 'Edit', 'Remove'],
        'Move: Update the changelog, one line',
        ...['Send Now', 'Edit', 'Remove'],
        'a.ts',
        'Remove a.ts',
        'Message',
        'Add Context',
        'Attach Images',
        'Expand Message Box',
        'Stop',
        'Send',
        'Mode',
        'Model',
        'Thought Level',
      ]);
    });
  });
});

describe('the header', () => {
  test('its toolbar is one stop, with arrows inside', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('ready'));
      await panel.page.getByRole('button', { name: 'New Chat' }).focus();
      assert.equal(await press(panel, 'ArrowRight'), 'Show Chats, 1 waiting for you');
      assert.equal(await press(panel, 'ArrowRight'), 'More Actions');
      assert.equal(await press(panel, 'ArrowRight'), 'New Chat');
      assert.equal(await press(panel, 'End'), 'More Actions');
      await press(panel, 'Tab');
      assert.equal(await press(panel, 'Shift+Tab'), 'More Actions', 'it keeps its place');
    });
  });

  test('the menu opens by key, moves with arrows, and gives the focus back', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('ready'));
      const more = panel.page.getByRole('button', { name: 'More Actions' });
      await more.focus();
      await panel.page.keyboard.press('Enter');
      const menu = panel.page.getByRole('menu', { name: 'More Actions' });
      await menu.waitFor();
      assert.equal(await more.getAttribute('aria-expanded'), 'true');
      assert.equal(await focused(panel), 'New Chat With…');
      assert.equal(await press(panel, 'ArrowUp'), 'Show Log');
      assert.equal(await press(panel, 'Home'), 'New Chat With…');
      assert.equal(await press(panel, 'Escape'), 'More Actions');
      assert.equal(await menu.count(), 0);
      await panel.page.keyboard.press('ArrowDown');
      await menu.waitFor();
      assert.equal(await press(panel, 'ArrowDown'), 'Open Chat in Editor');
      assert.equal(await press(panel, 'ArrowDown'), 'Rename Chat');
      assert.equal(await press(panel, 'ArrowUp'), 'Open Chat in Editor');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.waitForIntent('openInEditor'), { type: 'openInEditor' });
      assert.equal(await focused(panel), 'More Actions');
    });
  });

  test('every entry of the menu does what it says', async () => {
    await withPanel({ width: 220 }, async panel => {
      await panel.show(stateNamed('ready'));
      assert.equal(
        await panel.page.getByRole('toolbar').getByRole('button', { name: 'New Chat' }).count(),
        0,
        'a narrow header has no room for it',
      );
      const entries = [
        ['New Chat', 'newChat'],
        ['New Chat With…', 'pickAgent'],
        ['Export Chat as Markdown', 'exportChat'],
        ['Restart Agent', 'restartAgent'],
        ['Edit Agents', 'editAgents'],
        ['Show Log', 'showLog'],
      ] as const;
      for (const [name, type] of entries) {
        await panel.page.getByRole('button', { name: 'More Actions' }).click();
        await panel.page.getByRole('menuitem', { name, exact: true }).click();
        assert.equal((await panel.waitForIntent(type)).type, type);
      }
    });
  });

  test('Show Chats opens the list with the focus in its search, and Back leads to Message', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('finished'));
      await panel.page.getByRole('button', { name: /^Show Chats/ }).click();
      await panel.page.waitForFunction(
        () => document.activeElement?.getAttribute('type') === 'search',
      );
      await panel.page.getByRole('button', { name: 'Back to chat' }).click();
      await panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    });
  });

  test('Show Chats and Back leave what is open in the chat open', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('finished'));
      const folds = panel.page.locator('parley-transcript details');
      const open = () => folds.evaluateAll(all => all.map(each => each.hasAttribute('open')));
      const before = await open();
      await folds.first().locator('summary').first().click();
      await eventually('it is turned', async () => (await open())[0] !== before[0]);
      const left = await open();
      await panel.page.getByRole('button', { name: /^Show Chats/ }).click();
      await panel.page.getByRole('button', { name: 'Back to chat' }).click();
      await eventually('all is as it was left', async () => isDeepStrictEqual(await open(), left));
    });
  });
});

describe('a request', () => {
  const waiting = told(...connected(), ...asked(), ...wantsCommand());
  const answered = {
    type: 'permissionAnswered',
    requestId: 'request-1',
    outcome: 'allowed',
    at: T0 + 50_000,
  } as const;

  test('takes no focus, and a number typed into Message answers nothing', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(told(...connected(), ...asked()), T0 + 42_000);
      await panel.message.focus();
      await panel.actions(wantsCommand());
      assert.equal(await focused(panel), 'Message');
      await panel.page.keyboard.type('1');
      assert.equal(await panel.message.inputValue(), '1');
      assert.deepEqual(
        (await panel.intents()).filter(({ type }) => type === 'answerPermission'),
        [],
      );
    });
  });

  test('hands the focus to Message when it was the last one answered', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(waiting, T0 + 42_000);
      await panel.page.getByRole('button', { name: 'Allow', exact: true }).focus();
      await panel.page.keyboard.press('1');
      assert.equal((await panel.waitForIntent('answerPermission')).option, 0);
      await panel.actions([answered]);
      await panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    });
  });

  test('leaves the focus where it is when that was elsewhere', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(waiting, T0 + 42_000);
      await panel.page.getByRole('combobox', { name: 'Model' }).focus();
      await panel.actions([answered]);
      assert.equal(await focused(panel), 'Model');
    });
  });
});

describe('the first run', () => {
  test('arrows choose an agent, Enter starts', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('first-run'));
      const claude = panel.page.getByRole('radio', { name: /Claude Code/ });
      assert.equal(await claude.isChecked(), true, 'one that is here comes before the demo');
      await claude.focus();
      await panel.page.keyboard.press('ArrowDown');
      assert.equal(await panel.page.getByRole('radio', { name: /Gemini CLI/ }).isChecked(), true);
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.waitForIntent('newChat'), {
        type: 'newChat',
        agentName: 'Gemini CLI',
      });
    });
  });

  test('of what is only offered a few are shown, and all on request', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('first-run'));
      const kilo = panel.page.getByRole('radio', { name: /Kilo.*Needs install/ });
      assert.equal(await panel.page.getByRole('radio', { name: /Goose.*From Zed/ }).count(), 1);
      assert.equal(await kilo.count(), 0);
      await panel.page.getByRole('button', { name: 'Show 2 more agents' }).click();
      await kilo.check();
      await panel.page.getByRole('button', { name: 'Start chat' }).click();
      assert.deepEqual(await panel.waitForIntent('newChat'), {
        type: 'newChat',
        agentName: 'Kilo',
      });
    });
  });

  test('without an agent the demo is chosen', async () => {
    await withPanel({}, async panel => {
      const { panel: state } = stateNamed('first-run');
      await panel.panelState({ ...state, agents: state.agents.filter(agent => !agent.found) });
      await panel.post({ type: 'noChat' });
      assert.equal(await panel.page.getByRole('radio', { name: /Parley Demo/ }).isChecked(), true);
    });
  });

  test('an untrusted workspace says why there is the demo alone, and leads to the way out', async () => {
    await withPanel({}, async panel => {
      const { panel: state } = stateNamed('first-run');
      const agents = state.agents.filter(({ builtIn }) => builtIn);
      await panel.panelState({ ...state, agents, isRestricted: true });
      await panel.post({ type: 'noChat' });
      await panel.page.getByText(/not trusted this workspace/).waitFor();
      await panel.page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
      assert.equal((await panel.waitForIntent('manageTrust')).type, 'manageTrust');
    });
  });

  test('another agent is filled in, and what is missing is named', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.show(stateNamed('first-run'));
      const { page } = panel;
      await page.getByRole('radio', { name: /Another agent/ }).check();
      const form = page.getByRole('group', { name: 'Another agent' });
      const field = (name: string | RegExp) => form.getByRole('textbox', { name });
      await field('Name').waitFor();
      await page.getByRole('button', { name: 'Start chat' }).click();
      const isHere = (name: string) => () =>
        field(name).evaluate(input => input === document.activeElement);
      await eventually('the caret is in the first field', isHere('Name'));
      await page.keyboard.type('Codex');
      await page.keyboard.press('Enter');
      await form.getByText('There is already an agent with this name.').waitFor();
      await field('Name').fill('Mine');
      await page.keyboard.press('Enter');
      await eventually('the caret is where something is missing', isHere('Command'));
      await page.keyboard.type('npx');
      await field('Arguments').fill('-y "my agent" --acp');
      await field(/^Environment variable/).fill('MY KEY');
      await form.getByLabel('Key', { exact: true }).fill(' secret ');
      await page.keyboard.press('Enter');
      await form.getByText('Letters, digits and _ only').waitFor();
      assert.deepEqual(await panel.intents(), []);
      await field(/^Environment variable/).fill('MY_KEY');
      // What was filled in stays while another one is looked at.
      await page.getByRole('radio', { name: /^Gemini CLI/ }).check();
      await form.waitFor({ state: 'hidden' });
      await page.getByRole('radio', { name: /Another agent/ }).check();
      await page.getByRole('button', { name: 'Start chat' }).click();
      assert.deepEqual(await panel.waitForIntent('addAgent'), {
        type: 'addAgent',
        name: 'Mine',
        command: 'npx',
        args: '-y "my agent" --acp',
        variable: 'MY_KEY',
        key: 'secret',
      });
    });
  });

  test('the settings are a button away', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('first-run'));
      await panel.page.getByRole('button', { name: 'Edit Agents' }).click();
      assert.equal((await panel.waitForIntent('editAgents')).type, 'editAgents');
    });
  });
});

test('a suggestion fills Message and leaves the caret at its end', async () => {
  await withPanel({}, async panel => {
    await panel.show(stateNamed('ready'));
    await panel.page.getByRole('button', { name: /Write tests for the open file/ }).click();
    await panel.page.keyboard.type(' Use node:test.');
    assert.equal(await panel.message.inputValue(), 'Write tests for retry.ts. Use node:test.');
  });
});
