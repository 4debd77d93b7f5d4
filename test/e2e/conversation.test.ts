import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { newChat, suite, userTest } from './suite';
import { ParleyPanel } from './parleyPanel';

describe('a conversation with the demo agent', () => {
  userTest('Open Chat puts the caret in the composer', async () => {
    const { workbench } = await suite();
    await newChat();
    await workbench.runCommand('View: Focus First Editor Group');
    const panel = await ParleyPanel.open(workbench);
    await eventually('the composer has the focus', () =>
      panel.message.evaluate(element => element === document.activeElement),
    );
    await workbench.page.keyboard.type('typed at once');
    await eventually(
      'the composer has what was typed',
      async () => (await panel.message.inputValue()) === 'typed at once',
    );
    await panel.message.fill('');
  });

  userTest('an answer streams in, and Stop ends it', async () => {
    const panel = await newChat();
    const turn = await panel.ask('/slow 50');
    await turn.getByText(/\b1 2\b/).waitFor();
    await panel.stop.click();
    await panel.waitUntilIdle(5_000);
    const text = await turn.innerText();
    assert.match(text, /Stopped|Cancelled/i);
    assert.doesNotMatch(text, /\b50 /);
  });

  userTest('Esc in the composer stops the turn', async () => {
    const panel = await newChat();
    await panel.ask('/slow 50');
    await panel.stop.waitFor();
    await panel.message.press('Escape');
    await panel.waitUntilIdle(5_000);
  });

  userTest('markdown is rendered', async () => {
    const panel = await newChat();
    const turn = await panel.askAndWait('/markdown');
    await turn.getByRole('heading', { name: 'A table' }).waitFor();
    await turn.getByRole('cell', { name: 'Parley Demo' }).waitFor();
    await turn.getByRole('link', { name: 'the protocol' }).waitFor();
    assert.ok((await turn.locator('figure pre').count()) >= 4, 'code blocks');
  });

  userTest('thoughts fold away', async () => {
    const panel = await newChat();
    await panel.askAndWait('/think');
    await panel.part('thought').first().waitFor();
  });

  userTest('a plan shows its progress and becomes part of the conversation', async () => {
    const panel = await newChat();
    await panel.ask('/plan');
    await panel.plan.getByText('Find the code behind it').waitFor();
    await panel.waitUntilIdle();
    await panel.part('plan', 'Say what changed').waitFor();
  });

  userTest('a message sent while a turn runs waits its turn', async () => {
    const panel = await newChat();
    await panel.ask('/slow 3');
    await panel.message.fill('/think');
    await panel.message.press('Enter');
    await panel.frame.getByText('/think').first().waitFor();
    await panel.turn('/think').waitFor({ timeout: 20_000 });
    await panel.waitUntilIdle();
    assert.equal(await panel.turns.count(), 2);
  });

  userTest('an error of the agent is shown in plain words', async () => {
    const panel = await newChat();
    const turn = await panel.askAndWait('/error');
    await turn.getByText('The demo was asked to fail').waitFor();
  });
});
