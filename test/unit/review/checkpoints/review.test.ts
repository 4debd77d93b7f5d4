import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { git, repositoryIn, temporaryFolder, writeFiles } from '../../git/support';
import type { FileContent } from '../../../../src/review/model';
import { hashOf } from '../../../../src/review/store/blobs';
import { reviewed, shell, type Reviewed } from './support';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

async function world(
  t: TestContext,
  files: Readonly<Record<string, string>> = { 'a.txt': LINES },
): Promise<
  Reviewed & { readonly root: string; readonly store: string; file(name: string): string }
> {
  const root = temporaryFolder();
  const store = temporaryFolder();
  repositoryIn(root, files);
  const parts = await reviewed(t, [root], store);
  return { ...parts, root, store, file: name => path.join(root, name) };
}

const says = (content: FileContent | undefined, word: string): boolean =>
  content?.kind === 'text' && content.text.includes(word);
const read = (file: string) => readFileSync(file, 'utf8');

test('a shell changes two places: one is kept, the other undone, on disk', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  await w.start('1');
  await shell(w.root, "sed -i -e 's/two/TWO/' -e 's/six/SIX/' a.txt");
  await w.pending(a);
  const [first, second] = w.review.get(a)?.hunks ?? [];
  assert.ok(first && second);
  await w.review.keep({ kind: 'hunk', path: a, hunkId: first.id });
  const outcome = await w.review.undo({ kind: 'hunk', path: a, hunkId: second.id });
  assert.deepEqual(outcome, { decided: 1, failures: [] });
  assert.equal(read(a), LINES.replace('two', 'TWO'));
  assert.deepEqual(w.review.pending, []);

  assert.equal(w.review.canRedo, true);
  await w.review.redo();
  assert.equal(read(a), LINES.replace('two', 'TWO').replace('six', 'SIX'));
  assert.equal(w.review.get(a)?.hunks.length, 1);
});

test("undo all leaves the user's edits, also unsaved ones unsaved", async t => {
  const w = await world(t, { 'a.txt': LINES, 'b.txt': 'b\n' });
  const a = w.file('a.txt');
  await w.start('1');
  await shell(w.root, "sed -i 's/six/SIX/' a.txt; rm b.txt; echo new > new.txt");
  await w.pending(a, w.file('b.txt'), w.file('new.txt'));
  w.files.type(a, `mine\n${read(a)}`);
  const outcome = await w.review.undo({ kind: 'all' });
  assert.deepEqual(outcome.failures, []);
  assert.equal(w.files.unsaved(a), `mine\n${LINES}`);
  assert.equal(read(a), LINES.replace('six', 'SIX'), 'nothing was saved');
  assert.equal(read(w.file('b.txt')), 'b\n');
  assert.equal(existsSync(w.file('new.txt')), false);
  assert.deepEqual(w.review.pending, []);
});

test('a deleted file comes back with its bytes and its mode', async t => {
  const w = await world(t, { 'run.sh': '\uFEFF#!/bin/sh\r\necho\r\n' });
  chmodSync(w.file('run.sh'), 0o755);
  git(w.root, 'commit', '-qam', 'mode');
  const turn = await w.start('1');
  w.tracker.named(turn, [w.file('run.sh')]);
  await w.tracker.settled();
  const bytes = readFileSync(w.file('run.sh'));
  await shell(w.root, 'rm run.sh');
  await w.pending(w.file('run.sh'));
  await w.review.undo({ kind: 'all' });
  assert.equal(statSync(w.file('run.sh')).mode & 0o777, 0o755);
  assert.deepEqual(
    readFileSync(w.file('run.sh')).toString().replace('\uFEFF', ''),
    bytes.toString().replace('\uFEFF', ''),
  );
});

test('a binary file is undone as a whole', async t => {
  const w = await world(t);
  const image = w.file('image.bin');
  writeFileSync(image, Buffer.from([0, 1, 2, 3]));
  git(w.root, 'add', '-A');
  git(w.root, 'commit', '-qm', 'image');
  await w.start('1');
  await shell(w.root, "printf '\\000other' > image.bin");
  await w.pending(image);
  assert.equal(w.review.get(image)?.baseline.kind, 'binary');
  assert.deepEqual(await w.review.undo({ kind: 'file', path: image }), {
    decided: 1,
    failures: [],
  });
  assert.deepEqual([...readFileSync(image)], [0, 1, 2, 3]);
});

