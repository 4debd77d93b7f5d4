/**
 * Each real agent on the wire: Parley's own chat without a window, against the scripted model. What an agent
 * was seen to use goes into `seen.json` with RESET_RESULTS=1, for the column in `docs/conformance.md`.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Protocol } from '../../src/agents/definitions';
import type { Chat } from '../../src/session/chats';
import { AgentSessions } from '../../src/session/history/agentSessions';
import { ownParts } from '../../src/session/state/lanes';
import { subagentChat } from '../../src/session/state/subagent';
import { backgroundWork, type BackgroundWork } from '../../src/session/state/background';
import { allTurns } from '../../src/session/state/selectors';
import type { Part, SessionState, ToolCallPart } from '../../src/session/state/state';
import { eventually } from '../workbench/eventually';
import { processesMentioning } from '../workbench/processes';
import { untilState, world, type World } from '../unit/session/world';
import { WIRES, type RemoteServer, type Wire } from '../unit/agents/remoteServer';
import { agentServer } from './agentServer';
import { behaviourOf, HELLO } from './behaviour';
import { chosenAgents } from './chosenAgents';
import { columnOf, kindsOf, readEvents, recordEvents } from './eventKinds';
import { installAgent } from './installAgent';
import { startScriptedModel, type ScriptedModel } from './llm/server';
import { AGENTS, type AgentKey } from './manifest';
import { prepareAgent } from './prepareAgent';
import { SeenProtocol } from './seen';
import { missing, record } from './seenRecord';

/** Agents that are also put on a server, and reached over each wire. */
const ON_SERVERS: ReadonlySet<AgentKey> = new Set(['gemini']);

let model: ScriptedModel;
before(async () => {
  model = await startScriptedModel();
});
after(() => model.close());

for (const key of chosenAgents()) {
  // They wait for their agents more than for a core.
  describe(AGENTS[key].title, { concurrency: 2 }, () => {
    speak(key, 'v1');
    if (behaviourOf(key).speaksV2) speak(key, 'v2');
    if (ON_SERVERS.has(key)) for (const wire of WIRES) speak(key, 'v1', wire);
  });
}

const asked = (part: Part): readonly string[] => (part.kind === 'user' ? [part.message.text] : []);

