import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { BaselineDocuments } from '../../src/vscode/review/diff/baselineDocuments';
import { EditorUris } from '../../src/vscode/review/diff/editorUris';
import { ReviewCodeActions } from '../../src/vscode/review/reviewCodeActions';
import { ReviewDecisions } from '../../src/vscode/review/reviewDecisions';
import { ReviewDecorations } from '../../src/vscode/review/decorations/reviewDecorations';
import { ReviewEditors } from '../../src/vscode/review/reviewEditors';
import { ReviewLenses } from '../../src/vscode/review/codeLenses/reviewLenses';
import { ReviewMarks } from '../../src/vscode/review/reviewMarks';
import { ReviewNavigation } from '../../src/vscode/review/reviewNavigation';
import { baselineUri, goneUri, noteUri } from '../../src/vscode/review/diff/reviewUris';
import { VscodeTextFiles } from '../../src/vscode/files/vscodeTextFiles';
import { MemoryReview } from './memoryReview';
import { allTabs, closeAllEditors, logger, open, temporaryFolder, until } from './support';

/** The extension under test has its own; a second registration in one host is refused. */
const SCHEME = 'parley-baseline-test';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
/** Two replaced by zwei and drei, four and five removed, a line added at the end. */
const AFTER = 'one\nzwei\ndrei\nthree\nsix\nseven\neight\n';

