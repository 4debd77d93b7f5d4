import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Chat } from '../../src/session/chats';
import { Contents } from '../../src/session/translate/contents';
import { initialSession } from '../../src/session/state/initialSession';
import { SessionStore } from '../../src/session/state/store';
import { Emitter } from '../../src/base/event';
import { EditorUris } from '../../src/vscode/review/diff/editorUris';
import { ReviewLenses } from '../../src/vscode/review/codeLenses/reviewLenses';
import { ReviewMarks } from '../../src/vscode/review/reviewMarks';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { FileTracking } from '../../src/vscode/tracking/fileTracking';
import { closeAllEditors, logger, open, temporaryFolder, until } from './support';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** An agent that works with its own hands, as a process of its own. */
function shell(cwd: string, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-ec', command], { cwd, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(`${command}: ${code}`))));
  });
}

function git(cwd: string, ...args: string[]): void {
  const who = ['-c', 'user.name=User', '-c', 'user.email=user@example.com'];
  execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' });
}

for (const inGit of [false, true]) {
  describe(`tracking what agents change, ${inGit ? 'in a repository' : 'without git'}`, () => {
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const root = path.join(workspace, inGit ? 'tracked-git' : 'tracked-plain');
    const store = temporaryFolder();
    const file = (name: string) => path.join(root, name);
    const read = (name: string) => readFileSync(file(name), 'utf8');
    /** The document may still be the one of the test before, about to learn what is on disk now. */
    const openAsOnDisk = async (name: string) => {
      const editor = await open(file(name));
      await until(
        () => editor.document.getText() === read(name),
        [vscode.workspace.onDidChangeTextDocument],
      );
      return editor;
    };
    const texts = new VscodeTextFiles(logger);
    const added = new Emitter<Chat>();
    const gone = new Emitter<Chat>();
    let tracking: FileTracking;
    let chat: Chat;
    let turns = 0;

    /** A window's tracking, with one chat whose state is real and whose agent is the test. */
    const openWindow = async (): Promise<void> => {
      tracking = new FileTracking({
        folder: path.join(store.root, 'review'),
        own: [store.root],
        logger,
        processes: { children: () => new Set() },
        now: () => Date.now(),
      });
      const state = initialSession({ chatId: 'chat', agentName: 'Shell', cwd: root, at: 0 });
      const parts = { store: new SessionStore(state), controller: { contents: new Contents() } };
      chat = { chatId: 'chat', updatedAt: 0, ...parts } as unknown as Chat;
      const { event: onDidDelete } = gone;
      const chats = { all: [chat], onDidAdd: added.event, onDidDelete, onDidForget: onDidDelete };
      tracking.follow(chats);
      await tracking.ready;
    };
    const start = async (): Promise<string> => {
      const turnId = `turn-${++turns}`;
      const prompt = { id: turnId, text: 'go', attachments: [] };
      chat.store.dispatch({ type: 'turnStarted', turnId, prompt, at: Date.now() });
      await tracking.agents.promptReady('chat');
      return turnId;
    };
    const end = (): void =>
      chat.store.dispatch({
        type: 'turnEnded',
        end: { reason: 'end_turn' },
        planPartId: 'plan',
        at: Date.now(),
      });
    /** The user's doing: the checkpoint of the turn is closed. */
    const byUser = async (name: string, text: string): Promise<void> => {
      end();
      await tracking.idle();
      writeFileSync(file(name), text);
      await tracking.flush();
    };
    const pendingNames = (): string =>
      tracking.review.pending.map(({ path: found }) => path.relative(root, found)).join();
    const pending = async (...names: string[]): Promise<void> => {
      const wanted = [...names].sort().join();
      await until(() => pendingNames() === wanted, [tracking.review.onDidChange]).catch(() =>
        assert.equal(pendingNames(), wanted),
      );
      // The first event of a write may have come when half of it was done.
      for (const name of names) await tracking.isPending(file(name));
    };
    const hunks = (name: string, count: number): Promise<void> =>
      until(
        () => tracking.review.get(file(name))?.hunks.length === count,
        [tracking.review.onDidChange],
      );

    before(async () => {
      mkdirSync(root);
      writeFileSync(file('a.txt'), LINES);
      writeFileSync(file('b.txt'), 'b\n');
      writeFileSync(file('crlf.txt'), `\uFEFF${LINES.replaceAll('\n', '\r\n')}`);
      writeFileSync(file('latin.txt'), Buffer.from('caf\xe9\nzwei\ndrei\n', 'latin1'));
      symlinkSync('a.txt', file('link.txt'));
      if (inGit) {
        git(root, 'init', '-q');
        writeFileSync(file('.gitignore'), 'ignored/\n');
        git(root, 'add', '-A');
        git(root, 'commit', '-q', '-m', 'first');
      }
      await openWindow();
    });

    afterEach(async () => {
      end();
      await tracking.flush();
      await tracking.review.undo({ kind: 'all' });
      await tracking.review.keep({ kind: 'all' });
      await closeAllEditors();
      assert.equal(read('a.txt'), LINES);
    });

    after(() => {
      tracking.dispose();
      rmSync(root, { recursive: true, force: true });
      store.remove();
    });

    it('an undo takes away the folders that an agent made, and no other', async () => {
      const created = (pattern: string): Promise<void> =>
        new Promise(resolve => {
          const watcher = vscode.workspace.createFileSystemWatcher(pattern);
          watcher.onDidCreate(() => {
            watcher.dispose();
            resolve();
          });
        });
      const isThere = created('**/empty');
      mkdirSync(file('empty'));
      await isThere;
      await start();
      const touched = created('**/made/**');
      await shell(
        root,
        'mkdir -p made/deep && echo new > made/deep/a.txt && echo new > empty/a.txt',
      );
      await touched;
      await pending('made/deep/a.txt', 'empty/a.txt');
      await tracking.review.undo({ kind: 'all' });
      assert.deepEqual([existsSync(file('made')), existsSync(file('empty'))], [false, true]);
      await tracking.review.redo();
      assert.equal(read('made/deep/a.txt'), 'new\n');
      await until(
        () => tracking.review.get(file('made/deep/a.txt')) !== undefined,
        [tracking.review.onDidChange],
      );
    });

    it('a file that is opened through a link has lenses and a mark', async () => {
      const uris = new EditorUris();
      const lenses = new ReviewLenses(tracking.review, 'parley-baseline-link');
      const marks = new ReviewMarks(tracking.review, uris);
      try {
        await start();
        await shell(root, "sed -i 's/two/TWO/' a.txt");
        await pending('a.txt');
        const uri = vscode.Uri.file(file('link.txt'));
        const { document } = await openAsOnDisk('link.txt');
        const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          document.uri,
        );
        assert.deepEqual(
          found.map(({ command }) => command?.title),
          ['Keep', 'Undo', "Not the Agent's"],
        );
        assert.equal(marks.provideFileDecoration(uri)?.badge, 'P');
        await tracking.review.keep({ kind: 'all' });
        assert.equal(marks.provideFileDecoration(uri), undefined);
        await byUser('a.txt', LINES);
      } finally {
        for (const part of [marks, lenses, uris]) part.dispose();
      }
    });

    it("a shell's changes are found, in open files and others; keep and undo are exact", async () => {
      const { document } = await openAsOnDisk('a.txt');
      await start();
      await shell(
        root,
        "sed -i -e 's/two/TWO/' -e 's/six/SIX/' a.txt; sed -i 's/two/TWO/' crlf.txt; sed -i 's/zwei/ZWEI/' latin.txt; rm b.txt; echo n > new.txt",
      );
      await pending('a.txt', 'b.txt', 'crlf.txt', 'latin.txt', 'new.txt');
      await until(
        () => document.getText() === LINES.replace('two', 'TWO').replace('six', 'SIX'),
        [vscode.workspace.onDidChangeTextDocument],
      );
      const second = tracking.review.get(file('a.txt'))?.hunks[1];
      assert.ok(second);
      const target = { kind: 'hunk', path: file('a.txt'), hunkId: second.id } as const;
      assert.deepEqual(await tracking.review.undo(target), { decided: 1, failures: [] });
      assert.equal(read('a.txt'), LINES.replace('two', 'TWO'));
      assert.equal(document.isDirty, false);
      assert.deepEqual((await tracking.review.undo({ kind: 'all' })).failures, []);
      assert.equal(read('crlf.txt'), `\uFEFF${LINES.replaceAll('\n', '\r\n')}`);
      assert.equal(readFileSync(file('latin.txt')).toString('latin1'), 'caf\xe9\nzwei\ndrei\n');
      assert.equal(read('b.txt'), 'b\n');
      assert.equal(existsSync(file('new.txt')), false);
    });

    it("typing around a change is the user's, and stays unsaved when the change is undone", async () => {
      const editor = await openAsOnDisk('a.txt');
      await start();
      await shell(root, "sed -i 's/six/SIX/' a.txt");
      await hunks('a.txt', 1);
      await until(
        () => editor.document.getText().includes('SIX'),
        [vscode.workspace.onDidChangeTextDocument],
      );
      await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'mine\n'));
      await hunks('a.txt', 1);
      assert.deepEqual((await tracking.review.undo({ kind: 'all' })).failures, []);
      assert.equal(editor.document.getText(), `mine\n${LINES}`);
      assert.equal(editor.document.isDirty, true);
      assert.equal(read('a.txt'), LINES.replace('six', 'SIX'));
      // Back to what everybody began with.
      await editor.edit(edit => edit.delete(new vscode.Range(0, 0, 1, 0)));
      await editor.document.save();
      assert.equal(read('a.txt'), LINES);
    });

    it("a save with a formatter during the turn is not the agent's", async () => {
      const formatter = vscode.languages.registerDocumentFormattingEditProvider(
        { scheme: 'file', pattern: '**/a.txt' },
        {
          provideDocumentFormattingEdits: document => [
            vscode.TextEdit.insert(
              document.lineAt(document.lineCount - 1).range.end,
              'formatted\n',
            ),
          ],
        },
      );
      const config = vscode.workspace.getConfiguration('editor');
      await config.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
      try {
        const editor = await openAsOnDisk('a.txt');
        await start();
        await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'typed\n'));
        assert.ok(await editor.document.save());
        assert.equal(read('a.txt'), `typed\n${LINES}formatted\n`);
        await shell(root, 'echo x >> b.txt');
        await pending('b.txt');
        await tracking.flush();
        assert.equal(pendingNames(), 'b.txt');
      } finally {
        await config.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
        formatter.dispose();
        await byUser('a.txt', LINES);
      }
    });

    it("a write through the editor is known at once; the unsaved text was the user's", async () => {
      const editor = await openAsOnDisk('a.txt');
      await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'unsaved\n'));
      const turnId = await start();
      const turn = { chatId: 'chat', turnId };
      const content = `unsaved\n${LINES.replace('six', 'SIX')}`;
      await tracking.agents.record(turn, file('a.txt'), () =>
        texts.write(file('a.txt'), content, { roots: [root] }),
      );
      assert.equal(tracking.review.get(file('a.txt'))?.hunks.length, 1);
      assert.deepEqual(tracking.review.get(file('a.txt'))?.turns, [turn]);
      await tracking.review.undo({ kind: 'all' });
      assert.equal(read('a.txt'), `unsaved\n${LINES}`);
      await byUser('a.txt', LINES);
    });

    it('a change through a link is one of the file itself', async () => {
      await start();
      await shell(root, 'echo x >> link.txt');
      await pending('a.txt');
      assert.equal(tracking.review.get(file('link.txt'))?.path, file('a.txt'));
    });

    it('a read-only file stays pending and says what to do', async () => {
      await start();
      await shell(root, 'echo x >> b.txt; chmod 444 b.txt');
      await pending('b.txt');
      const outcome = await tracking.review.undo({ kind: 'all' });
      assert.equal(outcome.decided, 0);
      assert.match(outcome.failures[0]?.message ?? '', /read-only/);
      assert.equal(pendingNames(), 'b.txt');
      chmodSync(file('b.txt'), 0o644);
    });

    it("what the user deletes in the Explorer is not the agent's", async () => {
      writeFileSync(file('user.txt'), 'x\n');
      await tracking.flush();
      await start();
      const edit = new vscode.WorkspaceEdit();
      edit.deleteFile(vscode.Uri.file(file('user.txt')));
      await vscode.workspace.applyEdit(edit);
      await shell(root, 'echo x >> b.txt');
      await pending('b.txt');
      await tracking.flush();
      assert.equal(pendingNames(), 'b.txt');
    });

    it('what is pending survives the window', async () => {
      await start();
      await shell(root, "sed -i 's/six/SIX/' a.txt");
      await hunks('a.txt', 1);
      end();
      await tracking.flush();
      tracking.dispose();
      writeFileSync(file('a.txt'), `mine\n${read('a.txt')}`);
      await openWindow();
      assert.equal(pendingNames(), 'a.txt');
      assert.deepEqual((await tracking.review.undo({ kind: 'all' })).failures, []);
      assert.equal(read('a.txt'), `mine\n${LINES}`);
      await byUser('a.txt', LINES);
    });

    if (!inGit) return;

    it("ignored files are nobody's, and a commit keeps", async () => {
      await start();
      await shell(root, 'mkdir ignored; echo x > ignored/out.js; echo x >> b.txt');
      await pending('b.txt');
      git(root, 'commit', '-qam', 'kept');
      await pending();
    });
  });
}