test('what cannot be written stays pending and says why', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  await w.start('1');
  await shell(w.root, 'echo x >> a.txt; chmod 444 a.txt');
  await w.pending(a);
  const outcome = await w.review.undo({ kind: 'all' });
  assert.deepEqual(outcome, { decided: 0, failures: [{ path: a, message: 'read-only' }] });
  assert.equal(w.review.get(a)?.hunks.length, 1);
});

test('an unknown baseline is shown, can be kept, and is not undone', async t => {
  const w = await world(t);
  w.tracker.known.setUnread(w.file('odd.txt'));
  await w.start('1');
  writeFileSync(w.file('odd.txt'), 'x\n');
  await w.pending(w.file('odd.txt'));
  const { decided, failures } = await w.review.undo({ kind: 'all' });
  assert.equal(decided, 0);
  assert.equal(failures[0]?.path, w.file('odd.txt'));
  assert.equal(read(w.file('odd.txt')), 'x\n');
  await w.review.keep({ kind: 'all' });
  assert.deepEqual(w.review.pending, []);
});

test('a commit of a hunk keeps that hunk', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  await w.start('1');
  await shell(w.root, "sed -i 's/two/TWO/' a.txt");
  await w.pending(a);
  git(w.root, 'add', '-A');
  await shell(w.root, "sed -i 's/six/SIX/' a.txt");
  await w.until(() => w.review.get(a)?.hunks.length === 2);
  git(w.root, 'commit', '-qm', 'the first');
  await w.until(() => w.review.get(a)?.hunks.length === 1);
  git(w.root, 'commit', '-qam', 'all');
  await w.until(() => w.review.pending.length === 0);
});

test('stash and reset take what is pending off the table', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  const turn = await w.start('1');
  await shell(w.root, 'echo x >> a.txt');
  await w.pending(a);
  w.end(turn);
  git(w.root, 'stash', '-q');
  await w.until(() => w.review.pending.length === 0);
  git(w.root, 'stash', 'pop', '-q');
  await w.tracker.settled();
  assert.deepEqual(w.review.pending, [], "what the user brings back is the user's");
});

test('a rename is one change, and goes back as one', async t => {
  const w = await world(t);
  await w.start('1');
  await shell(w.root, 'mv a.txt b.txt');
  await w.until(() => w.review.get(w.file('b.txt'))?.change === 'renamed');
  assert.deepEqual(
    w.review.pending.map(({ path: file, renamedFrom }) => [file, renamedFrom]),
    [[w.file('b.txt'), w.file('a.txt')]],
  );
  assert.deepEqual((await w.review.undo({ kind: 'all' })).failures, []);
  assert.equal(read(w.file('a.txt')), LINES);
  assert.equal(existsSync(w.file('b.txt')), false);
});

test('two folders, one with git and one without', async t => {
  const [one, two, store] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  repositoryIn(one, { 'a.txt': 'a\n' });
  writeFiles(two, { 'b.txt': 'b\n', 'node_modules/x.js': 'x' });
  const w = await reviewed(t, [one, two], store);
  await w.start('1');
  await shell(one, `echo x >> a.txt; echo x >> ${two}/b.txt; echo x >> ${two}/node_modules/x.js`);
  await w.pending(path.join(one, 'a.txt'), path.join(two, 'b.txt'));
  await w.review.undo({ kind: 'all' });
  assert.equal(read(path.join(two, 'b.txt')), 'b\n');
});

test("another window takes up what was pending; changes in between are the user's", async t => {
  const w = await world(t, { 'a.txt': LINES, 'b.txt': 'b\n' });
  const [a, b] = [w.file('a.txt'), w.file('b.txt')];
  const turn = await w.start('1');
  await shell(w.root, "sed -i 's/six/SIX/' a.txt; echo x >> b.txt");
  await w.pending(a, b);
  await w.review.undo({ kind: 'file', path: b });
  w.end(turn);
  await w.tracker.settled();
  await w.storage.flush();
  for (const part of [w.storage, w.tracker, w.review]) part.dispose();
  writeFileSync(a, `mine\n${read(a)}`);

  const next = await reviewed(t, [w.root], w.store);
  assert.deepEqual(
    next.review.pending.map(({ path: file, hunks, turns }) => [file, hunks.length, turns]),
    [[a, 1, [turn]]],
  );
  assert.equal(next.review.canRedo, true);
  await next.review.redo();
  assert.equal(read(b), 'b\nx\n');
  await next.review.undo({ kind: 'all' });
  assert.equal(read(a), `mine\n${LINES}`);
  assert.equal(read(b), 'b\n');
});

