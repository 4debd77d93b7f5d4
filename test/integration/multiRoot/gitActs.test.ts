import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { AgentAtWork, git, repository, workspaceRoots, writeFiles } from '../agentAtWork';
import { closeAllEditors, temporaryFolder } from '../support';

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`);
const TEXT = LINES.join('');
/** What the agent makes of it: two hunks, far from each other. */
const changed = (text: string): string =>
  text.replace('line 2\n', 'LINE TWO\n').replace('line 18\n', 'LINE EIGHTEEN\n');
const EDIT = "sed -i -e 's/^line 2$/LINE TWO/' -e 's/^line 18$/LINE EIGHTEEN/'";

const FILES = { 'a.txt': TEXT, 'b.txt': TEXT, 'c.txt': 'c\n', '.gitignore': 'out/\n' };

describe('what the user does with git', () => {
  const root = workspaceRoots().find(folder => path.basename(folder) === 'beta') ?? '';
  const run = (...args: string[]): string => git(root, args);
  const head = (name: string): string => run('show', `HEAD:${name}`);
  let storage: ReturnType<typeof temporaryFolder>;
  let agent: AgentAtWork;

  const empty = (): void => {
    for (const name of readdirSync(root)) rmSync(path.join(root, name), { recursive: true });
  };

  beforeEach(async () => {
    storage = temporaryFolder();
    repository(root, FILES);
    agent = await AgentAtWork.open(root, storage.root);
  });

  afterEach(async () => {
    agent.end();
    await agent.tracking.flush();
    agent.dispose();
    await closeAllEditors();
    storage.remove();
    empty();
  });

  /**
   * A turn in which the agent changes `names`, two hunks each: with a command, and it is over, or through the
   * editor, and it still runs.
   */
  const work = async (names: readonly string[], over: boolean): Promise<void> => {
    await agent.start();
    if (over) {
      await agent.shell(`${EDIT} ${names.join(' ')}`);
      await agent.endAndWait();
    } else for (const name of names) await agent.writeThrough(name, changed(agent.read(name)));
    await agent.pending(...names);
  };

  for (const over of [true, false]) {
    describe(over ? 'between turns' : 'while a turn runs', () => {
      it('a commit keeps what it holds, and nothing else', async () => {
        await work(['a.txt', 'b.txt'], over);
        run('commit', '-q', '-m', 'a only', 'a.txt');
        await agent.pending('b.txt');
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), changed(TEXT));
        assert.equal(agent.read('b.txt'), TEXT);
      });

      it('a commit of one hunk keeps that one', async () => {
        await work(['a.txt'], over);
        git(root, ['add', '-p', 'a.txt'], 'y\nn\n');
        await agent.pending('a.txt');
        run('commit', '-q', '-m', 'the first hunk');
        await agent.hunks('a.txt', 1);
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), TEXT.replace('line 2\n', 'LINE TWO\n'));
        assert.equal(agent.read('a.txt'), head('a.txt'));
      });

      it('an amended commit keeps', async () => {
        await work(['a.txt'], over);
        run('commit', '-q', '-a', '--amend', '--no-edit');
        await agent.pending();
        assert.equal(agent.read('a.txt'), changed(TEXT));
      });

      it('staging decides nothing, nor does a commit of other files', async () => {
        await work(['a.txt'], over);
        writeFiles(root, { 'c.txt': 'mine\n' });
        run('add', 'a.txt');
        run('commit', '-q', '-m', 'other', 'c.txt');
        await agent.tracking.flush();
        await agent.hunks('a.txt', 2);
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), TEXT);
      });

      it('a restored file has nothing to decide; others stay', async () => {
        await work(['a.txt', 'b.txt'], over);
        run('restore', 'a.txt');
        await agent.pending('b.txt');
        await agent.undoAll();
        assert.equal(agent.read('b.txt'), TEXT);
      });

      it('a hard reset leaves nothing to decide', async () => {
        await work(['a.txt', 'b.txt'], over);
        run('reset', '-q', '--hard');
        await agent.pending();
        assert.equal(agent.read('a.txt'), TEXT);
      });

      it('a new branch carries along what is pending', async () => {
        await work(['a.txt'], over);
        run('checkout', '-q', '-b', 'other');
        await agent.pending('a.txt');
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), TEXT);
      });

      it("what other commits bring is nobody's", async () => {
        run('checkout', '-q', '-b', 'other');
        writeFiles(root, { 'b.txt': `other\n${TEXT}`, 'new.txt': 'new\n' });
        run('rm', '-q', 'c.txt');
        run('add', '-A');
        run('commit', '-q', '-m', 'other');
        run('checkout', '-q', 'main');
        await agent.tracking.flush();
        await work(['a.txt'], over);
        run('checkout', '-q', 'other');
        await agent.pending('a.txt');
        run('checkout', '-q', 'main');
        await agent.pending('a.txt');
        run('merge', '-q', '--no-ff', '--no-edit', 'other');
        await agent.pending('a.txt');
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), TEXT);
        assert.equal(agent.read('b.txt'), `other\n${TEXT}`);
      });

      it('a stash takes away what is pending, and its pop brings it back to be decided', async () => {
        await work(['a.txt'], over);
        run('stash', '-q');
        await agent.pending();
        assert.equal(agent.read('a.txt'), TEXT);
        run('stash', 'pop', '-q');
        await agent.pending('a.txt');
        await agent.hunks('a.txt', 2);
        await agent.undoHunk('a.txt', 1);
        assert.equal(agent.read('a.txt'), TEXT.replace('line 2\n', 'LINE TWO\n'));
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), TEXT);
      });

      it("a stash of the user's own is the user's", async () => {
        writeFiles(root, { 'b.txt': `mine\n${TEXT}`, 'mine.txt': 'mine\n' });
        run('stash', '-q', '-u');
        await agent.tracking.flush();
        await work(['a.txt'], over);
        run('stash', 'pop', '-q');
        await agent.pending('a.txt');
        run('stash', '-q', '-u', '--', 'b.txt', 'mine.txt');
        await agent.pending('a.txt');
        run('stash', 'apply', '-q');
        await agent.pending('a.txt');
        await agent.undoAll();
        assert.equal(agent.read('b.txt'), `mine\n${TEXT}`);
      });

      it("a rebase keeps what was committed, and nobody's is what it brings", async () => {
        writeFiles(root, { 'c.txt': 'upstream\n' });
        run('checkout', '-q', '-b', 'upstream');
        run('commit', '-q', '-a', '-m', 'upstream');
        run('checkout', '-q', 'main');
        await agent.tracking.flush();
        await work(['a.txt', 'b.txt'], over);
        run('commit', '-q', '-m', "the agent's", 'a.txt');
        await agent.pending('b.txt');
        run('rebase', '-q', '--autostash', 'upstream');
        // The stash that the rebase makes is popped when it is over.
        await agent.pending('b.txt');
        assert.equal(agent.read('c.txt'), 'upstream\n');
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), changed(TEXT));
        assert.equal(agent.read('b.txt'), TEXT);
      });

      it("text of the user's that was not committed comes back with an undo", async () => {
        writeFiles(root, { 'a.txt': `mine\n${TEXT}` });
        agent.dispose();
        agent = await AgentAtWork.open(root, storage.root);
        await agent.start();
        // The agent takes it away: the file is as in the last commit again.
        await agent.shell('sed -i 1d a.txt');
        await agent.pending('a.txt');
        if (over) await agent.endAndWait();
        run('update-index', '--chmod=+x', 'c.txt');
        await agent.pending('a.txt');
        await agent.undoAll();
        assert.equal(agent.read('a.txt'), `mine\n${TEXT}`);
      });
    });
  }

  it('what the agent commits itself stays to be decided', async () => {
    await agent.start();
    await agent.shell(
      `${EDIT} a.txt b.txt; git -c user.name=A -c user.email=a@example.com commit -qm done a.txt`,
    );
    await agent.pending('a.txt', 'b.txt');
    await agent.undoAll();
    assert.equal(agent.read('a.txt'), TEXT);
    assert.equal(head('a.txt'), changed(TEXT));
  });

  it('what nothing says the agent changed is so until the user says it is not', async () => {
    await agent.start();
    await agent.quietly(`${EDIT} a.txt b.txt`);
    await agent.pending('a.txt', 'b.txt');
    assert.deepEqual(agent.review.get(agent.file('a.txt'))?.unclaimed, ['Shell']);
    await agent.review.notTheAgents([agent.file('a.txt')]);
    await agent.pending('b.txt');
    await agent.review.notTheAgents();
    await agent.pending();
    assert.equal(agent.read('a.txt'), changed(TEXT));
  });

  it('a commit while no window is open keeps, too', async () => {
    await work(['a.txt', 'b.txt'], true);
    await agent.tracking.flush();
    agent.dispose();
    git(root, ['add', '-p', 'a.txt'], 'y\nn\n');
    run('add', 'b.txt');
    run('commit', '-q', '-m', 'elsewhere');
    agent = await AgentAtWork.open(root, storage.root);
    await agent.pending('a.txt');
    await agent.hunks('a.txt', 1);
    await agent.undoAll();
    assert.equal(agent.read('a.txt'), head('a.txt'));
  });
});