function speak(key: AgentKey, version: 'v1' | 'v2', wire?: Wire): void {
  const behaviour = behaviourOf(key);
  const { shell, ask, planOption } = behaviour;

  describe(`on the wire, in ${version}${wire ? `, over ${wire}` : ''}`, { concurrency: 1 }, () => {
    const seen = new SeenProtocol();
    let it: AgentChat;

    before(async () => {
      // Where it speaks v2 too, v1 has to be asked for; nobody else needs a setting.
      const protocol = version === 'v1' && behaviour.speaksV2 ? 'v1' : 'auto';
      it = await AgentChat.open(key, seen, protocol, wire);
      const { initialized } = await it.world.agent.connect();
      assert.equal(`v${initialized.protocolVersion}`, version);
    });
    after(() => it.end());

    test('answers a plain prompt', async () => {
      const { turns } = await it.ask(behaviour.plain.prompt);
      assert.match(said(turns.at(-1)), behaviour.plain.answer);
    });

    test('edits when allowed', async () => {
      await it.ask(behaviour.edit.prompt(it.cwd));
      behaviour.edit.check(it.cwd, true);
    });

    test('thinks aloud', async () => {
      const state = await it.ask('[[THINK]] please');
      assert.equal(state.turns.at(-1)?.end?.reason, 'end_turn');
    });

    test('keeps a plan', async () => {
      const state = await it.ask('[[PLAN]] please');
      assert.equal(state.turns.at(-1)?.end?.reason, 'end_turn');
    });

    if (shell) {
      test('a command is a card with its output and how it ended', async () => {
        const state = await it.ask('[[SHELL printf "out-%d\\n" 42; exit 3]] please');
        const call = calls(state).findLast(({ toolKind }) => toolKind === 'execute');
        assert.ok(call, 'a call that executes');
        if (!behaviour.terminals) return;
        const shown = call.content.find(({ kind }) => kind === 'terminal');
        const terminal = shown?.kind === 'terminal' && state.terminals[shown.terminalId];
        assert.ok(terminal, JSON.stringify(call));
        assert.doesNotMatch(call.title, /^(exec_command|Bash)$/);
        assert.match(terminal.output, /out-42/);
        assert.equal(terminal.exit?.exitCode, 3);
      });
    }

    test(
      'its task yields the kinds of events that are recorded',
      { skip: wire !== undefined },
      () => {
        const column = columnOf(key, version);
        if (process.env['RESET_RESULTS']) recordEvents(column, it.events);
        const lacking = (readEvents()[column] ?? []).filter(kind => !it.events.has(kind));
        assert.deepEqual(lacking, []);
      },
    );

    if (behaviour.steers) {
      test('what is said while it works reaches it in the same turn', async () => {
        const { controller } = it.world.chat;
        const { length } = it.world.state.turns;
        const [begun, go] = ['begun', 'go'].map(name => path.join(it.cwd, name)) as [
          string,
          string,
        ];
        controller.send(
          `[[SHELL touch '${begun}'; until test -e '${go}'; do sleep 0.1; done]] please`,
        );
        await eventually('the command runs', () => existsSync(begun));
        controller.send(behaviour.plain.prompt);
        await it.world.until(({ activeTurn }) => activeTurn?.parts.some(isOfUser));
        writeFileSync(go, '');
        const state = await it.world.until(({ activeTurn, queue }) => !activeTurn && !queue.length);
        assert.equal(state.turns.length, length + 1, 'one turn');
        assert.match(said(state.turns.at(-1)), behaviour.plain.answer);
      });
    }

    // Of claude-agent-acp v2 alone says what is at work.
    if (behaviour.background && (version === 'v2' || AGENTS[key].type)) {
      test('a command in the background is listed until it is stopped', async () => {
        const file = path.join(it.cwd, 'never');
        await it.ask(`[[BACKGROUND until test -e '${file}'; do sleep 0.1; done]] please`);
        const listed = await it.world.until(state => backgroundWork(state).some(isStoppable));
        const work = backgroundWork(listed).find(isStoppable);
        assert.ok(work);
        const { controller } = it.world.chat;
        if (work.kind === 'terminal') await controller.killTerminal(work.id);
        else await controller.cancelToolCall(work.id);
        await it.world.until(state => backgroundWork(state).length === 0 && !state.activeTurn);
      });
    }

    if (ask) {
      test('a question is a form', async () => {
        const { controller } = it.world.chat;
        if (ask.mode) await controller.setConfig(planOption, ask.mode.toLowerCase());
        controller.send(ask.prompt);
        const { elicitations } = await it.world.until(state => state.elicitations.length > 0);
        const { id = '' } = elicitations[0] ?? {};
        await controller.answerElicitation(id, 'cancel');
        await it.world.until(state => !state.activeTurn);
        if (ask.mode) await controller.setConfig(planOption, 'default');
      });
    }

    if (behaviour.subagents) {
      test('what a subagent does stands under its call, and its request reaches the user', async () => {
        const before = it.answered;
        const told = 'printf "sub-%d\\n" 7; touch made-by-subagent';
        await it.ask(`[[TASK SHELL ${told}]] please`);
        const outputUnder = (state: SessionState, lane: ToolCallPart | undefined) =>
          calls(state)
            .filter(({ parentToolCallId }) => lane && parentToolCallId === lane.toolCallId)
            .flatMap(({ content }) => content)
            .map(
              item => (item.kind === 'terminal' && state.terminals[item.terminalId]?.output) || '',
            )
            .join('');
        // It works on in the background, and what its command printed may come after its end.
        await it.world.until(state => {
          const lane = calls(state).find(({ toolCallId }) =>
            calls(state).some(({ parentToolCallId }) => parentToolCallId === toolCallId),
          );
          return lane?.status === 'completed' && /sub-7/.test(outputUnder(state, lane));
        });
        // Opened as a conversation of its own, it has what it was asked to do, and did.
        const { state } = it.world;
        const own = allTurns(state)
          .flatMap(turn => turn.parts.flatMap(({ id }) => subagentChat(state, turn.id, id) ?? []))
          .at(-1);
        const [turn] = own?.session.turns ?? [];
        const parts = turn ? ownParts(turn) : [];
        assert.match(parts.flatMap(asked).join(' '), /made-by-subagent/);
        const commands = parts.flatMap(part => (part.kind === 'tool' ? part.content : []));
        assert.ok(
          commands.some(({ kind }) => kind === 'terminal'),
          JSON.stringify(parts),
        );
        assert.ok(it.answered > before, 'it asked');
      });
    }

    if (behaviour.proposesPlans) {
      test('a plan is proposed, and shown once it is approved', async () => {
        await it.world.chat.controller.setConfig(planOption, 'plan');
        const state = await it.ask('[[PROPOSE]] please');
        const isProposed = state.plans?.some(plan => plan.kind === 'text' && plan.text !== '');
        assert.ok(isProposed, JSON.stringify(state.plans));
      });
    }

    test('stops when cancelled', async () => {
      const { controller } = it.world.chat;
      const { length } = it.world.state.turns;
      controller.send(behaviour.slow.prompt);
      await it.world.until(({ activeTurn }) => behaviour.slow.shows.test(said(activeTurn)));
      controller.stop();
      const state = await it.world.until(({ activeTurn }) => !activeTurn);
      assert.equal(state.turns.at(length)?.end?.reason, 'cancelled');
    });

    if (behaviour.remembers) {
      test('a chat of an earlier start is taken up again', async () => {
        await it.world.agent.stop();
        behaviour.age?.(it.home);
        const { turns } = await it.ask(behaviour.plain.prompt);
        assert.match(said(turns.at(-1)), behaviour.plain.answer);
      });
    }

    if (AGENTS[key].type === 'claude' && behaviour.mcp) {
      const { prompt, answer } = behaviour.mcp;
      test('the key of an MCP server reaches it, and stands in no list of processes', async () => {
        const { turns } = await it.ask(prompt);
        assert.match(said(turns.at(-1)), answer);
        assert.ok(processesMentioning('shoutingServer').length > 0, 'its server runs');
        assert.deepEqual(processesMentioning('hush-of-the-wire'), []);
      });
    }

    if (behaviour.compacts) {
      test('a chat is summarized when asked to, and says so', async () => {
        const { turns } = await it.ask('/compact');
        const parts = turns.flatMap(turn => turn.parts);
        const isSaid = parts.some(
          part => part.kind === 'notice' && /summarized the chat/.test(part.text),
        );
        assert.ok(isSaid, JSON.stringify(turns.at(-1)));
      });
    }

    if (AGENTS[key].type) {
      test('a process that is killed fails the turn, and the next message goes on', async () => {
        const { controller } = it.world.chat;
        controller.send(behaviour.slow.prompt);
        await it.world.until(({ activeTurn }) => behaviour.slow.shows.test(said(activeTurn)));
        for (const { pid } of processesMentioning(it.cwd)) process.kill(pid, 'SIGKILL');
        const failed = await it.world.until(({ activeTurn }) => !activeTurn);
        assert.match(JSON.stringify(failed.turns.at(-1)), /ended by the signal SIGKILL/);
        const { turns } = await it.ask(behaviour.plain.prompt);
        assert.match(said(turns.at(-1)), behaviour.plain.answer);
      });
    }

    if (AGENTS[key].type) {
      test('the name that the user gives is the one it lists', async () => {
        const { agent, chat } = it.world;
        const { prompt } = behaviour.plain;
        await it.ask(prompt);
        await chat.controller.rename('Named by the user');
        const { sessionId } = it.world.state;
        await eventually('the name is in its list', async () => {
          const { sessions } = await new AgentSessions(agent, it.cwd).list();
          return sessions.some(
            each => each.sessionId === sessionId && each.title === 'Named by the user',
          );
        });
      });
    }

    if (behaviour.archives) {
      test('what the user archives is in its list no more, until the chat goes on', async () => {
        const { agent, chat, state } = it.world;
        const isListed = async () => {
          const { sessions } = await new AgentSessions(agent, it.cwd).list();
          return sessions.some(({ sessionId }) => sessionId === state.sessionId);
        };
        assert.equal(await isListed(), true);
        await chat.controller.setListed('archived');
        assert.equal(it.world.state.archivedByAgent, true);
        assert.equal(await isListed(), false);
        const { turns, sessionId } = await it.ask(behaviour.plain.prompt);
        assert.match(said(turns.at(-1)), behaviour.plain.answer);
        assert.equal(sessionId, state.sessionId);
        assert.equal(await isListed(), true);
      });
    }

    if (behaviour.forks) {
      test('its sessions are listed, replayed, and copied to go on with', async () => {
        const { chats, agent, state } = it.world;
        const { sessions } = await new AgentSessions(agent, it.cwd).list();
        const own = sessions.find(({ sessionId }) => sessionId === state.sessionId);
        assert.ok(own, JSON.stringify(sessions));
        const isReady = ({ connection }: SessionState) => connection.kind === 'ready';

        if (behaviour.hasOneWriter) await agent.stop();
        // The same program, which knows nothing of this chat.
        const replayed = chats.adopt('Other', own);
        assert.ok(replayed);
        const known = await untilState(replayed.store, isReady);
        const { prompt, answer } = behaviour.plain;
        const first = known.turns.find(turn => turn.prompt?.text.includes(prompt));
        assert.match(said(first), answer, JSON.stringify(known.turns));
        const command = calls(known).find(({ toolKind }) => toolKind === 'execute');
        assert.equal(command?.status, 'failed', 'the command that ended with 3');

        const copy = chats.adopt('Program', own, true);
        assert.ok(copy);
        await untilState(copy.store, isReady);
        const { turns, sessionId } = await send(copy, prompt);
        assert.match(said(turns.at(-1)), answer);
        assert.notEqual(sessionId, own.sessionId);
      });
    }

    // What Parley itself makes of another protocol says nothing about ACP.
    if (AGENTS[key].type) return;
    // A server is offered less, and nothing that is not seen elsewhere.
    test('what is recorded of it was seen', { skip: wire !== undefined }, () => {
      const { title } = AGENTS[key];
      if (process.env['RESET_RESULTS']) record(version, title, seen.names);
      assert.deepEqual(missing(version, title, seen.names), []);
    });
  });
}

