import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { EnvFile } from '../../../src/agents/mcp/envFile';
import type { McpServerConfig } from '../../../src/agents/mcp/mcpConfig';
import { Deferred } from '../../../src/base/deferred';
import { nullLogger } from '../../../src/base/logger';
import { McpConfirmations } from '../../../src/vscode/mcp/mcpConfirmations';
import type { McpAnswer, McpCandidate } from '../../../src/vscode/mcp/mcpConfirmations';
import { RememberedAnswers } from '../../../src/vscode/rememberedAnswers';
import { answerStorage } from './answerStorage';

const FILE = '/w/.vscode/mcp.json';

type Stdio = Extract<McpServerConfig, { type: 'stdio' }>;

function program(name: string, more: Partial<Stdio> = {}): Stdio {
  return { type: 'stdio', name, command: 'run', args: [], env: {}, ...more };
}

/** @param file undefined for the user's own settings */
function candidate(server: McpServerConfig, file: string | undefined = FILE): McpCandidate {
  const config = { servers: [server], inputs: [], problems: [] };
  return { server, source: source(file, config), files: [] };
}

function own(server: McpServerConfig): McpCandidate {
  const config = { servers: [server], inputs: [], problems: [] };
  return { server, source: source(undefined, config), files: [] };
}

function source(file: string | undefined, config: McpCandidate['source']['config']) {
  const name = file ?? 'parley.mcpServers';
  return { id: name, name, config, placeOf: () => name, ...(file !== undefined && { file }) };
}

/** @param answers one for each question; `undefined` closes it */
function confirmations(answers: McpAnswer[], storage = answerStorage()) {
  const asked: { readonly name: string; readonly others: number }[] = [];
  const pending = new Set<string>();
  const made = new McpConfirmations({
    answers: new RememberedAnswers(storage, 'k'),
    isPending: async file => pending.has(file),
    async ask({ server }, others) {
      asked.push({ name: server.name, others });
      if (answers.length === 0) throw new Error('No question was expected.');
      return answers.shift();
    },
    logger: nullLogger,
  });
  const choose = async (...names: readonly (readonly McpCandidate[])[]) => {
    const { chosen, ...rest } = await made.choose(names, new AbortController().signal);
    return { ...rest, chosen: chosen.map(({ server }) => server.name) };
  };
  return { made, asked, pending, choose, storage };
}

test("the user's own servers need no question", async () => {
  const { choose, asked } = confirmations([]);
  assert.deepEqual((await choose([own(program('mine'))])).chosen, ['mine']);
  assert.deepEqual(asked, []);
});

for (const answer of ['use', 'refuse'] as const) {
  test(`the answer "${answer}" stays, also in another window of the workspace`, async () => {
    const { choose, asked, storage } = confirmations([answer]);
    const chosen = answer === 'use' ? ['a'] : [];
    assert.deepEqual((await choose([candidate(program('a'))])).chosen, chosen);
    const later = confirmations([], storage);
    assert.deepEqual((await later.choose([candidate(program('a'))])).chosen, chosen);
    assert.deepEqual([...asked, ...later.asked], [{ name: 'a', others: 0 }]);
  });
}

test('a question that is closed is asked again by the next chat, and no other is asked now', async () => {
  const { choose, asked } = confirmations([undefined, 'use', 'use']);
  const names = [[candidate(program('a'))], [candidate(program('b'))]];
  assert.deepEqual((await choose(...names)).chosen, []);
  assert.deepEqual((await choose(...names)).chosen, ['a', 'b']);
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['a', 'a', 'b'],
  );
});

test('chats that open together share their questions', async () => {
  const { choose, asked } = confirmations([undefined]);
  const names = [[candidate(program('a'))], [candidate(program('b'))]];
  const all = await Promise.all([choose(...names), choose(...names), choose(...names)]);
  assert.deepEqual(
    all.map(({ chosen }) => chosen),
    [[], [], []],
  );
  assert.equal(asked.length, 1);
});

const BASE = program('a', { args: ['x'], env: { A: '1' }, envFile: '.env' });
const PAGE: McpServerConfig = { type: 'http', name: 'a', url: 'https://a', headers: { A: '1' } };
const CHANGES: readonly [what: string, before: McpServerConfig, after: McpServerConfig][] = [
  ['command', BASE, { ...BASE, command: 'evil' }],
  ['argument', BASE, { ...BASE, args: ['y'] }],
  ['order of arguments', { ...BASE, args: ['x', 'y'] }, { ...BASE, args: ['y', 'x'] }],
  ['value', BASE, { ...BASE, env: { A: '${env:SECRET}' } }],
  ['variable', BASE, { ...BASE, env: { A: '1', LD_PRELOAD: 'x' } }],
  ['file of variables', BASE, { ...BASE, envFile: 'other.env' }],
  ['address', PAGE, { ...PAGE, url: 'https://b' }],
  ['header', PAGE, { ...PAGE, headers: { A: '2' } }],
  ['kind', PAGE, { ...PAGE, type: 'sse' }],
  ['all', BASE, PAGE],
];