describe('the review in the editor', () => {
  const { root, remove } = temporaryFolder();
  const a = path.join(root, 'a.ts');
  const b = path.join(root, 'b.ts');
  const review = new MemoryReview();
  const files = new VscodeTextFiles(logger);
  const uris = new EditorUris();
  const ready = () => Promise.resolve();
  const documents = new BaselineDocuments(review, ready, file => files.peek(file), SCHEME);
  const lenses = new ReviewLenses(review, SCHEME);
  const editors = new ReviewEditors(review, uris, SCHEME);
  const decisions = new ReviewDecisions(review);
  const navigation = new ReviewNavigation(review, editors, uris, SCHEME);
  const marks = new ReviewMarks(review, uris);
  const decorations = new ReviewDecorations(review);
  const codeActions = new ReviewCodeActions(review);

  const edited = (file: string, before = BEFORE, after = AFTER): void => {
    writeFileSync(file, after);
    review.agentChanged(file, before);
  };
  const lensesOf = async (uri: vscode.Uri): Promise<readonly vscode.CodeLens[]> => {
    await vscode.workspace.openTextDocument(uri);
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    return found.filter(({ command }) => /^parley\.(keep|undo)/.test(command?.command ?? ''));
  };
  const titles = async (uri: vscode.Uri): Promise<readonly unknown[]> =>
    (await lensesOf(uri)).map(({ range, command }) => [range.start.line, command?.title]);
  const diffTab = (): vscode.TabInputTextDiff | undefined =>
    allTabs()
      .map(tab => tab.input)
      .find(
        (input): input is vscode.TabInputTextDiff =>
          input instanceof vscode.TabInputTextDiff && input.original.scheme === SCHEME,
      );
  const multiTabs = (): readonly vscode.Tab[] =>
    allTabs().filter(({ label }) => label.startsWith('Review Agent Changes'));
  const caret = (line: number): void => {
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new vscode.Selection(line, 0, line, 0);
  };
  const line = (): number | undefined => vscode.window.activeTextEditor?.selection.active.line;
  const name = (): string | undefined =>
    path.basename(vscode.window.activeTextEditor?.document.fileName ?? '');

  afterEach(async () => {
    await closeAllEditors();
    review.clear();
  });
  after(() => {
    for (const part of [
      codeActions,
      decorations,
      marks,
      decisions,
      editors,
      lenses,
      documents,
      uris,
    ])
      part.dispose();
    remove();
  });

  describe('lenses', () => {
    it('stand above each hunk, with a count where only lines are missing', async () => {
      edited(a);
      assert.deepEqual(await titles(vscode.Uri.file(a)), [
        [1, 'Keep'],
        [1, 'Undo'],
        [4, 'Keep (−2 lines)'],
        [4, 'Undo'],
        [6, 'Keep'],
        [6, 'Undo'],
      ]);
    });

    it('name their hunk by its id, and go with it', async () => {
      edited(a);
      const [, , keep] = await lensesOf(vscode.Uri.file(a));
      const hunk = review.get(a)?.hunks[1];
      assert.deepEqual(keep?.command?.arguments, [vscode.Uri.file(a).toString(), hunk?.id]);
      await decisions.keep({ kind: 'hunk', path: a, hunkId: hunk?.id ?? '' });
      assert.deepEqual(await titles(vscode.Uri.file(a)), [
        [1, 'Keep'],
        [1, 'Undo'],
        [6, 'Keep'],
        [6, 'Undo'],
      ]);
    });

    it('say which of the changes of the file it is', async () => {
      edited(a);
      await vscode.workspace.openTextDocument(vscode.Uri.file(a));
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        vscode.Uri.file(a),
      );
      const counts = found.flatMap(({ command }) =>
        command?.command === 'parley.nextChange' ? [command.title] : [],
      );
      assert.deepEqual(counts, ['1 of 3', '2 of 3', '3 of 3']);
    });

    it('stay inside a file that lost its last lines', async () => {
      edited(a, 'one\ntwo\n', 'one');
      const found = await lensesOf(vscode.Uri.file(a));
      assert.ok(found.length > 0);
      assert.ok(found.every(({ range }) => range.start.line === 0));
    });

    it('are not on the baseline side', async () => {
      edited(a);
      await editors.open(review.get(a) ?? assert.fail());
      assert.deepEqual(await titles(baselineUri({ path: a }, SCHEME)), []);
    });

    it('stand once at the top of what has no lines to decide on', async () => {
      edited(a, '\0old', '\0new');
      await editors.openAll();
      assert.deepEqual(await titles(noteUri(a, 'is', SCHEME)), [
        [0, 'Keep'],
        [0, 'Undo'],
      ]);
      assert.deepEqual(await titles(noteUri(a, 'was', SCHEME)), []);
      const [is, was] = await Promise.all(
        (['is', 'was'] as const).map(async side =>
          (await vscode.workspace.openTextDocument(noteUri(a, side, SCHEME))).getText(),
        ),
      );
      assert.match(is ?? '', /this is not text[^]+4 bytes/);
      assert.notEqual(is, was);
    });

    it('are on a new file with nothing in it', async () => {
      writeFileSync(b, '');
      review.agentChanged(b, null);
      assert.deepEqual(await titles(vscode.Uri.file(b)), [
        [0, 'Keep file'],
        [0, 'Delete file'],
      ]);
    });

    it('keep the deletion or restore the file, on an empty document in its place', async () => {
      writeFileSync(a, BEFORE);
      rmSync(a);
      review.agentChanged(a, BEFORE);
      await editors.open(review.get(a) ?? assert.fail());
      assert.equal(diffTab()?.modified.toString(), goneUri(a, SCHEME).toString());
      assert.deepEqual(await titles(goneUri(a, SCHEME)), [
        [0, 'Keep deletion'],
        [0, 'Restore file'],
      ]);
    });
  });

  describe('a diff of one file', () => {
    it('compares the baseline, read-only, with the file itself', async () => {
      edited(a);
      await editors.open(review.get(a) ?? assert.fail());
      assert.equal(diffTab()?.modified.toString(), vscode.Uri.file(a).toString());
      const baseline = await vscode.workspace.openTextDocument(baselineUri({ path: a }, SCHEME));
      assert.equal(baseline.getText(), BEFORE);
      assert.equal(baseline.languageId, 'typescript');
      assert.equal(vscode.workspace.fs.isWritableFileSystem(SCHEME), false);
    });

    it('follows what is kept, and goes when nothing is left to decide', async () => {
      edited(a);
      await editors.open(review.get(a) ?? assert.fail());
      const baseline = await vscode.workspace.openTextDocument(baselineUri({ path: a }, SCHEME));
      const [first] = review.get(a)?.hunks ?? [];
      const redrawn = until(
        () => baseline.getText() === BEFORE.replace('two', 'zwei\ndrei'),
        [vscode.workspace.onDidChangeTextDocument],
      );
      await decisions.keep({ kind: 'hunk', path: a, hunkId: first?.id ?? '' });
      await redrawn;
      assert.ok(diffTab());
      await decisions.keep({ kind: 'file', path: a });
      await until(() => diffTab() === undefined, [vscode.window.tabGroups.onDidChangeTabs]);
    });

    it('stays when its file has unsaved text, without asking anything', async () => {
      edited(a);
      await editors.open(review.get(a) ?? assert.fail());
      await until(
        () => vscode.window.activeTextEditor?.document.uri.fsPath === a,
        [vscode.window.onDidChangeActiveTextEditor],
      );
      await vscode.window.activeTextEditor?.edit(edit =>
        edit.insert(new vscode.Position(0, 0), '// mine\n'),
      );
      await decisions.keep({ kind: 'file', path: a });
      assert.ok(diffTab());
    });

    it('serves names and texts outside ASCII whatever files.encoding says', async () => {
      const config = vscode.workspace.getConfiguration('files');
      await config.update('encoding', 'iso88591', vscode.ConfigurationTarget.Global);
      try {
        const file = path.join(root, 'Grüße 100%.txt');
        edited(file, 'grün 🙂\n', 'rot\n');
        const uri = baselineUri({ path: file }, SCHEME);
        assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), 'grün 🙂\n');
      } finally {
        await config.update('encoding', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('shows a renamed file under its old name on the left', () => {
      const uri = baselineUri({ path: a, renamedFrom: path.join(root, 'old.ts') }, SCHEME);
      assert.equal(path.basename(uri.path), 'old.ts');
    });
  });

  describe('the diff of everything', () => {
    it('opens once, and is made again in place of the old one', async () => {
      edited(a);
      edited(b);
      await editors.openAll();
      await until(() => editors.isAllActive, [vscode.window.tabGroups.onDidChangeTabs]);
      assert.equal(multiTabs()[0]?.label, 'Review Agent Changes (2 files)');
      await vscode.commands.executeCommand('workbench.action.keepEditor');
      await decisions.keep({ kind: 'file', path: a });
      await editors.refreshAll();
      await until(
        () => multiTabs().length === 1 && multiTabs()[0]?.label === 'Review Agent Changes (1 file)',
        [vscode.window.tabGroups.onDidChangeTabs],
      );
    });

    it('closes when nothing is pending', async () => {
      edited(a);
      edited(b);
      await editors.openAll();
      await until(() => editors.isAllActive, [vscode.window.tabGroups.onDidChangeTabs]);
      await decisions.keep({ kind: 'all' });
      await until(() => multiTabs().length === 0, [vscode.window.tabGroups.onDidChangeTabs]);
    });

    it('is left alone while an agent works on and another editor is in front', async () => {
      edited(a);
      await editors.openAll();
      await until(() => editors.isAllActive, [vscode.window.tabGroups.onDidChangeTabs]);
      await vscode.commands.executeCommand('workbench.action.keepEditor');
      await open(b);
      edited(b);
      await editors.refreshAll();
      assert.equal(name(), 'b.ts');
      assert.equal(multiTabs()[0]?.label, 'Review Agent Changes (1 file)');
    });
  });

  describe('the way through the changes', () => {
    it('goes through hunks and files, and around', async () => {
      edited(a);
      edited(b);
      await open(a);
      caret(0);
      const seen: unknown[] = [];
      for (let step = 0; step < 7; step++) {
        await navigation.go(1);
        seen.push(`${name()}:${line()}`);
      }
      assert.deepEqual(seen, [
        'a.ts:1',
        'a.ts:4',
        'a.ts:6',
        'b.ts:1',
        'b.ts:4',
        'b.ts:6',
        'a.ts:1',
      ]);
      await navigation.go(-1);
      assert.equal(`${name()}:${line()}`, 'b.ts:6');
    });

    it('is at the change also in a file that VS Code reads anew as it shows it', async () => {
      const c = path.join(root, 'c.ts');
      writeFileSync(c, '');
      await vscode.workspace.openTextDocument(vscode.Uri.file(c));
      edited(a);
      edited(c);
      await open(a);
      caret(6);
      await navigation.go(1);
      assert.equal(`${name()}:${line()}`, 'c.ts:1');
    });

    it('opens a diff when no file is in front', async () => {
      edited(b);
      await navigation.go(1);
      assert.equal(diffTab()?.modified.toString(), vscode.Uri.file(b).toString());
      await until(
        () => line() === 1,
        [vscode.window.onDidChangeTextEditorSelection, vscode.window.onDidChangeActiveTextEditor],
      );
    });

    it('goes on in normal editors behind a file that has none', async () => {
      const c = path.join(root, 'c.ts');
      edited(a);
      rmSync(b);
      review.agentChanged(b, BEFORE);
      edited(c);
      await open(a);
      caret(6);
      await navigation.go(1);
      assert.ok(diffTab(), 'what was deleted is shown in a diff');
      await navigation.go(1);
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof vscode.TabInputText, 'the next file in a normal editor');
      assert.equal(`${name()}:${line()}`, 'c.ts:1');
      await editors.open(review.get(a) ?? assert.fail(), 6);
      await navigation.go(1);
      await navigation.go(1);
      assert.ok(
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff,
        'who is in a diff stays in diffs',
      );
    });

    it('goes on to the next change when one is decided, also in another file', async () => {
      edited(a);
      edited(b);
      await open(a);
      caret(4);
      const decide = async (decision: 'keep' | 'undo'): Promise<string> => {
        await navigation.goOn(async () => {
          const { file, hunk } = navigation.atCaret() ?? assert.fail();
          await decisions[decision]({ kind: 'hunk', path: file.path, hunkId: hunk.id });
        });
        return `${name()}:${line()}`;
      };
      assert.equal(await decide('undo'), 'a.ts:8');
      assert.equal(await decide('keep'), 'b.ts:1');
      assert.equal(review.get(a)?.hunks.length, 1);
    });

    it('finds the hunk at the caret, also where lines are missing', async () => {
      edited(a);
      await open(a);
      const at = (where: number): unknown => {
        caret(where);
        return navigation.atCaret()?.hunk.current.start;
      };
      assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(at), [undefined, 1, 1, 4, 4, undefined, 6]);
    });

    it('maps a caret in the baseline half', async () => {
      edited(a);
      await vscode.window.showTextDocument(baselineUri({ path: a }, SCHEME));
      caret(4);
      assert.equal(navigation.atCaret()?.hunk.current.start, 4);
      caret(1);
      assert.equal(navigation.atCaret()?.hunk.current.start, 1);
    });
  });

  describe('decisions', () => {
    it('undo a hunk and bring it back', async () => {
      edited(a);
      const [, second] = review.get(a)?.hunks ?? [];
      await decisions.undo({ kind: 'hunk', path: a, hunkId: second?.id ?? '' });
      assert.equal(
        readFileSync(a, 'utf8'),
        'one\nzwei\ndrei\nthree\nfour\nfive\nsix\nseven\neight\n',
      );
      await decisions.redo();
      assert.equal(readFileSync(a, 'utf8'), AFTER);
      assert.equal(review.get(a)?.hunks.length, 3);
    });

    it('ignore a hunk that was just decided', async () => {
      edited(a);
      await decisions.undo({ kind: 'hunk', path: a, hunkId: 'gone' });
      assert.equal(readFileSync(a, 'utf8'), AFTER);
    });
  });

  it('offers code actions only when asked to', async () => {
    edited(a);
    await open(a);
    const actions = async (where: number): Promise<readonly string[]> => {
      const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        vscode.Uri.file(a),
        new vscode.Range(where, 0, where, 0),
      );
      return found.map(({ title }) => title).filter(title => title.includes("agent's change"));
    };
    assert.deepEqual(await actions(1), []);
    const config = vscode.workspace.getConfiguration('parley');
    await config.update('review.codeActions', true, vscode.ConfigurationTarget.Global);
    try {
      assert.deepEqual(await actions(1), ["Keep the agent's change", "Undo the agent's change"]);
      assert.deepEqual(await actions(0), []);
    } finally {
      await config.update('review.codeActions', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('marks pending files, and says when a mark comes or goes', () => {
    const told: string[] = [];
    const listener = marks.onDidChangeFileDecorations(changed =>
      told.push(...changed.map(uri => path.basename(uri.path))),
    );
    edited(a);
    const mark = marks.provideFileDecoration(vscode.Uri.file(a));
    assert.equal(mark?.badge, 'P');
    assert.equal(mark.tooltip, '3 changes of an agent to review');
    assert.equal(marks.provideFileDecoration(vscode.Uri.file(b)), undefined);
    assert.equal(marks.provideFileDecoration(vscode.Uri.file(root)), undefined);
    review.clear();
    assert.equal(marks.provideFileDecoration(vscode.Uri.file(a)), undefined);
    assert.deepEqual(told, ['a.ts', 'a.ts']);
    listener.dispose();
  });

  it('knows files of a linked folder by the path the editor has', () => {
    mkdirSync(path.join(root, 'sub'), { recursive: true });
    const other = path.join(root, 'sub', 'x.ts');
    assert.equal(uris.uri(other).fsPath, other);
  });
});
