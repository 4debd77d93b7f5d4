import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { git, repositoryIn, writeFiles } from '../../git/support';
import { absent, shell, text, workspace } from './support';

const IN_GIT = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n', '.gitignore': 'out/\n' };

for (const inGit of [true, false]) {
  const where = inGit ? 'in a repository' : 'without git';
  const prepare = (root: string) => (inGit ? repositoryIn(root, IN_GIT) : writeFiles(root, IN_GIT));

  test(`${where}: a shell that changes, creates and deletes`, { timeout: 20_000 }, async t => {
    const w = await workspace(t, prepare);
    const turn = await w.start('1');
    await shell(w.root, 'echo more >> a.txt; echo new > new.txt; rm b.txt');
    const a = await w.changes.agentTouched(w.file('a.txt'));
    assert.deepEqual([a.before, a.after, a.turn], [text('a\n'), text('a\nmore\n'), turn]);
    const created = await w.changes.agentTouched(w.file('new.txt'));
    assert.deepEqual([created.before, created.after], [absent, text('new\n')]);
    const gone = await w.changes.agentTouched(w.file('b.txt'));
    assert.deepEqual([gone.before, gone.after], [text('b\n'), absent]);
  });

  test(`${where}: uncommitted and untracked text is the baseline`, { timeout: 20_000 }, async t => {
    const w = await workspace(t, root => {
      prepare(root);
      writeFiles(root, { 'a.txt': 'mine\n', 'mine.txt': 'my own\n' });
    });
    await w.start('1');
    await shell(w.root, 'echo x >> a.txt; echo x >> mine.txt');
    assert.deepEqual((await w.changes.agentTouched(w.file('a.txt'))).before, text('mine\n'));
    assert.deepEqual((await w.changes.agentTouched(w.file('mine.txt'))).before, text('my own\n'));
  });

  test(
    `${where}: what the user saves between turns is the baseline`,
    { timeout: 20_000 },
    async t => {
      const w = await workspace(t, prepare);
      w.end(await w.start('1'));
      w.files.type(w.file('a.txt'), 'typed\n');
      w.tracker.saved(w.file('a.txt'), await w.files.save(w.file('a.txt')));
      await w.start('2');
      await shell(w.root, 'echo x >> a.txt');
      const seen = await w.changes.agentTouched(w.file('a.txt'));
      assert.deepEqual([seen.before, seen.after], [text('typed\n'), text('typed\nx\n')]);
      assert.equal(w.changes.agents.length, 1);
    },
  );

  test(`${where}: a save during the turn is the user's`, { timeout: 20_000 }, async t => {
    const w = await workspace(t, prepare);
    await w.start('1');
    w.files.type(w.file('a.txt'), 'typed\n');
    w.tracker.saved(w.file('a.txt'), await w.files.save(w.file('a.txt')));
    await shell(w.root, 'echo x >> b.txt');
    await w.changes.agentTouched(w.file('b.txt'));
    await w.tracker.settled();
    assert.deepEqual(
      w.changes.agents.map(({ path }) => path),
      [w.file('b.txt')],
    );
  });

  test(`${where}: what changes once the checkpoint is closed is the user's`, async t => {
    const w = await workspace(t, prepare);
    w.files.stopWatching();
    const turn = await w.start('1');
    await shell(w.root, 'echo x >> a.txt');
    w.end(turn);
    await w.tracker.idle();
    writeFileSync(w.file('b.txt'), 'the user\n');
    w.tracker.touch(w.file('b.txt'));
    await w.tracker.settled();
    assert.deepEqual(
      w.changes.agents.map(seen => [seen.path, seen.turn]),
      [[w.file('a.txt'), turn]],
    );
  });

  test(`${where}: what no event told is found after the turn`, { timeout: 20_000 }, async t => {
    const w = await workspace(t, prepare);
    w.files.stopWatching();
    const turn = await w.start('1');
    await shell(w.root, 'echo x >> a.txt; rm b.txt; echo n > new.txt');
    w.end(turn);
    await w.tracker.idle();
    assert.deepEqual(
      w.changes.agents.map(({ path }) => path).sort(),
      ['a.txt', 'b.txt', 'new.txt'].map(w.file),
    );
  });

  test(`${where}: ignored files are nobody's`, { timeout: 20_000 }, async t => {
    const w = await workspace(t, prepare);
    await w.start('1');
    const output = inGit ? 'out' : 'dist';
    await shell(w.root, `mkdir -p ${output}; echo x > ${output}/built.js; echo x >> a.txt`);
    await w.changes.agentTouched(w.file('a.txt'));
    await w.tracker.settled();
    assert.deepEqual(
      w.changes.agents.map(({ path }) => path),
      [w.file('a.txt')],
    );
  });

  test(`${where}: a folder that goes, and one that moves in`, { timeout: 20_000 }, async t => {
    const w = await workspace(t, prepare);
    await w.start('1');
    await shell(w.root, 'mkdir -p new/deep; echo n > new/deep/n.txt; mv new moved; rm -r dir');
    assert.deepEqual((await w.changes.agentTouched(w.file('dir/c.txt'))).before, text('c\n'));
    const moved = await w.changes.agentTouched(w.file('moved/deep/n.txt'));
    assert.deepEqual([moved.before, moved.after], [absent, text('n\n')]);
  });
}