for (const [what, before, after] of CHANGES) {
  test(`a server whose ${what} changed is asked about again, and the old one is not`, async () => {
    const { choose, asked } = confirmations(['use', 'refuse']);
    assert.deepEqual((await choose([candidate(before)])).chosen, ['a']);
    assert.deepEqual((await choose([candidate(after)])).chosen, []);
    assert.deepEqual((await choose([candidate(before)])).chosen, ['a']);
    assert.equal(asked.length, 2);
  });
}

test('the same server of another file is another server', async () => {
  const { choose, asked } = confirmations(['use', 'refuse']);
  await choose([candidate(BASE)]);
  assert.deepEqual((await choose([candidate(BASE, '/other/mcp.json')])).chosen, []);
  assert.equal(asked.length, 2);
});

test("what stands in the place of the user's server leaves it there until it is agreed to", async () => {
  const servers = [candidate(program('a', { command: 'theirs' })), own(program('a'))];
  for (const [answer, command] of [
    ['refuse', 'run'],
    [undefined, 'run'],
    ['use', 'theirs'],
  ] as const) {
    const { made } = confirmations([answer]);
    const { chosen } = await made.choose([servers], new AbortController().signal);
    assert.deepEqual(
      chosen.map(({ server }) => (server as Stdio).command),
      [command],
    );
  }
});

test('a file under review is not asked about, gives no new server, and keeps those agreed to', async () => {
  const { choose, asked, pending } = confirmations(['use', 'use']);
  await choose([candidate(program('old'))]);
  pending.add(FILE);
  const names = [[candidate(program('old'))], [candidate(program('new')), own(program('new'))]];
  const left = await choose(...names);
  assert.deepEqual(left.chosen, ['old', 'new']);
  assert.deepEqual(
    left.pending.map(({ server }) => server.name),
    ['new'],
  );
  assert.equal(asked.length, 1);
  pending.clear();
  await choose(...names);
  assert.equal(asked.length, 2);
});

const variables = (...pairs: readonly (readonly [string, string])[]): EnvFile => ({
  variables: pairs.map(([name, value]) => ({ name, value })),
});
const A = variables(['A', '1']);
const ENV_CHANGES: readonly [what: string, before: EnvFile, after: EnvFile][] = [
  ['value', A, variables(['A', '2'])],
  ['name', A, variables(['B', '1'])],
  ['further variable', A, variables(['A', '1'], ['LD_PRELOAD', 'x.so'])],
  ['first variable', variables(), A],
  ['absence', A, { problem: 'It cannot be read.' }],
  ['presence', { problem: 'It cannot be read.' }, A],
];

for (const [what, before, after] of ENV_CHANGES) {
  test(`a server is asked about again for the ${what} in its environment file`, async () => {
    const { choose, asked, storage } = confirmations(['use', 'refuse']);
    const having = (envFile: EnvFile) => [{ ...candidate(BASE), envFile }];
    assert.deepEqual((await choose(having(before))).chosen, ['a']);
    assert.deepEqual((await choose(having(after))).chosen, []);
    assert.deepEqual((await choose(having(before))).chosen, ['a']);
    assert.equal(asked.length, 2);
    assert.ok(!JSON.stringify(storage.get('k')).includes('LD_PRELOAD'));
  });
}

const TOOL = '/w/tools/server.js';
const WHOSE: readonly [whose: string, make: (server: McpServerConfig) => McpCandidate][] = [
  ["the workspace's", candidate],
  ["the user's own", own],
];

for (const [whose, make] of WHOSE) {
  test(`${whose} server is not used while a file of it waits for review, agreed to or not`, async () => {
    const { choose, asked, pending } = confirmations(['use']);
    const made = { ...make(program('a')), files: ['/w/.env', TOOL] };
    const other = make(program('other'));
    const left = async () => {
      const { chosen, pending: leftOut } = await choose([made]);
      return [chosen, leftOut.map(({ file }) => file)];
    };
    pending.add(TOOL);
    assert.deepEqual(await left(), [[], [TOOL]]);
    assert.deepEqual(asked, []);
    pending.clear();
    assert.deepEqual(await left(), [['a'], []]);
    pending.add(TOOL);
    assert.deepEqual(await left(), [[], [TOOL]]);
    // Less specific ones count in its place.
    assert.deepEqual((await choose([made, own(other.server)])).chosen, ['other']);
  });
}