test('a state torn by a crash, or of another form, is none', async t => {
  const w = await world(t);
  writeFileSync(path.join(w.store, 'review.json'), '{"version":1,"ledger":{"fi');
  const quiet = t.mock.method(console, 'error', () => undefined);
  const next = await reviewed(t, [w.root], w.store);
  assert.equal(quiet.mock.callCount(), 1);
  assert.deepEqual(next.review.pending, []);
});

test('what is decided is not kept on disk, and ignored files never are', async t => {
  const w = await world(t, { '.gitignore': '.env\n', 'a.txt': 'secret-free\n' });
  const a = w.file('a.txt');
  const turn = await w.start('1');
  await shell(w.root, 'echo PASSWORD=1 > .env; echo more >> a.txt');
  await w.pending(a);
  await w.tracker.record(turn, w.file('.env'), async () => {
    appendFileSync(w.file('.env'), 'PASSWORD=2\n');
  });
  await w.storage.flush();
  const kept = () =>
    readdirSync(path.join(w.store, 'blobs')).map(name => read(path.join(w.store, 'blobs', name)));
  assert.ok(kept().includes('secret-free\nmore\n'));
  assert.ok(!kept().some(content => content.includes('PASSWORD')));
  assert.ok(!read(path.join(w.store, 'review.json')).includes('.env'));
  w.end(turn);
  git(w.root, 'commit', '-qam', 'kept');
  await w.until(() => w.review.pending.length === 0);
  w.rewind.forget('chat');
  await w.storage.flush();
  // What the tracker knows a file by, it may look at once more at any time.
  const known = [...w.tracker.hashes()];
  assert.deepEqual(
    kept().filter(content => !known.includes(hashOf(Buffer.from(content)))),
    [],
  );
});

test('back to before a prompt: only what the agent touched, later edits told and recoverable', async t => {
  const w = await world(t, { 'a.txt': LINES, 'b.txt': 'b\n', 'mine.txt': 'mine\n' });
  const [a, b] = [w.file('a.txt'), w.file('b.txt')];
  w.end(await w.start('1'));
  const two = await w.start('2');
  await shell(w.root, "sed -i 's/six/SIX/' a.txt");
  await w.pending(a);
  w.end(two);
  const three = await w.start('3');
  await shell(w.root, "sed -i 's/SIX/sechs/' a.txt; rm b.txt; echo n > new.txt");
  await w.pending(a, b, w.file('new.txt'));
  w.end(three);
  await w.tracker.idle();
  w.files.type(a, `${read(a)}later\n`);
  w.tracker.saved(a, await w.files.save(a));
  writeFileSync(w.file('mine.txt'), 'mine, later\n');
  await w.tracker.settled();

  assert.deepEqual(await w.rewind.preview('chat', ['3']), [
    { path: a, editedSince: true, unknown: false },
    { path: b, editedSince: false, unknown: false },
    { path: w.file('new.txt'), editedSince: false, unknown: false },
  ]);
  assert.deepEqual(await w.rewind.restoreFiles('chat', ['3']), []);
  assert.equal(read(a), LINES.replace('six', 'SIX'));
  assert.equal(read(b), 'b\n');
  assert.equal(existsSync(w.file('new.txt')), false);
  assert.equal(read(w.file('mine.txt')), 'mine, later\n');
  assert.deepEqual(
    w.review.pending.map(({ path: file, turns }) => [file, turns]),
    [[a, [two]]],
    'what an earlier turn did is still to be decided',
  );

  assert.equal(w.rewind.canUndoRestore, true);
  assert.deepEqual(await w.rewind.undoRestore(), []);
  assert.equal(read(a), `${LINES.replace('six', 'sechs')}later\n`);
  assert.equal(existsSync(b), false);

  await w.rewind.restoreFiles('chat', ['2', '3']);
  assert.equal(read(a), LINES);
});

