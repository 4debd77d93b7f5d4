/** What an agent reads and writes outside the workspace through the editor: asked about, as it is, and nothing else. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { PermissionEntry } from '../../../src/session/ports';
import { NO_RULES, type PermissionRule } from '../../../src/session/rules/rule';
import type { SessionState } from '../../../src/session/state/state';
import { choose } from './choose';
import { world, type World } from './world';

interface Outside extends World {
  /** A folder that is not open, its links resolved. */
  readonly outside: string;
  readonly log: readonly PermissionEntry[];
  /** How many requests were ever shown. */
  shown(): number;
}

async function opened(t: TestContext, user: readonly PermissionRule[] = []): Promise<Outside> {
  const log: PermissionEntry[] = [];
  const w = await world(
    {},
    {
      rules: { current: { ...NO_RULES, user }, onDidChange: () => ({ dispose: () => undefined }) },
      permissionLog: { record: entry => void log.push(entry) },
    },
  );
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'parley-outside-')));
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  let shown = 0;
  w.chat.store.onDidApply(({ action }) => {
    if (action.type === 'permissionRequested') shown += 1;
  });
  t.after(async () => {
    await w.end();
    rmSync(outside, { recursive: true });
  });
  return Object.defineProperties({} as Outside, {
    ...Object.getOwnPropertyDescriptors(w),
    ...Object.getOwnPropertyDescriptors({ outside, log, shown: () => shown }),
  });
}

const read = (path: string): unknown => ({
  ask: { method: 'fs/read_text_file', params: { path } },
});
const write = (path: string, content = 'new'): unknown => ({
  ask: { method: 'fs/write_text_file', params: { path, content } },
});

async function asked(w: World) {
  const { permissions } = await w.until(state => state.permissions.length > 0);
  const [request] = permissions;
  assert.ok(request);
  return request;
}

async function answered(w: World, option: 'allow' | 'reject'): Promise<SessionState> {
  choose(w.chat.controller, (await asked(w)).id, option);
  return w.until(({ activeTurn }) => !activeTurn);
}

/** What its agent was told. */
const said = ({ turns }: SessionState): string =>
  (turns.at(-1)?.parts ?? []).map(part => (part.kind === 'text' ? part.text : '')).join('');

/** Each name of a file outside, and what it is below the folder outside. */
const NAMES: Readonly<Record<string, (w: Outside) => string>> = {
  'by its path': ({ outside }) => join(outside, 'secret.txt'),
  'by way of ..': ({ cwd, outside }) => `${cwd}/..${outside.slice(tmpdir().length)}/secret.txt`,
  'by a link to it'({ cwd, outside }) {
    symlinkSync(join(outside, 'secret.txt'), join(cwd, 'innocent.txt'));
    return join(cwd, 'innocent.txt');
  },
  'below a link'({ cwd, outside }) {
    symlinkSync(outside, join(cwd, 'src'));
    return join(cwd, 'src', 'secret.txt');
  },
};

for (const [what, nameOf] of Object.entries(NAMES)) {
  for (const option of ['allow', 'reject'] as const) {
    test(`a file outside is read ${what} only when allowed: ${option}`, async t => {
      const w = await opened(t);
      w.send([read(nameOf(w))]);
      const { asked: shown, facts } = await asked(w);
      const file = join(w.outside, 'secret.txt');
      assert.deepEqual(
        shown.locations.map(({ path }) => path),
        [file],
      );
      assert.deepEqual(facts.warnings, [{ path: file, outside: true }]);
      const state = await answered(w, option);
      if (option === 'allow') assert.match(said(state), /\{"content":"secret"\}/);
      else assert.match(said(state), /does not allow this file to be read/);
      assert.equal(w.log.length, 1);
    });

    test(`a file outside is written ${what} only when allowed: ${option}`, async t => {
      const w = await opened(t);
      w.send([write(nameOf(w))]);
      const { facts } = await asked(w);
      const file = join(w.outside, 'secret.txt');
      assert.deepEqual(facts.warnings, [{ path: file, outside: true }]);
      assert.equal(readFileSync(file, 'utf8'), 'secret');
      await answered(w, option);
      assert.equal(readFileSync(file, 'utf8'), option === 'allow' ? 'new' : 'secret');
    });
  }
}

test('what was allowed is asked about once a turn, and again in the next', async t => {
  const w = await opened(t);
  const file = join(w.outside, 'secret.txt');
  w.send([read(file), read(file)]);
  await answered(w, 'allow');
  assert.equal(w.shown(), 1);
  w.send([read(file)]);
  await answered(w, 'reject');
  assert.equal(w.shown(), 2);
});

