import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type * as schema from '../../../src/acp/schema/schema';
import type { RawClient } from '../../realAgents/rawClient';
import { RpcFailed, choose } from '../../realAgents/rawClient';
import { bundleDemo, open, remove, startDemo, temporaryFolder, workspace } from './demoProcess';
import { SchemaCheck } from './schemaCheck';

const GREETING = 'export function greet(name) {\n  return `Hello, ${name}!`;\n}\n';

const check = new SchemaCheck();
let built: string;
let bundle: string;
let cwd: string;
let client: RawClient;
let sessionId: string;
let session: schema.NewSessionResponse;

before(async () => {
  built = temporaryFolder();
  bundle = await bundleDemo(built);
});
after(() => remove(built));

beforeEach(async () => {
  cwd = workspace({
    'README.md': '# Sample\n\nSays hello.\n',
    'src/greeting.js': GREETING,
    'notes.txt': 'alpha\nalpha beta\n',
    'package.json': JSON.stringify({ scripts: { test: 'node -e "console.log(6 * 7)"' } }),
  });
  client = startDemo(bundle, cwd, check);
  ({ sessionId, session } = await open(client, cwd));
});
afterEach(async () => {
  await client.stop();
  remove(cwd);
});

const inFolder = (name: string): string => path.join(cwd, name);
const content = (name: string): string => readFileSync(inFolder(name), 'utf8');
const say = (text: string): Promise<string | undefined> => client.prompt(sessionId, text);

function updates<K extends schema.SessionUpdate['sessionUpdate']>(
  kind: K,
): Extract<schema.SessionUpdate, { sessionUpdate: K }>[] {
  return client.updates.filter(
    (update): update is Extract<schema.SessionUpdate, { sessionUpdate: K }> =>
      update.sessionUpdate === kind,
  );
}

/** The tool calls as they stand, in order of announcement. */
function toolCalls(): schema.ToolCallUpdate[] {
  const calls = new Map<string, schema.ToolCallUpdate>();
  for (const update of client.updates) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update')
      continue;
    calls.set(update.toolCallId, { ...calls.get(update.toolCallId), ...update });
  }
  return [...calls.values()];
}

const summary = (): string[] =>
  toolCalls().map(call => `${call.kind} ${call.title} ${call.status}`);

test('introduces itself, its modes, options and commands', async () => {
  assert.deepEqual(
    session.modes?.availableModes.map(mode => mode.id),
    ['ask', 'auto', 'plan'],
  );
  assert.deepEqual(
    session.configOptions?.map(option => [option.id, option.type, option.currentValue]),
    [
      ['mode', 'select', 'ask'],
      ['model', 'select', 'small'],
      ['thoughts', 'select', 'brief'],
      ['suggestions', 'boolean', true],
    ],
  );
  const commands = await client.until(u => u.sessionUpdate === 'available_commands_update');
  assert.ok(commands.sessionUpdate === 'available_commands_update');
  const hints = commands.availableCommands.map(({ name, input }) => `${name} ${input?.hint ?? ''}`);
  assert.ok(hints.includes('tour '));
  assert.ok(hints.includes('run command'));
});

test('answers the first words with what there is to try, and names the session', async () => {
  assert.equal(await say('What is this?'), 'end_turn');
  assert.match(client.text, /I am the Parley demo agent/);
  assert.match(client.text, /\| `\/tour` \|/);
  assert.equal(updates('session_info_update')[0]?.title, 'Getting to know Parley');
  assert.equal(await say('And the meaning of life?'), 'end_turn');
  assert.match(client.text, /I know a few scenes/);
  assert.equal(updates('session_info_update').length, 1, 'a name stays');
});