/** What writes a file, and what comes before it. */
const DECISIONS: Readonly<
  Record<string, readonly ((w: Reviewed, a: string) => Promise<unknown>)[]>
> = {
  'undone hunk': [
    (w, a) => w.review.undo({ kind: 'hunk', path: a, hunkId: w.review.get(a)?.hunks[1]?.id ?? '' }),
  ],
  'undone file': [(w, a) => w.review.undo({ kind: 'file', path: a })],
  'change brought back': [w => w.review.redo(), w => w.review.undo({ kind: 'all' })],
  'restored file': [w => w.rewind.restoreFiles('chat', ['1'])],
};

for (const [what, [decide, prepare]] of Object.entries(DECISIONS)) {
  for (const writes of ['sed -i s/four/VIER/ a.txt', 'rm -f a.txt'] as const) {
    test(`an agent that changes a file (${writes}) right behind the ${what} is seen`, async t => {
      const w = await world(t);
      const a = w.file('a.txt');
      const turn = await w.start('1');
      await shell(w.root, "sed -i -e 's/two/TWO/' -e 's/six/SIX/' a.txt");
      await w.pending(a);
      await prepare?.(w, a);
      const write = w.files.write.bind(w.files);
      w.files.write = async (...args) => {
        const written = await write(...args);
        w.files.write = write;
        await shell(w.root, writes);
        return written;
      };
      await decide?.(w, a);
      await w.until(() => {
        const { current } = w.review.get(a) ?? {};
        return writes.startsWith('rm') ? current?.kind === 'absent' : says(current, 'VIER');
      });
      w.end(turn);
      await w.review.undo({ kind: 'all' });
      assert.equal(read(a), LINES);
    });
  }
}

test('a restore that is taken back brings a rename back as one', async t => {
  const w = await world(t, { 'old.txt': LINES });
  const [from, to] = [w.file('old.txt'), w.file('renamed.txt')];
  const turn = await w.start('1');
  await shell(w.root, 'mv old.txt renamed.txt; sed -i 1d renamed.txt');
  await w.until(() => w.review.get(to)?.renamedFrom === from);
  w.end(turn);
  await w.tracker.idle();
  await w.tracker.settled();

  assert.deepEqual(await w.rewind.restoreFiles('chat', ['1']), []);
  assert.equal(read(from), LINES);
  assert.deepEqual(w.review.pending, []);
  assert.deepEqual(await w.rewind.undoRestore(), []);
  await w.tracker.settled();
  assert.deepEqual(
    w.review.pending.map(({ path: file, renamedFrom }) => [file, renamedFrom]),
    [[to, from]],
  );
  assert.deepEqual((await w.review.undo({ kind: 'all' })).failures, []);
  assert.equal(read(from), LINES);
  assert.equal(existsSync(to), false);
});

test('the snapshots of a turn cost what the turn touched', async t => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`src/${index}.txt`, `${index}\n`]),
  );
  const w = await world(t, many);
  await w.start('1');
  await shell(w.root, 'echo x >> src/7.txt');
  await w.pending(w.file('src/7.txt'));
  await w.storage.flush();
  assert.equal(readdirSync(path.join(w.store, 'blobs')).length, 2);
  rmSync(w.file('src/7.txt'));
});

test('unsaved text that is given up leaves the review as the disk is', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  await w.start('1');
  await shell(w.root, "sed -i -e 's/two/TWO/' -e 's/six/SIX/' a.txt");
  await w.pending(a);
  const before = w.review.get(a);
  const changed = read(a);

  // Typed in and beside what is pending, with an undo and what it took out, too.
  for (const text of [`mine\n${changed}`, changed.replace('TWO', 'two'), `${changed}more\n`]) {
    w.files.type(a, text);
    const hunk = w.review.get(a)?.hunks.at(-1);
    assert.ok(hunk);
    await w.review.undo({ kind: 'hunk', path: a, hunkId: hunk.id });
    w.files.giveUp(a);
    await w.tracker.settled();
    const now = w.review.get(a);
    assert.deepEqual(now?.current, before?.current);
    assert.equal(
      now?.hunks.some(({ turns }) => turns.length > 0),
      true,
    );
  }
  assert.equal(read(a), changed);
});