test('a write through the editor is known at once, unsaved text its baseline', async t => {
  const w = await workspace(t, root => repositoryIn(root, IN_GIT));
  const turn = await w.start('1');
  const file = w.file('a.txt');
  w.files.type(file, 'unsaved\n');
  await w.tracker.record(turn, file, async () => {
    w.files.type(file, 'unsaved\nagent\n');
    await w.files.save(file);
  });
  assert.deepEqual(w.changes.agents, [
    { path: file, turn, before: text('unsaved\n'), after: text('unsaved\nagent\n') },
  ]);
  await w.tracker.settled();
  assert.equal(w.changes.agents.length, 1, 'the event of the same write is nothing new');
});

/** Moments at which an agent may write to disk itself what it also writes through the editor. */
const MOMENTS = ['before', 'when it was looked at', 'meanwhile', 'not at all'] as const;
const PLACES: Readonly<Record<string, (root: string) => void>> = {
  committed: root => repositoryIn(root, IN_GIT),
  uncommitted: root => {
    repositoryIn(root, { ...IN_GIT, 'a.txt': 'old\n' });
    writeFiles(root, IN_GIT);
  },
  untracked: root => {
    repositoryIn(root, { 'b.txt': 'b\n' });
    writeFiles(root, { 'a.txt': 'a\n' });
  },
  'without git': root => writeFiles(root, IN_GIT),
};

for (const [place, prepare] of Object.entries(PLACES)) {
  for (const moment of MOMENTS) {
    for (const isTold of [false, true]) {
      const agent = isTold ? 'an agent that tells of its work' : 'an agent';
      test(`${place}: what ${agent} writes through the editor, and on disk itself ${moment}`, async t => {
        const w = await workspace(t, prepare);
        const turn = await w.start('1');
        if (isTold) w.tracker.commandBegan(turn, 'call');
        const file = w.file('a.txt');
        w.files.stopWatching();
        const byItself = (now: (typeof MOMENTS)[number]) => {
          if (now === moment) writeFileSync(file, 'agent\n');
        };
        const { changes } = w;
        const together = changes.together.bind(changes);
        changes.together = async task => {
          const result = await together(task);
          byItself('when it was looked at');
          return result;
        };
        byItself('before');
        await w.tracker.record(turn, file, async () => {
          byItself('meanwhile');
          writeFileSync(file, 'agent\n');
        });
        const [change] = changes.agents;
        const [before, after] = [text('a\n'), text('agent\n')];
        assert.deepEqual(change, { path: file, turn, before, after });
        assert.deepEqual(changes.users, []);
      });
    }
  }
}

test('of two chats: the one that named it, the one whose command runs, both', async t => {
  const w = await workspace(t, root => repositoryIn(root, IN_GIT));
  const one = await w.start('1', 'one', 'One');
  const two = await w.start('2', 'two', 'Two');
  w.tracker.named(one, [w.file('a.txt')]);
  await w.tracker.settled();
  await shell(w.root, 'echo x >> a.txt; echo x >> b.txt');
  const [a, b] = [w.file('a.txt'), w.file('b.txt')];
  const named = await w.changes.agentTouched(a);
  assert.deepEqual([named.turn, named.unclaimed], [one, undefined]);
  assert.deepEqual((await w.changes.agentTouched(b)).unclaimed, ['One', 'Two']);
  w.tracker.commandBegan(two, 'call');
  await shell(w.root, 'echo y >> b.txt');
  await w.changes.until(() => w.changes.agents.filter(({ path }) => path === b).length === 2);
  const worked = w.changes.agents.at(-1);
  assert.deepEqual([worked?.turn, worked?.unclaimed], [two, undefined]);
});

for (const [what, act] of [
  ['checkout', (root: string) => git(root, 'checkout', '-q', 'other')],
  ['reset', (root: string) => git(root, 'reset', '-q', '--hard', 'other')],
  ['merge', (root: string) => git(root, 'merge', '-q', 'other')],
] as const) {
  test(`${what} by the user during a turn is not the agent's`, { timeout: 20_000 }, async t => {
    const w = await workspace(t, root => {
      repositoryIn(root, IN_GIT);
      git(root, 'checkout', '-q', '-b', 'other');
      writeFiles(root, { 'a.txt': 'other\n', 'more.txt': 'more\n' });
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', 'other');
      git(root, 'checkout', '-q', 'main');
    });
    await w.start('1');
    act(w.root);
    await shell(w.root, 'echo x >> b.txt');
    await w.changes.agentTouched(w.file('b.txt'));
    await w.tracker.settled();
    assert.deepEqual(
      w.changes.agents.map(({ path }) => path),
      [w.file('b.txt')],
    );
  });
}