test('streams text in pieces that add up, one message id a message', async () => {
  await say('/markdown');
  const chunks = updates('agent_message_chunk');
  assert.ok(chunks.length > 50);
  assert.match(client.text, /^## A heading\n\nProse/);
  assert.match(client.text, /```python\ndef fibonacci/);
  const ids = new Set(chunks.map(chunk => chunk.messageId));
  assert.equal(ids.size, 2, 'the answer and the suggestion');
});

test('edits a file once the user allows it, and shows the diff before', async () => {
  assert.equal(await say('/edit src/greeting.js'), 'end_turn');
  const [request] = client.permissions;
  assert.deepEqual(
    request?.options.map(option => option.kind),
    ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
  );
  const [diff] = request?.toolCall.content ?? [];
  assert.ok(diff?.type === 'diff');
  assert.equal(diff.oldText, GREETING);
  assert.equal(diff.newText, content('src/greeting.js'));
  assert.match(content('src/greeting.js'), /name\.trim\(\) \|\| 'stranger'/);
  assert.deepEqual(summary(), [
    'read Read src/greeting.js completed',
    'edit Edit src/greeting.js completed',
  ]);
});

test('leaves a file alone when the user rejects, and goes on', async () => {
  client.answer = request => choose(request, 'reject_once');
  assert.equal(await say('/edit src/greeting.js'), 'end_turn');
  assert.equal(content('src/greeting.js'), GREETING);
  assert.match(client.text, /stays as it was/);
  assert.deepEqual(summary().at(-1), 'edit Edit src/greeting.js failed');
});

test('remembers an answer that was given for good', async () => {
  client.answer = request => choose(request, 'allow_always');
  await say('replace "alpha" with "gamma" in notes.txt');
  assert.equal(content('notes.txt'), 'gamma\ngamma beta\n');
  await say('/edit replace gamma with delta in notes.txt');
  assert.equal(content('notes.txt'), 'delta\ndelta beta\n');
  assert.equal(client.permissions.length, 1);

  client.answer = request => choose(request, 'reject_always');
  await say('/run true');
  await say('/run true');
  assert.equal(client.permissions.length, 2);
});

test('builds on what the user typed while deciding', async () => {
  client.answer = request => {
    writeFileSync(inFolder('src/greeting.js'), `first\n${GREETING}`);
    return choose(request, 'allow_once');
  };
  await say('/edit src/greeting.js');
  assert.match(content('src/greeting.js'), /^first\nexport function greet/);
  assert.match(content('src/greeting.js'), /stranger/);
});

test('creates a file, and says so when it is there already or cannot be read', async () => {
  await say('/new docs.md');
  assert.match(content('docs.md'), /Made by Parley Demo/);
  const [diff] = client.permissions[0]?.toolCall.content ?? [];
  assert.ok(diff?.type === 'diff' && diff.oldText === null);
  await say('/new docs.md');
  assert.match(client.text, /is there already/);
  await say('/edit missing.md');
  assert.match(client.text, /could not read `missing.md`/);
  assert.ok(!existsSync(inFolder('missing.md')));
});

test('runs a command and reports its exit', async () => {
  await say('/run npm test');
  assert.match(client.text, /finished without errors/);
  await say('/run echo oops >&2; exit 3');
  assert.match(client.text, /exit code \*\*3\*\*/);
  const [first, second] = toolCalls();
  assert.equal(first?.content?.[0]?.type, 'terminal');
  assert.deepEqual(first?.rawOutput, { exitCode: 0, signal: null });
  assert.deepEqual(second?.rawOutput, { exitCode: 3, signal: null });
  assert.equal(second?.status, 'failed');
  assert.deepEqual(
    client.permissions.map(request => request.toolCall.rawInput),
    [
      { command: 'npm test', cwd },
      { command: 'echo oops >&2; exit 3', cwd },
    ],
  );
});

test('stops at once when cancelled: while streaming, asking and running', async () => {
  const streaming = say('/slow 600');
  await client.until(u => u.sessionUpdate === 'agent_message_chunk');
  client.notify('session/cancel', { sessionId });
  assert.equal(await streaming, 'cancelled');

  client.answer = () => ({ outcome: 'cancelled' });
  assert.equal(await say('/edit notes.txt'), 'cancelled');
  assert.equal(content('notes.txt'), 'alpha\nalpha beta\n');

  client.answer = request => choose(request, 'allow_once');
  const running = say('/run sleep 600');
  await client.until(
    u => u.sessionUpdate === 'tool_call_update' && u.content?.[0]?.type === 'terminal',
  );
  client.notify('session/cancel', { sessionId });
  assert.equal(await running, 'cancelled');
  assert.equal(check.seen.get('terminal/kill'), 1);
  assert.equal(await say('hello'), 'end_turn', 'and it goes on');
});

test('edits without asking in Auto-edit, proposes only in Plan only', async () => {
  await client.request('session/set_mode', { sessionId, modeId: 'auto' });
  assert.equal(updates('config_option_update')[0]?.configOptions[0]?.currentValue, 'auto');
  await say('/edit src/greeting.js');
  assert.equal(client.permissions.length, 0);
  assert.match(content('src/greeting.js'), /stranger/);

  const changed = await client.request<schema.SetSessionConfigOptionResponse>(
    'session/set_config_option',
    { sessionId, configId: 'mode', value: 'plan' },
  );
  assert.equal(changed.configOptions[0]?.currentValue, 'plan');
  assert.equal(updates('current_mode_update')[0]?.currentModeId, 'plan');
  await say('/edit notes.txt');
  await say('/new other.md');
  await say('/run npm test');
  assert.equal(client.permissions.length, 0);
  assert.equal(content('notes.txt'), 'alpha\nalpha beta\n');
  assert.match(client.text, /```diff\n\+Parley Demo added this line/);
});

test('obeys the other options', async () => {
  const set = (configId: string, value: unknown): Promise<schema.SetSessionConfigOptionResponse> =>
    client.request('session/set_config_option', {
      sessionId,
      configId,
      value,
      ...(typeof value === 'boolean' ? { type: 'boolean' } : {}),
    });
  await say('/think');
  assert.ok(updates('agent_thought_chunk').length > 0);
  assert.match(client.text, /\*Next:\*/);
  const before = client.updates.length;
  await set('thoughts', 'off');
  await set('suggestions', false);
  await set('model', 'large');
  await say('/think');
  const later = client.updates.slice(before);
  assert.ok(!later.some(update => update.sessionUpdate === 'agent_thought_chunk'));
  assert.deepEqual(
    updates('usage_update').map(usage => usage.size),
    [32_000, 200_000],
  );
  await assert.rejects(set('model', 'huge'), /-32602 .*choose one of small, large/);
});

test('follows a plan', async () => {
  await say('/plan');
  const plans = updates('plan').map(plan => plan.entries.map(entry => entry.status[0]).join(''));
  assert.deepEqual(plans, ['ppppp', 'ipppp', 'cippp', 'ccipp', 'cccip', 'cccci', 'ccccc']);
});

test('takes a tour through reading, searching, editing and running', async () => {
  await say('/tour');
  assert.deepEqual(summary(), [
    'read Read README.md completed',
    'search Search "greet" completed',
    'read Read src/greeting.js completed',
    'edit Edit src/greeting.js completed',
    'execute npm test completed',
  ]);
  assert.match(client.text, /That was the tour/);
});

test('says what was attached, and reads linked files', async () => {
  const link = pathToFileURL(inFolder('notes.txt')).href;
  const prompt: schema.ContentBlock[] = [
    { type: 'text', text: 'what do you see?' },
    { type: 'resource_link', name: 'notes.txt', uri: link },
    {
      type: 'resource',
      resource: { uri: `${link}#L2-4`, text: 'one\ntwo\n', mimeType: 'text/plain' },
    },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ];
  await client.request('session/prompt', { sessionId, prompt });
  assert.deepEqual(summary(), ['read Read notes.txt completed']);
  assert.match(client.text, /\*\*notes.txt\*\* \(a link/);
  assert.match(client.text, /\*\*notes.txt:2-4\*\* \(2 lines, the text itself\)/);
  assert.match(client.text, /\*\*an image\*\* \(image\/png/);
  assert.match(client.text, / {4}one\n {4}two/);

  await client.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'resource_link', name: 'notes.txt', uri: link },
      { type: 'text', text: '/edit' },
    ],
  });
  assert.match(content('notes.txt'), /Parley Demo added this line/);
});