test('a name that leads into the workspace is of the workspace', async t => {
  const w = await opened(t);
  symlinkSync(w.cwd, join(w.outside, 'back'));
  writeFileSync(join(w.cwd, 'a.txt'), 'mine');
  const file = join(w.outside, 'back', 'a.txt');
  assert.match(said(await w.run([read(file), write(file)])), /mine/);
  assert.equal(readFileSync(join(w.cwd, 'a.txt'), 'utf8'), 'new');
  assert.equal(w.shown(), 0);
});

test('a name that becomes a link after it was allowed is another file', async t => {
  const w = await opened(t);
  const file = join(w.outside, 'a.txt');
  writeFileSync(file, 'harmless');
  for (const ask of [read(file), write(file)]) {
    w.send([ask]);
    await asked(w);
    renameSync(file, `${file}.old`);
    symlinkSync(join(w.outside, 'secret.txt'), file);
    const state = await answered(w, 'allow');
    assert.match(said(state), /outside the workspace/);
    assert.doesNotMatch(said(state), /"secret"/);
    rmSync(file);
    renameSync(`${file}.old`, file);
  }
  assert.equal(readFileSync(join(w.outside, 'secret.txt'), 'utf8'), 'secret');
});

test('an allowed edit in the workspace is not put in place where its file leads by then', async t => {
  const w = await opened(t);
  const file = join(w.cwd, 'a.txt');
  writeFileSync(file, 'old');
  const content = [{ type: 'diff', path: file, oldText: 'old', newText: 'new' }];
  const toolCall = { toolCallId: 'e', title: 'Edit', kind: 'edit', content };
  const options = [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }];
  w.send([
    { ask: { method: 'session/request_permission', params: { toolCall, options } } },
    write(file),
  ]);
  await asked(w);
  rmSync(file);
  symlinkSync(join(w.outside, 'secret.txt'), file);
  choose(w.chat.controller, w.state.permissions[0]?.id, 'allow');
  const { facts } = await w
    .until(({ permissions }) => permissions.some(one => one.toolCallId !== 'e'))
    .then(({ permissions }) => permissions[0] ?? assert.fail());
  assert.deepEqual(facts.warnings, [{ path: join(w.outside, 'secret.txt'), outside: true }]);
  await answered(w, 'reject');
  assert.equal(readFileSync(join(w.outside, 'secret.txt'), 'utf8'), 'secret');
});

test('rules decide: a write by its exact path alone, a read by a glob too, and both are written down', async t => {
  const w = await opened(t, [
    { path: '/**/exact.txt', decision: 'allow', kind: 'edit' },
    { path: '/**/*.txt', decision: 'allow', kind: 'read' },
    { path: '/**/*.key', decision: 'reject' },
  ]);
  const [text, key] = [join(w.outside, 'secret.txt'), join(w.outside, 'a.key')];
  writeFileSync(key, 'the key');
  const state = await w.run([read(text), read(key), write(key)]);
  assert.match(said(state), /secret/);
  assert.doesNotMatch(said(state), /the key/);
  assert.equal(readFileSync(key, 'utf8'), 'the key');
  assert.deepEqual(
    w.log.map(({ outcome, by }) => [outcome, by]),
    [
      ['allowed', 'rule'],
      ['rejected', 'rule'],
      ['rejected', 'rule'],
    ],
  );
  assert.equal(w.shown(), 0);
  w.send([write(join(w.outside, 'exact.txt'))]);
  await answered(w, 'reject');
  assert.ok(!existsSync(join(w.outside, 'exact.txt')));
});

test('a new file in new folders outside is asked about as one', async t => {
  const w = await opened(t);
  mkdirSync(join(w.outside, 'made'));
  const file = join(w.outside, 'made', 'new.txt');
  w.send([write(file)]);
  assert.match((await asked(w)).title, /Create new.txt/);
  await answered(w, 'allow');
  assert.equal(readFileSync(file, 'utf8'), 'new');
});

test("git's own files outside are refused without a question", async t => {
  const w = await opened(t);
  symlinkSync(join(w.outside, '.git'), join(w.cwd, 'link'));
  const state = await w.run([
    write(join(w.outside, '.git', 'hooks', 'pre-commit')),
    write(join(w.cwd, 'link', 'hooks', 'pre-commit')),
  ]);
  assert.equal(said(state).match(/Git's own files are not written/g)?.length, 2);
  assert.equal(w.shown(), 0);
});
