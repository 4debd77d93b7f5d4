import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { initialSession } from '../../src/session/state/initialSession';
import { ContextAttachments } from '../../src/vscode/context/contextAttachments';
import { problemsText } from '../../src/vscode/context/problemsContext';
import { temporaryFolder, until } from './support';

const CHAT = initialSession({ chatId: 'c', agentName: 'Ada', cwd: '/', at: 0 });

describe('problems as context', () => {
  const { root, remove } = temporaryFolder();
  const here = vscode.Uri.file(path.join(root, 'here.txt'));
  const there = vscode.Uri.file(path.join(root, 'there.txt'));
  const found = vscode.languages.createDiagnosticCollection('problems test');
  let count = 0;
  const attachments = new ContextAttachments(
    () => Promise.resolve(undefined),
    () => `id${++count}`,
    () => undefined,
    text => text,
  );

  before(() => {
    writeFileSync(here.fsPath, 'one\ntwo\n');
    writeFileSync(there.fsPath, 'one\n');
  });
  afterEach(() => set([]));
  after(() => {
    found.dispose();
    remove();
  });

  /** Extensions are told of diagnostics some milliseconds after they were set. */
  async function set(entries: readonly [vscode.Uri, vscode.Diagnostic[]][]): Promise<void> {
    found.clear();
    found.set(entries);
    const shown = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).length;
    const expected = (uri: vscode.Uri) =>
      entries.find(([other]) => other.toString() === uri.toString())?.[1].length ?? 0;
    await until(
      () => [here, there].every(uri => shown(uri) === expected(uri)),
      [vscode.languages.onDidChangeDiagnostics],
    );
  }

  it('are those of a file, in the order of its lines, as they were when attached', async () => {
    const code = problem(1, 2, 'Cannot find name', vscode.DiagnosticSeverity.Error);
    code.source = 'ts';
    code.code = 2304;
    await set([
      [here, [code, problem(0, 0, 'Unused\nreally', vscode.DiagnosticSeverity.Warning)]],
      [there, [problem(0, 0, 'Elsewhere', vscode.DiagnosticSeverity.Error)]],
    ]);
    const attachment = attachments.ofProblems(here);
    assert.equal(attachment?.label, 'Problems (2)');
    assert.match(attachment.title, /^Problems in .*here\.txt$/);
    await set([]);
    const [block] = await attachments.resolve(attachment, CHAT);
    assert.ok(block?.type === 'text');
    assert.equal(
      block.text,
      [
        `${attachment.title}:`,
        `${here.fsPath}:`,
        '  1:1 warning: Unused',
        '    really',
        '  2:3 error: Cannot find name (ts 2304)',
      ].join('\n'),
    );
  });

  it('are those of the workspace, the worst files first and without hints', async () => {
    await set([
      [here, [problem(0, 0, 'Meh', vscode.DiagnosticSeverity.Information)]],
      [
        there,
        [
          problem(0, 0, 'Bad', vscode.DiagnosticSeverity.Error),
          problem(0, 1, 'Hint', vscode.DiagnosticSeverity.Hint),
        ],
      ],
    ]);
    const attachment = attachments.ofProblems();
    assert.ok(attachment);
    const [block] = await attachments.resolve(attachment, CHAT);
    assert.ok(block?.type === 'text');
    assert.ok(block.text.indexOf(`${there.fsPath}:`) < block.text.indexOf(`${here.fsPath}:`));
    assert.match(block.text, /1:1 error: Bad/);
    assert.match(block.text, /1:1 information: Meh/);
    assert.doesNotMatch(block.text, /Hint/);
  });

  it('are not there when there are none', () => {
    assert.equal(attachments.ofProblems(here), undefined);
  });

  it('are counted, and not written out, beyond a number that can be read', () => {
    const many = Array.from({ length: 250 }, (_, line) =>
      problem(line, 0, 'Bad', vscode.DiagnosticSeverity.Error),
    );
    const lines = problemsText([
      [here, many],
      [there, many],
    ]).split('\n');
    assert.equal(lines.length, 202);
    assert.equal(lines.at(-1), '… and 300 more');
  });
});

function problem(
  line: number,
  character: number,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const range = new vscode.Range(line, character, line, character + 1);
  return new vscode.Diagnostic(range, message, severity);
}