test('shows the rest: search, picture, tools, notices, long answers, other ends', async () => {
  await say('/search hello');
  assert.match(client.text, /\[README.md:3\]\(README.md:3\)/);
  await say('/image');
  const picture = updates('agent_message_chunk').find(chunk => chunk.content.type === 'image');
  assert.ok(picture?.content.type === 'image');
  assert.equal(Buffer.from(picture.content.data, 'base64').subarray(1, 4).toString(), 'PNG');
  await say('/tools');
  assert.equal(new Set(toolCalls().map(call => call.kind)).size, 8);
  await say('/notice');
  assert.deepEqual(
    updates('notice').map(notice => notice.severity),
    ['info', 'warning', 'error'],
  );
  await say('/long 40');
  assert.ok(client.text.length > 40 * 1024);
  await say('/fill 85');
  assert.ok((updates('usage_update').at(-1)?.used ?? 0) >= 27_200);
  for (const reason of ['max_tokens', 'refusal', 'max_turn_requests']) {
    assert.equal(await say(`/end ${reason}`), reason);
  }
  await say('/nothing');
  assert.match(client.text, /I know no command `\/nothing`/);
});

test('fails as asked: with an error, with an exit', async () => {
  await assert.rejects(say('/error'), (error: unknown) => {
    assert.ok(error instanceof RpcFailed);
    assert.equal(error.failure.code, -32603);
    return true;
  });
  assert.equal(await say('hello'), 'end_turn');
  await assert.rejects(say('/crash'));
  assert.equal(await client.exited, 3);
  assert.match(client.stderr, /asked to crash/);
});

