import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { FileError } from '../../../src/session/ports';
import { AgentAtWork, git, repository, workspaceRoots, writeFiles } from '../agentAtWork';
import { closeAllEditors, open, temporaryFolder, until } from '../support';

const LINES = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`);
const TEXT = LINES.join('');
const CHANGED = TEXT.replace('line 2\n', 'LINE TWO\n').replace('line 11\n', '');
const SED = "sed -i -e 's/^line 2$/LINE TWO/' -e '/^line 11$/d'";

/** Makes a file say something in one step, as editors and agents do. */
const REPLACE =
  "const fs = require('fs'); const [file, text] = process.argv.slice(1); const at = fs.realpathSync(file); fs.writeFileSync(at + '.tmp', text); fs.renameSync(at + '.tmp', at);";

/** The three ways in which agents write. */
const WAYS: readonly (readonly [string, (agent: AgentAtWork, name: string) => Promise<void>])[] = [
  ['through the editor', (agent, name) => agent.writeThrough(name, CHANGED)],
  ['to disk', (agent, name) => agent.program(REPLACE, agent.file(name), CHANGED)],
  ['with a shell command', (agent, name) => agent.shell(`${SED} "$(realpath '${name}')"`)],
];

// Turns end before their changes are waited for: what no event of the file system told is found then.
describe('the review in a workspace of several folders', () => {
  const [alpha = '', beta = '', plain = ''] = ['alpha', 'beta', 'plain'].map(
    name => workspaceRoots().find(folder => path.basename(folder) === name) ?? '',
  );
  /** Names of files are relative to this. */
  const root = path.dirname(alpha);
  const outside = temporaryFolder();
  const storage = temporaryFolder();
  let agent: AgentAtWork;

  before(async () => {
    const files = { 'a.txt': TEXT, '.gitignore': 'ignored/\n*.log\n' };
    repository(path.join(outside.root, 'origin'), { 's.txt': TEXT });
    repository(alpha, files);
    git(alpha, ['submodule', '--quiet', 'add', path.join(outside.root, 'origin'), 'sub']);
    git(alpha, ['commit', '-q', '-m', 'a submodule']);
    repository(path.join(alpha, 'nested'), { 'n.txt': TEXT });
    repository(beta, { 'b.txt': TEXT, 'inner/b.txt': TEXT });
    writeFiles(plain, { 'p.txt': TEXT, 'dir/p.txt': TEXT });
    writeFiles(alpha, { 'ignored/x.txt': TEXT, 'run.log': TEXT, 'untracked.txt': TEXT });
    writeFiles(path.join(alpha, 'nested'), { 'untracked.txt': TEXT });
    writeFiles(outside.root, { 'o.txt': TEXT, 'dir/o.txt': TEXT });
    symlinkSync('a.txt', path.join(alpha, 'link.txt'));
    symlinkSync(path.join('..', 'plain', 'dir'), path.join(alpha, 'linked'));
    symlinkSync(path.join(outside.root, 'o.txt'), path.join(alpha, 'outside.txt'));
    symlinkSync(path.join(outside.root, 'dir'), path.join(alpha, 'outside'));
    agent = await AgentAtWork.open(root, storage.root, [alpha, beta, plain]);
  });

  afterEach(async () => {
    await agent.clear();
    await closeAllEditors();
  });

  after(() => {
    agent.dispose();
    storage.remove();
    outside.remove();
    for (const folder of [alpha, beta, plain]) {
      for (const name of readdirSync(folder)) {
        rmSync(path.join(folder, name), { recursive: true, force: true });
      }
    }
  });

  /** Files by what they are, the name that the agent uses, and their own. */
  const FILES: readonly (readonly [string, string, string?])[] = [
    ['a file of a repository', 'alpha/a.txt'],
    ['an untracked file', 'alpha/untracked.txt'],
    ['a file of another repository', 'beta/inner/b.txt'],
    ['a file of a folder without git', 'plain/p.txt'],
    ['a file of a submodule', 'alpha/sub/s.txt'],
    ['a file of a repository in the repository', 'alpha/nested/n.txt'],
    ['an untracked file of that', 'alpha/nested/untracked.txt'],
    ['a link to a file', 'alpha/link.txt', 'alpha/a.txt'],
    ['a file in a link to another folder', 'alpha/linked/p.txt', 'plain/dir/p.txt'],
  ];

  for (const [what, name, real = name] of FILES) {
    for (const [way, write] of WAYS) {
      it(`${what}, written ${way}`, async () => {
        await agent.start();
        await write(agent, name);
        agent.end();
        await agent.pending(real);
        await agent.hunks(real, 2);
        assert.equal(agent.review.get(agent.file(name))?.path, agent.file(real));
        await agent.endAndWait();
        assert.deepEqual(agent.names, [real]);

        await agent.undoHunk(name, 1);
        assert.equal(agent.read(real), TEXT.replace('line 2\n', 'LINE TWO\n'));
        await agent.undoAll();
        assert.equal(agent.read(real), TEXT);
        await agent.pending();
        assert.ok((await agent.review.redo()).decided > 0);
        assert.equal(agent.read(real), TEXT.replace('line 2\n', 'LINE TWO\n'));
        await agent.review.keep({ kind: 'file', path: agent.file(name) });
        await agent.pending();
        writeFileSync(agent.file(real), TEXT);
        await agent.tracking.flush();
      });
    }
  }

  for (const folder of [
    'alpha',
    'alpha/sub',
    'alpha/nested',
    'beta/inner',
    'plain',
    'alpha/linked',
  ]) {
    it(`a file that is created, and one that is deleted, in ${folder}`, async () => {
      const real = folder === 'alpha/linked' ? 'plain/dir' : folder;
      const [gone = ''] = readdirSync(agent.file(folder)).filter(name => /^\w\.txt$/.test(name));
      await agent.start();
      await agent.shell(`cd ${folder}; echo new > new.txt; rm ${gone}`);
      agent.end();
      await agent.pending(`${real}/${gone}`, `${real}/new.txt`);
      const change = (name: string) => {
        const pending = agent.review.get(agent.file(`${real}/${name}`));
        assert.equal(pending?.baselineUnknown, undefined);
        return pending?.change;
      };
      assert.equal(change(gone), 'deleted');
      assert.equal(change('new.txt'), 'created');
      await agent.undoAll();
      assert.equal(existsSync(agent.file(`${real}/new.txt`)), false);
      assert.equal(agent.read(`${real}/${gone}`), TEXT);
    });
  }

  it('a file that moves to another folder of the workspace is one renamed file', async () => {
    await agent.start();
    await agent.shell('mv beta/b.txt plain/moved.txt');
    agent.end();
    await agent.pending('plain/moved.txt');
    assert.equal(agent.review.pending[0]?.renamedFrom, agent.file('beta/b.txt'));
    await agent.undoAll();
    assert.equal(agent.read('beta/b.txt'), TEXT);
    assert.equal(existsSync(agent.file('plain/moved.txt')), false);
  });

  it('ignored files, and what git itself keeps, are not reviewed', async () => {
    await agent.start();
    await agent.writeThrough('alpha/ignored/x.txt', CHANGED);
    await agent.shell(`${SED} alpha/run.log; echo x > alpha/.git/x; echo x > alpha/nested/.git/x`);
    await agent.shell('echo more >> beta/b.txt');
    agent.end();
    await agent.pending('beta/b.txt');
    await agent.endAndWait();
    assert.deepEqual(agent.names, ['beta/b.txt']);
    await agent.undoAll();
    for (const name of ['alpha/ignored/x.txt', 'alpha/run.log'])
      writeFileSync(agent.file(name), TEXT);
  });

  it('files outside the workspace are refused to requests, and not reviewed', async () => {
    await agent.start();
    for (const name of ['alpha/outside.txt', 'alpha/outside/o.txt']) {
      await assert.rejects(
        agent.writeThrough(name, CHANGED),
        (error: unknown) => error instanceof FileError && error.reason === 'outsideWorkspace',
      );
    }
    const files = ['o.txt', 'dir/o.txt'].map(name => path.join(outside.root, name));
    await agent.shell(`${SED} ${files.join(' ')}; echo x >> alpha/a.txt`);
    agent.end();
    await agent.pending('alpha/a.txt');
    await agent.endAndWait();
    assert.deepEqual(agent.names, ['alpha/a.txt']);
    await agent.undoAll();
    for (const file of files) assert.equal(readFileSync(file, 'utf8'), CHANGED);
  });

  it('a read-only file is refused to requests; what a command did to it stays to be decided', async () => {
    chmodSync(agent.file('alpha/a.txt'), 0o444);
    await agent.start();
    await assert.rejects(
      agent.writeThrough('alpha/a.txt', CHANGED),
      (error: unknown) => error instanceof FileError && error.reason === 'readOnly',
    );
    assert.deepEqual(agent.names, []);
    await agent.shell(`chmod u+w alpha/a.txt; ${SED} alpha/a.txt; chmod u-w alpha/a.txt`);
    agent.end();
    await agent.pending('alpha/a.txt');
    const { decided, failures } = await agent.review.undo({ kind: 'all' });
    assert.equal(decided, 0);
    assert.match(failures[0]?.message ?? '', /read-only.*Make it writable/);
    await agent.pending('alpha/a.txt');
    chmodSync(agent.file('alpha/a.txt'), 0o644);
    await agent.undoAll();
    assert.equal(agent.read('alpha/a.txt'), TEXT);
  });

  it('one undo goes over all folders, and the open documents follow', async () => {
    const names = ['alpha/a.txt', 'alpha/sub/s.txt', 'beta/inner/b.txt', 'plain/p.txt'];
    const { document } = await open(agent.file('alpha/sub/s.txt'));
    await agent.start();
    await agent.shell(`${SED} ${names.join(' ')}`);
    agent.end();
    await agent.pending(...names);
    const says = (text: string) =>
      until(() => document.getText() === text, [vscode.workspace.onDidChangeTextDocument]);
    await says(CHANGED);
    await agent.undoAll();
    for (const name of names) assert.equal(agent.read(name), TEXT);
    await says(TEXT);
    assert.equal(document.isDirty, false);
  });

  it("a repository that the agent makes is the agent's, file by file", async () => {
    await agent.start();
    await agent.shell(
      `mkdir plain/clone; cd plain/clone; git init -q; echo x > x.txt; cd ../..; echo x >> plain/p.txt`,
    );
    agent.end();
    await agent.pending('plain/clone/x.txt', 'plain/p.txt');
    await agent.undoAll();
    assert.equal(existsSync(agent.file('plain/clone/x.txt')), false);
    rmSync(agent.file('plain/clone'), { recursive: true });
  });
});
