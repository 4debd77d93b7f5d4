/**
 * Each real agent through the installed extension in a real workbench, against the scripted model: what
 * the user sees, and what is on disk. `npm run test:agents [-- agent…]`.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import { ParleyPanel } from '../e2e/parleyPanel';
import { launchBrowser } from '../workbench/browser.mjs';
import { eventually } from '../workbench/eventually';
import { processesMentioning, type RunningProcess } from '../workbench/processes';
import { startServer, type WorkbenchServer } from '../workbench/server.mjs';
import { Workbench } from '../workbench/workbench';
import { behaviourOf, HELLO } from './behaviour';
import { agentsInWindow } from './chosenAgents';
import { installAgent } from './installAgent';
import { startScriptedModel, type ScriptedModel } from './llm/server';
import { AGENTS, type AgentKey } from './manifest';
import { prepareAgent } from './prepareAgent';

/** The slowest agent needs this long to start, or to answer, on a busy machine. */
const PATIENCE = 120_000;

/** Pictures of the window: of each test that failed; with PARLEY_PICTURES set, of each test. */
const PICTURES = 'out/agents';

/** The agents' own names for allowing and rejecting once; a key's number may stand beside them. */
const ALLOW = /^\s*\d?\s*(?:Yes(?:, proceed)?|Allow(?: once| this change)?)\s*\d?\s*$/;
const REJECT = /^\s*\d?\s*(?:No(?:, .*)?|Reject|Skip this change)\s*\d?\s*$/;

let root: string;
let model: ScriptedModel;
let server: WorkbenchServer;
let browser: Browser;
/** What to release at the end, the latest first; a set-up that fails half way releases its half. */
const release: (() => unknown)[] = [];