/** A chat with a real agent, in which everything that is asked is allowed once. */
class AgentChat {
  /** How many requests were allowed. */
  answered = 0;
  /** The kinds of events that have come. */
  readonly events = new Set<string>();

  private constructor(
    readonly world: World,
    readonly home: string,
    private readonly folder: string,
    private readonly server?: RemoteServer,
  ) {
    const { store, controller } = world.chat;
    // With v2 they come with the answer that opens the session.
    if (store.state.commands.length > 0) this.events.add('slash commands');
    store.onDidApply(({ action }) => {
      for (const kind of kindsOf(action)) this.events.add(kind);
    });
    store.onDidApply(() =>
      queueMicrotask(() => {
        for (const { id: requestId, revision, options } of store.state.permissions) {
          const option = options.findIndex(({ kind }) => kind === 'allow_once');
          if (controller.answerPermission({ requestId, revision, option })) this.answered += 1;
        }
      }),
    );
  }

  static async open(
    key: AgentKey,
    seen: SeenProtocol,
    protocol: Protocol,
    wire?: Wire,
  ): Promise<AgentChat> {
    const agent = await installAgent(key);
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), `parley-${key}-`)));
    const [home, cwd] = [path.join(folder, 'home'), path.join(folder, 'work')];
    mkdirSync(home);
    mkdirSync(cwd);
    writeFileSync(path.join(cwd, 'hello.txt'), HELLO);
    const launch = prepareAgent(agent, model.port, home);
    const server = wire && (await agentServer(launch, cwd, wire));
    const opened = await world(
      {},
      {
        ...(server ? { url: server.url } : { launch }),
        ...{ cwd, protocol, tap: seen.tap, newSessionSeconds: () => 120 },
        ...(AGENTS[key].type === 'claude' && { mcpServers: () => Promise.resolve([SHOUTING]) }),
      },
    );
    return new AgentChat(opened, home, folder, server);
  }

  get cwd(): string {
    return this.world.cwd;
  }

  /** Sends `text` and waits for the end of its turn. */
  ask(text: string): Promise<SessionState> {
    return send(this.world.chat, text);
  }

  async end(): Promise<void> {
    await this.world.end();
    await this.server?.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function send({ store, controller }: Chat, text: string): Promise<SessionState> {
  const { length } = store.state.turns;
  controller.send(text);
  return untilState(store, state => !state.activeTurn && state.turns.length > length);
}

function isStoppable({ stops }: BackgroundWork): boolean {
  return stops;
}

function isOfUser({ kind }: Part): boolean {
  return kind === 'user';
}

function calls(state: SessionState): readonly ToolCallPart[] {
  return allTurns(state).flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'tool' ? [part] : [])),
  );
}

function said(turn: SessionState['activeTurn']): string {
  return (turn?.parts ?? []).map(part => (part.kind === 'text' ? part.text : '')).join('');
}

const SHOUTING = {
  name: 'shouting',
  command: process.execPath,
  args: [path.resolve('test/realAgents/shoutingServer.mjs')],
  env: [
    { name: 'SECRET', value: 'hush' },
    { name: 'KEY', value: 'hush-of-the-wire' },
  ],
};
