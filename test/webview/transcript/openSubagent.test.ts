import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import type { Locator } from 'playwright-core';
import { axeFindings } from '../axe';
import { withPanel, type Panel } from '../harness';
import { PANEL, stateNamed, told } from '../states';
import { asked, connected, ended, said, T0, TURN } from '../story';
import {
  ALLOWED,
  subagentAllowed,
  nestedSubagent,
  subagentAsks,
  subagents,
} from '../subagentStory';

const tool = (panel: Panel, id: string) => panel.page.locator(`[data-tool-call-id="${id}"]`);
const opener = (panel: Panel, id: string) =>
  tool(panel, id).locator('> .th').getByRole('button', { name: 'Open Subagent' });
const back = (panel: Panel) => panel.subagent.getByRole('button', { name: /^Back to / });
const title = (panel: Panel) => panel.subagent.getByRole('heading').innerText();

const says = (text: string, partId: string): SessionAction => ({
  type: 'chunkReceived',
  stream: 'text',
  turnId: TURN,
  partId,
  parentToolCallId: 'tests',
  text,
  at: T0 + 6000,
});

const focused = (panel: Panel, selector: string): Promise<unknown> =>
  panel.page.waitForFunction(wanted => document.activeElement?.matches(wanted), selector);

/** What is asked can be answered: not at once where something else stood before. */
const enabled = (button: Locator): Promise<void> => button.click({ trial: true });

/** Where the card of a call stands, in pixels below the top of the conversation. */
const topOf = (panel: Panel, id: string): Promise<number> =>
  tool(panel, id).evaluate(
    card =>
      card.getBoundingClientRect().top -
      (card.closest('.log')?.getBoundingClientRect().top ?? Number.NaN),
  );

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...asked(), ...actions));
}

/** Nothing is left to be drawn: what is out of view is, a frame later. */
async function settled(panel: Panel): Promise<void> {
  for (let frame = 0; frame < 4; frame += 1) await panel.painted();
}