test('a write of an agent under unsaved text is all that is pending once that is given up', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  await w.start('1');
  await shell(w.root, "sed -i 's/two/TWO/' a.txt");
  await w.pending(a);
  w.files.type(a, read(a).replace('six', 'my six'));
  assert.match(JSON.stringify(w.review.get(a)?.current), /my six/);
  await shell(w.root, "sed -i 's/four/FOUR/' a.txt");
  await w.tracker.settled();
  w.files.giveUp(a);
  await w.tracker.settled();
  const file = w.review.get(a);
  assert.deepEqual(file?.current, { kind: 'text', text: read(a) });
  assert.deepEqual(file?.baseline, { kind: 'text', text: LINES });
  assert.equal(file?.hunks.length, 2);
});

test('a write under unsaved text is to be decided also when that is given up after the turn', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  const turn = await w.start('1');
  w.files.type(a, `mine\n${LINES}`);
  await shell(w.root, "sed -i 's/four/FOUR/' a.txt");
  w.tracker.touch(a);
  await w.tracker.idle();
  w.end(turn);
  await w.tracker.idle();
  assert.equal(w.review.get(a), undefined);
  w.files.giveUp(a);
  await w.pending(a);
  assert.deepEqual(w.review.get(a)?.current, { kind: 'text', text: read(a) });
  assert.deepEqual(w.review.get(a)?.baseline, { kind: 'text', text: LINES });
});

test('a write of an agent under unsaved text is told, once; a save of the user is not', async t => {
  const w = await world(t, { 'a.txt': LINES, 'b.txt': LINES });
  const [a, b] = [w.file('a.txt'), w.file('b.txt')];
  const told: string[] = [];
  w.tracker.onDidHideWrite(file => told.push(file));
  await w.start('1');
  for (const file of [a, b]) w.files.type(file, `mine\n${LINES}`);
  w.tracker.saved(b, await w.files.save(b));
  w.files.type(b, `mine, too\n${LINES}`);
  await shell(w.root, "sed -i 's/four/FOUR/' a.txt");
  for (const _ of [1, 2]) {
    for (const file of [a, b]) w.tracker.touch(file);
    await w.tracker.idle();
  }
  assert.deepEqual(told, [a]);
  await shell(w.root, "sed -i 's/five/FIVE/' a.txt");
  w.tracker.touch(a);
  await w.tracker.idle();
  assert.deepEqual(told, [a, a]);
});

test('what an agent writes beneath the unsaved cells of a notebook is told, and reviewed', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  const told: string[] = [];
  w.tracker.onDidHideWrite(file => told.push(file));
  await w.start('1');
  w.files.cells.add(a);
  await shell(w.root, "sed -i 's/four/FOUR/' a.txt");
  await w.pending(a);
  await w.tracker.idle();
  assert.deepEqual(told, [a]);
  w.files.cells.delete(a);
  await shell(w.root, "sed -i 's/five/FIVE/' a.txt");
  w.tracker.touch(a);
  await w.tracker.idle();
  assert.deepEqual(told, [a]);
});

test("what the user's programs write under unsaved text before a turn is the user's", async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  const told: string[] = [];
  w.tracker.onDidHideWrite(file => told.push(file));
  w.files.type(a, `mine\n${LINES}`);
  writeFileSync(a, LINES.replace('four', 'FOUR'));
  w.tracker.touch(a);
  await w.tracker.idle();
  await w.start('1');
  w.tracker.touch(a);
  await w.tracker.idle();
  assert.deepEqual(told, []);
  w.files.giveUp(a);
  await w.tracker.idle();
  assert.deepEqual(w.review.pending, []);
});

test('a write under unsaved text is no longer of its turn when the file has been something else', async t => {
  const w = await world(t);
  const a = w.file('a.txt');
  const turn = await w.start('1');
  w.files.type(a, `mine\n${LINES}`);
  const written = LINES.replace('four', 'FOUR');
  await shell(w.root, `printf '${written.replaceAll('\n', String.raw`\n`)}' > a.txt`);
  w.tracker.touch(a);
  await w.tracker.idle();
  w.tracker.saved(a, await w.files.save(a));
  await w.tracker.idle();
  w.end(turn);
  await w.tracker.idle();
  writeFileSync(a, written);
  w.tracker.touch(a);
  await w.tracker.idle();
  assert.deepEqual(w.review.pending, []);
});