test('a stash takes back what is under review: the user did that', { timeout: 20_000 }, async t => {
  const w = await workspace(t, root => repositoryIn(root, IN_GIT));
  await w.start('1');
  await shell(w.root, 'echo x >> a.txt');
  await w.changes.agentTouched(w.file('a.txt'));
  git(w.root, 'stash', '-q');
  await w.changes.until(() => w.changes.users.length > 0);
  assert.deepEqual(w.changes.users, [{ path: w.file('a.txt'), current: text('a\n') }]);
  assert.equal(w.changes.agents.length, 1);
});

test('a commit tells what is in it', { timeout: 20_000 }, async t => {
  const w = await workspace(t, root => repositoryIn(root, IN_GIT));
  await w.start('1');
  await shell(w.root, 'echo x >> a.txt');
  await w.changes.agentTouched(w.file('a.txt'));
  git(w.root, 'commit', '-q', '-am', 'kept');
  await w.changes.until(() =>
    w.changes.committed.some(
      ({ content }) => content?.kind === 'text' && content.text === 'a\nx\n',
    ),
  );
});

test(
  'what was changed before it was named is not its own baseline',
  { timeout: 20_000 },
  async t => {
    const w = await workspace(t, root => repositoryIn(root, IN_GIT));
    const turn = await w.start('1');
    await shell(w.root, 'echo x >> a.txt');
    w.tracker.named(turn, [w.file('a.txt')]);
    w.tracker.touch(w.file('a.txt'));
    assert.deepEqual((await w.changes.agentTouched(w.file('a.txt'))).before, text('a\n'));
  },
);

test(
  'a file kept out of the first look has the text that its diff tells',
  { timeout: 20_000 },
  async t => {
    const w = await workspace(t, root => writeFiles(root, { 'a.txt': 'one\ntwo\n' }));
    w.tracker.known.setUnread(w.file('a.txt'));
    const turn = await w.start('1');
    writeFileSync(w.file('a.txt'), 'one\nTWO\n');
    w.tracker.diffed(turn, w.file('a.txt'), { oldText: 'two', newText: 'TWO' });
    assert.deepEqual((await w.changes.agentTouched(w.file('a.txt'))).before, text('one\ntwo\n'));
  },
);

for (const ended of ['other', 'own']) {
  test(
    `what a diff tells is known also when the ${ended} turn ends before the file is looked at`,
    { timeout: 20_000 },
    async t => {
      const w = await workspace(t, root => writeFiles(root, { 'a.txt': 'one\ntwo\n' }));
      w.files.stopWatching();
      w.tracker.known.setUnread(w.file('a.txt'));
      const own = await w.start('1');
      const other = await w.start('2', 'other chat');
      writeFileSync(w.file('a.txt'), 'one\nTWO\n');
      w.tracker.diffed(own, w.file('a.txt'), { oldText: 'two', newText: 'TWO' });
      await w.tracker.exclusively(() => Promise.resolve());
      w.end(ended === 'own' ? own : other);
      w.tracker.touch(w.file('a.txt'));
      const { before, turn } = await w.changes.agentTouched(w.file('a.txt'));
      assert.deepEqual([before, turn], [text('one\ntwo\n'), own]);
    },
  );
}

test('what nobody knows is not made up', { timeout: 20_000 }, async t => {
  const w = await workspace(t, root => writeFiles(root, { 'a.txt': 'one\ntwo\n' }));
  w.tracker.known.setUnread(w.file('a.txt'));
  await w.start('1');
  writeFileSync(w.file('a.txt'), 'other\n');
  assert.equal((await w.changes.agentTouched(w.file('a.txt'))).before, undefined);
  rmSync(w.file('a.txt'));
});

test('however many files the calls of a turn name and change, git is asked a few times', async t => {
  const names = Array.from({ length: 60 }, (_, index) => `${index}.txt`);
  const w = await workspace(t, root =>
    repositoryIn(root, Object.fromEntries(names.map(name => [name, 'one\n']))),
  );
  const turn = await w.start('1');
  const before = w.gitRuns.length;
  for (const name of names) {
    const file = w.file(name);
    // As agents tell an edit: that it begins, what it changes, and that it is done.
    w.tracker.named(turn, [file]);
    w.tracker.diffed(turn, file, { oldText: 'one', newText: 'ONE' });
    writeFileSync(file, 'ONE\n');
    w.tracker.named(turn, [file]);
    w.tracker.touch(file);
  }
  for (const name of names) {
    const { before: was } = await w.changes.agentTouched(w.file(name));
    assert.deepEqual(was, { kind: 'text', text: 'one\n' }, name);
  }
  const runs = w.gitRuns.slice(before);
  assert.ok(runs.length <= 12, `${runs.length} runs:\n${runs.join('\n')}`);
});
