/**
 * Each agent by itself, without Parley: that it installs, starts with its configuration, and reaches the
 * scripted model. When the suite in the workbench fails, this says on which side to look.
 *
 *   node scripts/testAgents.mjs --raw [agent…]
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { behaviourOf, HELLO } from './behaviour';
import { chosenAgents } from './chosenAgents';
import { installAgent, type InstalledAgent } from './installAgent';
import { startScriptedModel, type ScriptedModel } from './llm/server';
import { AGENTS } from './manifest';
import { prepareAgent } from './prepareAgent';
import { choose, RawClient } from './rawClient';

let model: ScriptedModel;
before(async () => {
  model = await startScriptedModel();
});
after(() => model.close());

for (const key of chosenAgents().filter(each => !AGENTS[each].type)) {
  test(`${key} by itself`, { timeout: 600_000 }, async suite => {
    const agent = await installAgent(key);
    const behaviour = behaviourOf(key);
    await suite.test('answers in pieces', () =>
      withAgent(agent, async ({ client, sessionId }) => {
        assert.equal(await client.prompt(sessionId, behaviour.plain.prompt), 'end_turn');
        assert.match(client.text, behaviour.plain.answer);
      }),
    );
    await suite.test('edits when allowed', () =>
      withAgent(agent, async ({ client, sessionId, cwd }) => {
        assert.equal(await client.prompt(sessionId, behaviour.edit.prompt(cwd)), 'end_turn');
        if (behaviour.edit.asks) assert.ok(client.permissions.length > 0, 'asked');
        behaviour.edit.check(cwd, true);
      }),
    );
    if (behaviour.edit.asks) {
      await suite.test('leaves the file when rejected', () =>
        withAgent(agent, async ({ client, sessionId, cwd }) => {
          client.answer = request =>
            choose(request, request.toolCall.kind === 'read' ? 'allow_once' : 'reject_once');
          await client.prompt(sessionId, behaviour.edit.prompt(cwd));
          behaviour.edit.check(cwd, false);
        }),
      );
    }
    if (behaviour.shell) {
      const { shell } = behaviour;
      await suite.test('runs a command', () =>
        withAgent(agent, async ({ client, sessionId, cwd }) => {
          assert.equal(await client.prompt(sessionId, shell.prompt), 'end_turn');
          assert.ok(existsSync(path.join(cwd, shell.makes)));
          assert.match(JSON.stringify(client.updates), shell.output);
        }),
      );
    }
    await suite.test('stops when cancelled', () =>
      withAgent(agent, async ({ client, sessionId }) => {
        const turn = client.prompt(sessionId, behaviour.slow.prompt);
        await client.until(update => behaviour.slow.started(update));
        client.notify('session/cancel', { sessionId });
        assert.equal(await turn, 'cancelled');
      }),
    );
  });
}

interface Running {
  readonly client: RawClient;
  readonly sessionId: string;
  readonly cwd: string;
}

async function withAgent(
  agent: InstalledAgent,
  use: (running: Running) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `parley-${agent.key}-`)));
  const cwd = mkdtempSync(path.join(folder, 'work-'));
  const home = mkdtempSync(path.join(folder, 'home-'));
  writeFileSync(path.join(cwd, 'hello.txt'), HELLO);
  const client = new RawClient(prepareAgent(agent, model.port, home), cwd);
  try {
    await client.initialize();
    const { sessionId } = await client.newSession(cwd);
    await use({ client, sessionId, cwd });
  } catch (error) {
    const asked = model.exchanges.map(({ path: asked, dialect }) => `${dialect ?? '?'} ${asked}`);
    console.error(`${client.stderr.slice(-4000)}\n${asked.join('\n')}`);
    throw error;
  } finally {
    await client.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