before(async () => {
  const vsix = process.env['PARLEY_VSIX'];
  if (!vsix) throw new Error('PARLEY_VSIX must name the package under test.');
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-agents-')));
  release.push(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  model = await startScriptedModel();
  release.push(() => model.close());
  const agents: Record<string, object> = {};
  for (const key of agentsInWindow()) {
    const installed = await installAgent(key);
    const home = homeOf(key);
    mkdirSync(home);
    agents[AGENTS[key].title] = prepareAgent(installed, model.port, home);
    if (behaviourOf(key).wantsSignIn) {
      const emptyHome = path.join(root, `home-${key}-signed-out`);
      mkdirSync(emptyHome);
      agents[signedOut(key)] = prepareAgent(installed, model.port, emptyHome, false);
    }
    mkdirSync(folderOf(key));
    writeFileSync(path.join(folderOf(key), 'hello.txt'), HELLO);
  }
  const settings = {
    'parley.agents': agents,
    'parley.mcpServers': {
      shouting: {
        command: process.execPath,
        args: [path.resolve('test/realAgents/shoutingServer.mjs')],
        env: { SECRET: '${env:PARLEY_TEST_SECRET}' },
      },
    },
    'parley.timeouts': { initialize: PATIENCE / 1000, newSession: PATIENCE / 1000 },
  };
  server = await startServer({
    root,
    extensions: [vsix],
    settings,
    env: { PARLEY_TEST_SECRET: 'hush' },
  });
  release.push(() => server.stop());
  browser = await launchBrowser();
  release.push(() => browser.close());
});

after(async () => {
  for (const step of release.reverse()) await step();
});

for (const key of agentsInWindow()) {
  const behaviour = behaviourOf(key);
  const { edit, shell } = behaviour;

  describe(AGENTS[key].title, () => {
    let workbench: Workbench;
    let panel: ParleyPanel;
    const cwd = (): string => folderOf(key);

    /** A test of what a user sees: a picture of the window is kept when it fails. */
    const userTest = (name: string, body: () => Promise<void>): void => {
      test(name, async () => {
        let failed = true;
        try {
          await body();
          failed = false;
        } finally {
          if (failed || process.env['PARLEY_PICTURES']) {
            const file = `${key} ${name}`.replace(/\W+/g, '-');
            await workbench.page
              .screenshot({ path: path.join(PICTURES, `${file}.png`) })
              .catch(() => undefined);
          }
        }
      });
    };

    before(async () => {
      workbench = await Workbench.open(browser, server, cwd());
      workbench.page.setDefaultTimeout(60_000);
      panel = await ParleyPanel.open(workbench);
      // Opening ends with the focus in the panel; a palette opened before that would close again.
      await panel.app.locator(':focus').first().waitFor({ state: 'attached' });
    });

    userTest('starts, and answers a plain prompt', async () => {
      panel = await newChat(workbench, key);
      const turn = await panel.ask(behaviour.plain.prompt);
      await finish(panel, ALLOW);
      await turn.getByText(behaviour.plain.answer).first().waitFor();
    });

    userTest('a chat is taken up again when the agent is started anew', async () => {
      const { prompt, answer } = behaviour.plain;
      const before = await panel.turns.count();
      await startAnew(workbench, key);
      // While it starts: what is written then goes out when the chat is taken up.
      await panel.message.fill(prompt);
      await panel.message.press('Enter');
      const asked = panel.conversation.getByRole('article', { name: prompt });
      const isThere = async (): Promise<boolean> => (await asked.count()) > 1;
      await eventually('the next turn', isThere, PATIENCE);
      await finish(panel, ALLOW);
      await panel.turns.last().getByText(answer).first().waitFor();

      const forgotten = panel.conversation.getByText(/cannot resume this chat/);
      assert.equal(await forgotten.count(), behaviour.remembers ? 0 : 1);
      // That it does not is said in between.
      assert.equal(await panel.turns.count(), before + (behaviour.remembers ? 1 : 2));
      const earlier = panel.turns.first();
      assert.equal(await earlier.getAttribute('aria-label'), prompt);
      // A turn that is not the last may be folded.
      await earlier.getByText(answer).first().waitFor({ state: 'attached' });
    });

    if (behaviour.settings) {
      userTest('a setting of the agent is changed, and stays', async () => {
        panel = await newChat(workbench, key);
        const { setting, chosen } = await changeSetting(panel);
        await panel.ask(behaviour.plain.prompt);
        await finish(panel, ALLOW);
        const refused = panel.conversation.getByText(/could not be changed/);
        // pi lists models but answers that it cannot set them; then the old one is shown again.
        if ((await refused.count()) === 0) {
          assert.ok((await setting.innerText()).includes(chosen), 'the new value is shown');
        } else {
          assert.ok(!(await setting.innerText()).includes(chosen), 'the old value is shown');
        }
      });
    }

    if (behaviour.ask) {
      const { ask } = behaviour;
      userTest('a question of the agent is answered in a form', async () => {
        panel = await newChat(workbench, key);
        if (ask.mode) await panel.choose('Mode', ask.mode);
        const turn = await panel.ask(ask.prompt);
        const form = panel.frame.getByRole('form', { name: /asks: Which colour\?/ });
        await form.waitFor({ timeout: PATIENCE });
        await form.getByRole('radio', { name: /^Blue/ }).check();
        await form.getByRole('button', { name: 'Submit' }).click();
        await finish(panel, ALLOW);
        assert.equal(await form.count(), 0);
        await turn
          .getByText(/ASK is done\. The tool answered:/)
          .first()
          .waitFor();
        await turn.getByText(/Blue/).first().waitFor();
      });
    }

    if (behaviour.mcp) {
      const { mcp } = behaviour;
      userTest('an MCP server of the settings is started, and its tool is used', async () => {
        panel = await newChat(workbench, key);
        const turn = await panel.ask(mcp.prompt);
        await finish(panel, ALLOW);
        await turn.getByText(mcp.answer).first().waitFor();
      });
    }

    if (behaviour.wantsSignIn) {
      userTest('without a key it leads to the sign-in', async () => {
        await workbench.runCommand('Parley: New Chat With…');
        await workbench.pickAgent(signedOut(key));
        panel = new ParleyPanel(workbench);
        if (behaviour.wantsSignIn === 'prompt') {
          await panel.waitUntilReady(PATIENCE);
          await panel.message.fill('[[PLAIN]] kept');
          await panel.message.press('Enter');
        }
        const methods = panel.frame.getByRole('group', { name: 'Sign-in methods' });
        await methods.getByRole('button').first().waitFor({ timeout: PATIENCE });
        if (behaviour.wantsSignIn === 'prompt') {
          await panel.frame.getByText('[[PLAIN]] kept').first().waitFor();
        }
      });
    }

    userTest('an edit that is allowed changes the file on disk', async () => {
      panel = await newChat(workbench, key);
      const turn = await panel.ask(edit.prompt(cwd()));
      const asked = await finish(panel, ALLOW, edit.shows);
      if (edit.asks) assert.ok(asked > 0, 'it asked');
      await turn.locator('[data-tool-call-id][data-status="completed"]').first().waitFor();
      edit.check(cwd(), true);
      reset(cwd());
    });

    if (edit.isReal) {
      userTest(
        'an edit is reviewed, however it was written: undone, brought back, kept',
        async () => {
          panel = await newChat(workbench, key);
          await panel.ask(edit.prompt(cwd()));
          await finish(panel, ALLOW, edit.shows);
          const changes = panel.frame.getByRole('region', { name: 'Changes' });
          const row = changes.getByText('1 file', { exact: true });
          await row.waitFor();
          await changes.getByRole('button', { name: 'Undo all' }).click();
          await changes.waitFor({ state: 'hidden' });
          edit.check(cwd(), false);
          await workbench.runCommand('Parley: Redo Undone Change');
          await row.waitFor();
          edit.check(cwd(), true);
          await changes.getByRole('button', { name: 'Keep all' }).click();
          await changes.waitFor({ state: 'hidden' });
          edit.check(cwd(), true);
          reset(cwd());
        },
      );
    }

    if (edit.isReal) {
      userTest(
        'the files go back to before a prompt, also with an agent started anew',
        async () => {
          panel = await newChat(workbench, key);
          const prompt = edit.prompt(cwd());
          await panel.ask(prompt);
          await finish(panel, ALLOW, edit.shows);
          await startAnew(workbench, key);
          // What is answered shows that the chat was taken up.
          const next = await panel.ask(behaviour.plain.prompt);
          await next.getByText(behaviour.plain.answer).first().waitFor({ timeout: PATIENCE });
          await finish(panel, ALLOW);
          await workbench.runCommand('Parley: Restore to Before This Prompt');
          await workbench.pick(prompt);
          await workbench.pick('Files');
          await workbench.notification('The files are as they were before the prompt.').waitFor();
          edit.check(cwd(), false);
          assert.equal(await panel.turns.count(), 2, 'the conversation stays');
          await workbench.runCommand('Notifications: Clear All Notifications');
          reset(cwd());
        },
      );
    }

    if (edit.asks) {
      userTest('an edit that is rejected changes nothing', async () => {
        panel = await newChat(workbench, key);
        const turn = await panel.ask(edit.prompt(cwd()));
        const asked = await finish(panel, REJECT, edit.shows);
        assert.ok(asked > 0, 'it asked');
        await turn.locator('[data-tool-call-id][data-status="rejected"]').first().waitFor();
        if (edit.ends) await turn.getByText(edit.ends).first().waitFor();
        edit.check(cwd(), false);
        reset(cwd());
      });
    }

    if (shell) {
      userTest('a command runs, and its output is shown', async () => {
        panel = await newChat(workbench, key);
        const turn = await panel.ask(shell.prompt);
        await finish(panel, ALLOW);
        assert.ok(existsSync(path.join(cwd(), shell.makes)));
        await unfold(turn);
        await turn.locator('[data-tool-call-id]').getByText(shell.output).first().waitFor();
        reset(cwd());
      });

      userTest('stopping a command ends the turn and the command', async () => {
        panel = await newChat(workbench, key);
        const turn = await panel.ask('[[SHELL tail -f /dev/null]] please');
        const waiting = panel.permission().first();
        const following = (): RunningProcess[] =>
          processesMentioning(root).filter(({ command }) => command.endsWith('tail -f /dev/null'));
        if (edit.asks) await waiting.getByRole('button', { name: ALLOW }).first().click();
        await eventually('the command runs', () => following().length > 0, PATIENCE);
        await panel.stop.click();
        await panel.waitUntilIdle();
        await turn
          .getByText(/You stopped the agent/)
          .first()
          .waitFor();
        assert.equal(await turn.locator('[data-status="running"]').count(), 0);
        if (shell.endsWithTurn) {
          await eventually('the command is gone', () => following().length === 0);
        }
      });
    }

    userTest('stopping an answer ends the turn, and the next prompt works', async () => {
      panel = await newChat(workbench, key);
      const before = model.exchanges.length;
      const turn = await panel.ask(behaviour.slow.prompt);
      await turn.getByText(behaviour.slow.shows).first().waitFor({ timeout: PATIENCE });
      assert.ok(await panel.stop.isVisible(), 'the answer is shown while it comes');
      await panel.stop.click();
      await panel.waitUntilIdle();
      await turn
        .getByText(/You stopped the agent/)
        .first()
        .waitFor();
      // Agents ask for other things besides, such as a title: one of the exchanges is the answer. The SDK's
      // example asks no model at all.
      const asked = () => model.exchanges.slice(before);
      if (asked().length > 0) {
        await eventually('the model is not read any more', () =>
          asked().some(({ hungUp }) => hungUp),
        );
      }

      const next = await panel.ask(behaviour.plain.prompt);
      await finish(panel, ALLOW);
      await next.getByText(behaviour.plain.answer).first().waitFor();
    });

    test('nothing is left running when the window closes', async () => {
      assert.ok(agentProcesses().length > 0, 'the agent runs while its chats are open');
      await workbench.page.goto('about:blank');
      await workbench.close();
      await eventually('no process of the agent runs', () => agentProcesses().length === 0, 2_000);
    });
  });
}

/** Restarts the agent, whose chats are not from a moment ago by then. */
async function startAnew(workbench: Workbench, key: AgentKey): Promise<void> {
  // One of them may be the same agent where nobody has signed in: that one stays.
  const running = agentProcesses().map(({ pid }) => pid);
  behaviourOf(key).age?.(homeOf(key));
  await workbench.runCommand('Parley: Restart Agent');
  await eventually(
    'the agent that ran is gone',
    () => {
      const now = agentProcesses().map(({ pid }) => pid);
      return !running.every(pid => now.includes(pid));
    },
    PATIENCE,
  );
}

/** The name of the same agent where nobody has signed in. */
function signedOut(key: AgentKey): string {
  return `${AGENTS[key].title} without a key`;
}

/** Gives the first setting that has a choice another value. */
async function changeSetting(
  panel: ParleyPanel,
): Promise<{ readonly setting: Locator; readonly chosen: string }> {
  const settings = panel.frame.getByRole('combobox');
  await settings.first().waitFor();
  for (const setting of await settings.all()) {
    await setting.click();
    const other = panel.frame.getByRole('option', { selected: false }).first();
    const listed = panel.frame.getByRole('option').first();
    await listed.waitFor();
    if ((await other.count()) > 0) {
      const chosen = (await other.innerText()).split('\n')[0]?.trim() ?? '';
      await other.click();
      await setting.filter({ hasText: chosen }).waitFor();
      return { setting, chosen };
    }
    await setting.press('Escape');
  }
  throw new Error('No setting has a choice.');
}

/** A new chat with the agent, ready for a message. */
async function newChat(workbench: Workbench, key: AgentKey): Promise<ParleyPanel> {
  const panel = new ParleyPanel(workbench);
  const before = await panel.chatId();
  await workbench.runCommand('Parley: New Chat With…');
  await workbench.pickAgent(AGENTS[key].title);
  const isShown = async (): Promise<boolean> => ![undefined, before].includes(await panel.chatId());
  await eventually('the new chat is shown', isShown, PATIENCE);
  await panel.waitUntilReady(PATIENCE);
  return panel;
}

/**
 * Answers what is asked until the turn has ended.
 * @param shows what a request must show before it is answered
 * @returns how often it was asked
 */
async function finish(panel: ParleyPanel, answer: RegExp, shows?: RegExp): Promise<number> {
  for (let asked = 0; ; asked++) {
    const request = panel.permission().first();
    const option = request.getByRole('button', { name: answer }).first();
    const ended = panel.stop.waitFor({ state: 'hidden', timeout: PATIENCE }).then(() => 'ended');
    const waits = option.waitFor({ timeout: PATIENCE }).then(() => 'asked');
    const outcome = await Promise.any([ended, waits]);
    if (outcome === 'ended' || (await panel.stop.isHidden())) return asked;
    if (shows) await request.getByText(shows).first().waitFor();
    // The next request may have the same name, so this very one must go.
    const answered = await request.elementHandle();
    await option.click();
    await answered?.waitForElementState('hidden');
  }
}

/** Opens what is folded in the turn's tool calls. */
async function unfold(turn: Locator): Promise<void> {
  const folded = turn.locator('[data-tool-call-id] [aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().click();
}

function agentProcesses(): RunningProcess[] {
  return processesMentioning(root).filter(({ group }) => group !== server.pid);
}

function homeOf(key: AgentKey): string {
  return path.join(root, `home-${key}`);
}

function folderOf(key: AgentKey): string {
  return path.join(root, `work-${key}`);
}

function reset(cwd: string): void {
  rmSync(path.join(cwd, 'new.txt'), { force: true });
  rmSync(path.join(cwd, 'made-by-shell'), { force: true });
  writeFileSync(path.join(cwd, 'hello.txt'), HELLO);
}
