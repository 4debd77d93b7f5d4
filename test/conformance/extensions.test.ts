/**
 * The page `docs/extensions.md` names everything that the code reads outside the stable schema, and every line of it
 * is tested. `RESET_RESULTS=1` writes it again.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as allMethods from '../../src/acp/schema/methods';
import type * as schema from '../../src/acp/schema/schema';
import { sessionNotification } from '../../src/acp/schema/guards/updates';
import { signInMethods } from '../../src/agents/backends/acp/authMethods';
import { initialSession } from '../../src/session/state/initialSession';
import { Contents } from '../../src/session/translate/contents';
import { Translator } from '../../src/session/translate/translate';
import { kindsOf, methods, v2 } from './enumerate';
import { lines, metaKeys, shapes, unstable, type Extension } from './extensions';

const PAGE = 'docs/extensions.md';
const MARK = '<!-- from test/conformance/extensions.ts -->';
const ALL = [...lines, ...shapes, ...unstable, ...metaKeys];

const read = (file: string) => readFileSync(file, 'utf8');
const named = (rows: readonly Extension[]) =>
  rows.map(({ what }) => /^`(?:_meta\.)?([^`]*)`/.exec(what)?.[1] ?? what).sort();

/** What all of it goes through. */
const DOOR = new Set(['compatibility.ts', 'incomingRequest.ts']);

test('every module that knows how agents differ is named, and every module named is there', () => {
  const modules = readdirSync('src/acp/compat')
    .filter(file => !DOOR.has(file))
    .map(file => `src/acp/compat/${file}`);
  const listed = new Set(ALL.flatMap(row => row.read));
  for (const module of modules) assert.ok(listed.has(module), `${module} is in ${PAGE}`);
  for (const module of listed) assert.ok(existsSync(module), module);
});

test('every line has its test', () => {
  for (const { what, tested } of ALL) {
    const [file, name] = tested;
    assert.ok(read(file).includes(name), `${what}: "${name}" is in ${file}`);
  }
});

test('methods and updates outside the stable schema are all named', () => {
  const known = new Set<string>([
    ...methods.agent,
    ...methods.client,
    ...methods.notifications,
    '$/cancel_request',
    ...kindsOf('SessionUpdate'),
    ...v2.agent,
  ]);
  const used = Object.values(allMethods).flatMap(value =>
    typeof value === 'string' ? [value] : Object.values(value),
  );
  const updates = ['updateTable', 'subagents', 'translate'].flatMap(file =>
    [
      ...read(`src/session/translate/${file}.ts`).matchAll(
        /^ *(?:case ')?(\w+_\w+)'?: *(?:\{|$)/gm,
      ),
    ].map(([, kind = '']) => kind),
  );
  const inputs = ['max_tokens', 'requires_action', 'env_var'];
  const outside = [...used, ...updates].filter(name => !known.has(name) && !inputs.includes(name));
  assert.deepEqual(named(unstable), [...new Set(outside)].sort());
});

/** Tells the paths that are read of an object, below `prefix`. */
function watched(keys: Set<string>, inner: object = {}, prefix = ''): object {
  return new Proxy(inner, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === 'string' && typeof value !== 'object') keys.add(prefix + key);
      return value;
    },
    has(target, key) {
      if (typeof key === 'string') keys.add(prefix + key);
      return Reflect.has(target, key);
    },
  });
}

test('every key of `_meta` that is read is named, and nothing else is', () => {
  const keys = new Set<string>();
  const claudeCode = watched(keys, {}, 'claudeCode.');
  const own = watched(keys, {}, '<agent>.');
  const meta = watched(keys, { claudeCode, own });
  let ids = 0;
  const environment = { now: () => 0, newId: () => `${++ids}`, after: () => ({ dispose() {} }) };
  const translator = new Translator(new Contents(), environment);
  const state = initialSession({ chatId: 'c', agentName: 'A', cwd: '/w', at: 0 });
  const fields = {
    toolCallId: 'c',
    content: { type: 'text', text: 'a' },
    entries: [],
    availableCommands: [],
    configOptions: [],
    currentModeId: 'm',
    used: 1,
    size: 2,
    compactionId: 'x',
  };
  for (const sessionUpdate of kindsOf('SessionUpdate')) {
    const isCall = sessionUpdate.startsWith('tool');
    const own = isCall ? { content: [], title: undefined } : { title: 'T' };
    const update = { ...fields, ...own, sessionUpdate, _meta: meta };
    const notification = sessionNotification({ sessionId: 's', update, _meta: meta });
    assert.ok(notification, sessionUpdate);
    translator.translate(state, notification.update, 's');
  }
  signInMethods({
    protocolVersion: 1,
    authMethods: [{ id: 'a', name: 'A', _meta: meta }],
  } as unknown as schema.InitializeResponse);
  // What any agent may have in an object of its own is read in all of them.
  const general = [...keys].filter(
    key => !/^claudeCode\.parent/.test(key) && key !== 'own' && key !== 'claudeCode',
  );
  assert.deepEqual(named(metaKeys), general.sort());
});

test('the page says so', () => {
  const [before = '', , after = ''] = read(PAGE).split(MARK);
  const page = [before, `\n${render()}\n`, after].join(MARK);
  if (process.env['RESET_RESULTS']) writeFileSync(PAGE, page);
  assert.equal(read(PAGE), page, 'RESET_RESULTS=1 writes it again');
});

function render(): string {
  const groups: readonly (readonly [title: string, rows: readonly Extension[]])[] = [
    ['On the wire', lines],
    ['Other shapes', shapes],
    ['Methods and updates', unstable],
    ['Keys of `_meta`', metaKeys],
  ];
  return groups
    .map(([title, rows]) =>
      [
        `\n### ${title}\n`,
        '| from agents | in Parley | read in |',
        '| --- | --- | --- |',
        ...rows.map(row => `| ${row.what} | ${row.does} | ${row.read.map(code).join(', ')} |`),
      ].join('\n'),
    )
    .join('\n');
}

function code(file: string): string {
  return `\`${file.replace(/^src\//, '')}\``;
}