describe("a subagent's conversation", () => {
  test('has its task, its words and its tools, and grows while it works', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.openSubagent('tests');
      assert.equal(await title(panel), 'Write a test for dates');
      const { conversation } = panel;
      await conversation.getByText('Write a test in').waitFor();
      await conversation.getByText('I add a case to').waitFor();
      await tool(panel, 'run').waitFor();
      assert.equal(await conversation.getByText('Two places').count(), 0, "another's words");
      assert.equal(await tool(panel, 'tests').count(), 0, 'it is not in itself');
      assert.equal(await panel.message.count(), 0, 'what is said next goes to the agent');
      await panel.actions([says('It fails ', 'more'), says('as it should.', 'more')]);
      await conversation.getByText('It fails as it should.').waitFor();
      // What is elsewhere changes nothing here.
      await panel.actions([...said('All is well.', 'reply')]);
      assert.equal(await conversation.getByText('All is well.').count(), 0);
      const ended = { type: 'toolCallChanged', turnId: TURN, partId: 'x', toolCallId: 'tests' };
      await panel.actions([
        { ...ended, announced: false, status: 'completed', at: T0 + 17_000 } as SessionAction,
      ]);
      await panel.subagent.getByText('12 s').waitFor();
      assert.equal(await conversation.getByText('Working').count(), 0);
    });
  });

  test('has nothing that would send, edit or restore', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.openSubagent('explore');
      await panel.conversation.getByText('Which files read the header').hover();
      const names = await panel.page
        .locator('parley-transcript button')
        .evaluateAll(buttons => buttons.map(each => each.getAttribute('aria-label')));
      assert.deepEqual(
        names.filter(name => /Edit|Restore|Try|Send/.test(name ?? '')),
        [],
      );
      await panel.conversation.getByText('client.ts and retry.ts.').waitFor();
    });
  });

  test('leads back with its button or Escape, to the place and the focus of before', async () => {
    await withPanel({ height: 500 }, async panel => {
      const lines = (id: string) => said(`${id}\n\n`.repeat(30), id);
      await show(panel, ...lines('above'), ...subagents(), ...lines('below'));
      const card = tool(panel, 'tests');
      await card.evaluate(each => each.scrollIntoView({ block: 'center' }));
      await settled(panel);
      const top = await topOf(panel, 'tests');
      for (const leave of [() => back(panel).click(), () => panel.page.keyboard.press('Escape')]) {
        await opener(panel, 'tests').focus();
        await panel.page.keyboard.press('Enter');
        await panel.subagent.waitFor();
        await focused(panel, '.log');
        // The chat goes on in the meantime.
        await panel.actions([...said('more\n\n'.repeat(10), 'below')]);
        await leave();
        await panel.subagent.waitFor({ state: 'detached' });
        await focused(panel, '[data-tool-call-id="tests"] > .th > .icon');
        await settled(panel);
        const now = await topOf(panel, 'tests');
        assert.ok(Math.abs(now - top) <= 1, `${now} instead of ${top}`);
        await panel.message.waitFor();
      }
    });
  });

  test('has its requests, which are answered there', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.openSubagent('tests');
      await panel.actions(subagentAsks());
      const request = panel.page.getByRole('group', { name: 'Permission: npm test' });
      await request.waitFor();
      await panel.subagent.getByText('Waiting for you').waitFor();
      await panel.clearPosts();
      const allow = request.getByRole('button', { name: 'Allow' });
      await enabled(allow);
      await allow.focus();
      await panel.page.keyboard.press('1');
      assert.deepEqual(await panel.waitForIntent('answerPermission'), ALLOWED);
      await panel.actions(subagentAllowed());
      await request.waitFor({ state: 'detached' });
      // There is no composer to go to.
      await focused(panel, '.log');
      await panel.subagent.waitFor();
    });
  });

  test("Escape in a request leaves the request first, then the subagent's conversation", async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagent'));
      const reject = panel.page.getByRole('button', { name: 'Reject' });
      await enabled(reject);
      await reject.focus();
      await panel.page.keyboard.press('Escape');
      await focused(panel, '.log');
      assert.equal(await panel.subagent.count(), 1);
      await panel.page.keyboard.press('Escape');
      await panel.subagent.waitFor({ state: 'detached' });
    });
  });

  test('tells of requests elsewhere, and leads to them', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.actions(subagentAsks());
      await panel.openSubagent('explore');
      const dock = panel.page.getByRole('region', { name: 'Waiting for you' });
      await dock.getByText('Waiting: npm test').waitFor();
      await dock.getByRole('button', { name: 'Show' }).click();
      await panel.subagent.waitFor({ state: 'detached' });
      await focused(panel, '.ask[data-request-id="ask-run"]');
    });
  });

  test('does not hide what a command is to answer', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.actions(subagentAsks());
      await panel.openSubagent('explore');
      await panel.clearPosts();
      await panel.post({ type: 'answerRequest', requestId: 'ask-run', answer: 'allow' });
      await panel.subagent.waitFor({ state: 'detached' });
      await focused(panel, '.ask[data-request-id="ask-run"]');
      assert.deepEqual(await panel.intents(), [], 'it is shown before it is answered');
    });
  });

  test('leads to those of its own subagents, and back one by one', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.actions(nestedSubagent());
      await panel.openSubagent('tests');
      await panel.openSubagent('check');
      assert.equal(await title(panel), 'Check the time zones');
      await panel.conversation.getByText('Both are UTC.').waitFor();
      await panel.subagent
        .getByRole('button', { name: 'Back to Write a test for dates' })
        .waitFor();
      await panel.page.keyboard.press('Escape');
      await focused(panel, '[data-tool-call-id="check"] > .th > .icon');
      assert.equal(await title(panel), 'Write a test for dates');
      await panel.page.keyboard.press('Escape');
      await focused(panel, '[data-tool-call-id="tests"] > .th > .icon');
      assert.equal(await panel.subagent.count(), 0);
    });
  });

  test('is there again after a reload, in the editor as well', async () => {
    for (const host of ['sidebar', 'editor'] as const) {
      await withPanel({ host, width: host === 'editor' ? 900 : 289 }, async panel => {
        const state = told(...connected(), ...asked(), ...subagents(), ...nestedSubagent());
        await panel.panelState({ ...PANEL, host });
        await panel.snapshot(state);
        await panel.openSubagent('tests');
        await panel.openSubagent('check');
        await panel.page.reload();
        await panel.waitForPost('ready');
        await panel.panelState({ ...PANEL, host });
        await panel.snapshot(state);
        await panel.conversation.getByText('Both are UTC.').waitFor();
        await panel.page.keyboard.press('Escape');
        await focused(panel, '[data-tool-call-id="check"] > .th > .icon');
        // It is gone, and its chat with it.
        await panel.snapshot({ ...state, chatId: 'another' });
        await panel.subagent.waitFor({ state: 'detached' });
        await panel.snapshot(state);
        await panel.message.waitFor();
        assert.equal(await panel.subagent.count(), 0, 'what was open in a chat that was left');
      });
    }
  });

  test('gives way to the chat when its call is gone, or when the composer is asked for', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.openSubagent('tests');
      await panel.snapshot(told(...connected(), ...asked()));
      await panel.subagent.waitFor({ state: 'detached' });
      await panel.show(stateNamed('subagents'));
      await panel.subagent.waitFor();
      await panel.post({ type: 'focusComposer' });
      await focused(panel, 'parley-composer textarea');
      assert.equal(await panel.subagent.count(), 0);
    });
  });

  test('is searched by itself', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.openSubagent('tests');
      await panel.find('retry');
      const { conversation } = panel;
      const count = async () => (await conversation.innerText()).match(/retry/gi)?.length;
      const found = await panel.page.getByRole('search').getByRole('status').innerText();
      assert.equal(Number(found.split(' ').at(-1)), await count());
    });
  });

  test('keeps a prompt that is being changed in the chat', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(
        told(
          ...connected(),
          ...asked('Before', 'turn-0'),
          ...said('Done.', 'text-0', 'turn-0'),
          ...ended(),
          ...asked(),
          ...subagents(),
        ),
      );
      await panel.editPrompt('turn-0');
      const editor = panel.page.getByRole('textbox', { name: 'Prompt' });
      await editor.fill('Something that was typed');
      await panel.openSubagent('tests');
      await panel.page.keyboard.press('Escape');
      await panel.subagent.waitFor({ state: 'detached' });
      assert.equal(await editor.inputValue(), 'Something that was typed');
    });
  });

  test('has in the document what is on screen, of 5,000 steps', async () => {
    await withPanel({ width: 289 }, async panel => {
      const steps = Array.from({ length: 2500 }, (_, n): SessionAction[] => [
        says(`Step ${n}`, `step-${n}`),
        {
          type: 'toolCallChanged',
          turnId: TURN,
          partId: `call-${n}`,
          toolCallId: `call-${n}`,
          parentToolCallId: 'tests',
          announced: true,
          title: `Look at ${n}`,
          toolKind: 'search',
          status: 'completed',
          at: T0 + 6000,
        },
      ]).flat();
      await show(panel, ...subagents(), ...steps);
      await panel.openSubagent('tests');
      await settled(panel);
      // It begins at its end, as a chat does.
      await panel.conversation.getByText('Look at 2499').waitFor();
      const elements = () => panel.page.evaluate(() => document.querySelectorAll('*').length);
      const before = await elements();
      assert.ok(before < 1500, `${before} elements`);
      await panel.actions([says('And the last.', 'last')]);
      await panel.conversation.getByText('And the last.').waitFor();
      await panel.conversation.focus();
      await panel.page.keyboard.press('Home');
      await panel.conversation.getByText('Write a test in').waitFor();
      await settled(panel);
      assert.ok((await elements()) < 1500, `${await elements()} elements`);
    });
  });

  test('has names for all, and nothing that axe-core finds', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.show(stateNamed('subagent'));
      assert.deepEqual(await axeFindings(panel), []);
    });
  });

  test('is what is read out while it is shown', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('subagents'));
      await panel.openSubagent('tests');
      await panel.actions([
        says('Heard here.\n\nNot yet', 'words'),
        ...said('Not this.\n\n.', 'o'),
      ]);
      const polite = panel.page.locator('[data-announcer="polite"]');
      await polite.filter({ hasText: 'Heard here.' }).waitFor();
      assert.doesNotMatch(await polite.innerText(), /Not this/);
    });
  });
});