test('refuses what it cannot do with the right code', async () => {
  const none = { sessionId: 'none', prompt: [] };
  await assert.rejects(client.request('session/prompt', none), /-32002/);
  await assert.rejects(client.request('session/fork', {}), /-32601/);
  await assert.rejects(client.request('session/new', { cwd: 'here', mcpServers: [] }), /-32602/);
  await assert.rejects(client.request('session/prompt', { sessionId }), /-32602/);
  const first = say('/slow 600');
  await client.until(u => u.sessionUpdate === 'agent_message_chunk');
  await assert.rejects(say('hello'), /-32600/);
  client.notify('session/cancel', { sessionId });
  await first;
  client.sendLine('this is not JSON');
  client.sendLine('[]');
  assert.equal(await say('hello'), 'end_turn');
});

test('does without what a client does not offer', async () => {
  const plain = startDemo(bundle, cwd, check);
  const opened = await open(plain, cwd, {});
  assert.equal(opened.session.configOptions?.length, 3, 'no boolean option');
  await plain.prompt(opened.sessionId, '/edit src/greeting.js');
  assert.match(content('src/greeting.js'), /stranger/, 'written by the agent itself');
  await plain.prompt(opened.sessionId, '/run npm test');
  assert.match(plain.text, /offers agents no terminal/);
  await plain.prompt(opened.sessionId, '/notice');
  assert.ok(!plain.updates.some(update => update.sessionUpdate === 'notice'));
  await plain.stop();
});

test('keeps sessions over restarts: list, load with replay, resume without, delete', async () => {
  const data = temporaryFolder();
  const env = { PARLEY_DEMO_DATA: data };
  const first = startDemo(bundle, cwd, check, env);
  const { sessionId: kept } = await open(first, cwd);
  await first.prompt(kept, '/edit src/greeting.js');
  await first.prompt(kept, '/run npm test');
  const spoken = first.text;
  await first.stop();

  const second = startDemo(bundle, cwd, check, env);
  await second.initialize();
  const { sessions } = await second.request<schema.ListSessionsResponse>('session/list', { cwd });
  assert.deepEqual(
    sessions.map(info => [info.sessionId, info.cwd, info.title]),
    [[kept, cwd, 'Editing a file']],
  );
  await second.request('session/load', { sessionId: kept, cwd, mcpServers: [] });
  assert.equal(second.text, spoken);
  const replayed = second.updates.map(update => update.sessionUpdate);
  assert.equal(replayed.filter(kind => kind === 'user_message_chunk').length, 2);
  const command = second.updates.find(u => u.sessionUpdate === 'tool_call' && u.kind === 'execute');
  assert.ok(command?.sessionUpdate === 'tool_call');
  assert.match(JSON.stringify(command.content), /42/, 'its output, though the terminal is gone');
  assert.equal(command.status, 'completed');
  await second.stop();

  const third = startDemo(bundle, cwd, check, env);
  await third.initialize();
  await third.request('session/resume', { sessionId: kept, cwd, mcpServers: [] });
  assert.equal(third.text, '');
  assert.equal(await third.prompt(kept, 'hello'), 'end_turn');
  await third.request('session/delete', { sessionId: kept });
  const { sessions: left } = await third.request<schema.ListSessionsResponse>('session/list', {});
  assert.deepEqual(left, []);
  await third.stop();
  remove(data);
});

test('ends when its client goes away', async () => {
  await client.stop(60_000);
  assert.equal(await client.exited, 0);
});

after(() => {
  const kinds = [
    'user_message_chunk agent_message_chunk agent_thought_chunk tool_call tool_call_update plan',
    'available_commands_update current_mode_update config_option_update session_info_update',
    'usage_update notice',
  ];
  for (const kind of kinds.join(' ').split(' ')) {
    assert.ok(check.seen.has(kind), `${kind} was sent and checked`);
  }
});