test('a file that changes while the user is asked is known after the answer', async () => {
  const pending = new Set<string>();
  const made = new McpConfirmations({
    answers: new RememberedAnswers(answerStorage(), 'k'),
    isPending: async file => pending.has(file),
    async ask() {
      pending.add(TOOL);
      return 'use';
    },
    logger: nullLogger,
  });
  const names = [[{ ...candidate(program('a')), files: [TOOL] }]];
  const { chosen, pending: leftOut } = await made.choose(names, new AbortController().signal);
  assert.deepEqual([chosen.length, leftOut.map(({ file }) => file)], [0, [TOOL]]);
});

test('a server that was refused is not said to wait for review', async () => {
  const { choose, pending } = confirmations(['refuse']);
  const names = [{ ...candidate(program('a')), files: [TOOL] }];
  await choose(names);
  pending.add(TOOL);
  assert.deepEqual(await choose(names), { chosen: [], pending: [], unasked: 0 });
});

test('a question that cannot be shown is no agreement', async () => {
  const { choose } = confirmations([]);
  assert.deepEqual((await choose([candidate(program('a'))])).chosen, []);
});

test('however many servers there are, one answer ends the questions, and few are asked at once', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => [candidate(program(`s${index}`))]);
  const refused = confirmations(['refuseAll']);
  assert.deepEqual(await refused.choose(...names), { chosen: [], pending: [], unasked: 0 });
  assert.deepEqual((await refused.choose(...names)).chosen, []);
  assert.deepEqual(refused.asked, [{ name: 's0', others: 999 }]);

  const used = confirmations(Array.from({ length: 5 }, () => 'use' as const));
  const { chosen, unasked } = await used.choose(...names);
  assert.deepEqual([chosen.length, unasked], [5, 995]);
});

test('a chat that is given up asks no more', async () => {
  const answer = new Deferred<McpAnswer>();
  let questions = 0;
  const made = new McpConfirmations({
    answers: new RememberedAnswers(answerStorage(), 'k'),
    isPending: async () => false,
    ask() {
      questions += 1;
      return answer.promise;
    },
    logger: nullLogger,
  });
  const abort = new AbortController();
  const choice = made.choose([[candidate(program('a'))], [candidate(program('b'))]], abort.signal);
  abort.abort();
  answer.resolve('use');
  await choice;
  assert.ok(questions <= 1);
});

test('what was forgotten is asked about again', async () => {
  const { made, choose, asked } = confirmations(['use', 'refuse']);
  await choose([candidate(BASE)]);
  await made.forget();
  assert.deepEqual((await choose([candidate(BASE)])).chosen, []);
  assert.equal(asked.length, 2);
});

test('nothing of a workspace is chosen that the user has not agreed to, whatever is asked in what order', async () => {
  const answers = fc.array(fc.constantFrom<McpAnswer>('use', 'refuse', 'refuseAll', undefined), {
    minLength: 20,
    maxLength: 20,
  });
  const names = fc.array(
    fc.array(fc.constantFrom('/w/one', '/w/two', undefined), { minLength: 1, maxLength: 3 }),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(answers, names, fc.boolean(), async (given, files, isPending) => {
      const agreed = new Set<McpCandidate>();
      const made = new McpConfirmations({
        answers: new RememberedAnswers(answerStorage(), 'k'),
        isPending: async file => isPending && ['/w/two', TOOL].includes(file),
        async ask(one) {
          const answer = given.shift();
          if (answer === 'use') agreed.add(one);
          return answer;
        },
        logger: nullLogger,
      });
      const all = files.map((list, index) =>
        [...new Set(list)].map(file => ({
          ...(file === undefined ? own(program(`${index}`)) : candidate(program(`${index}`), file)),
          files: index % 2 === 1 ? [TOOL] : [],
        })),
      );
      for (let chat = 0; chat < 3; chat += 1) {
        const { chosen } = await made.choose(all, new AbortController().signal);
        for (const one of chosen) {
          assert.ok(one.source.file === undefined || agreed.has(one));
          assert.ok(!isPending || (one.source.file !== '/w/two' && one.files.length === 0));
        }
      }
    }),
  );
});
