import * as path from 'node:path';
import * as vscode from 'vscode';
import { isBelow } from '../../git/isBelow';
import type { Disposable } from '../../base/lifecycle';
import { visibleText } from '../../base/visibleText';
import type { Intent } from '../../shared/intents';
import type { EditorContext } from '../context/editorContext';
import { findFile, workspaceRoots } from '../links';
import { showInformationMessage, showWarningMessage } from '../messages';
import type { MemoryDocuments } from '../review/diff/memoryDocuments';
import { applyDiff } from './applyDiff';
import { CodeReview } from './codeReview';
import { isDiff, namedFile } from './namedFile';
import { pickFile } from './pickFile';
import { pickPlace } from './pickPlace';
import { placeCode } from './placeCode';
import { canBeAsked, shellText } from './shellText';

type CodeIntent = Extract<Intent, { type: 'newFile' | 'applyCode' | 'runCode' }>;

/** What the buttons of a code block do. Nothing is written or run that the user has not seen in full. */
export class CodeBlocks implements Disposable {
  readonly review: CodeReview;
  private terminal: vscode.Terminal | undefined;

  constructor(
    private readonly editor: EditorContext,
    documents: MemoryDocuments,
  ) {
    this.review = new CodeReview(documents);
  }

  dispose(): void {
    this.review.dispose();
  }

  /** @param cwd where the chat works */
  async act(intent: CodeIntent, cwd: string): Promise<void> {
    switch (intent.type) {
      case 'newFile':
        return newFile(intent.info, intent.text, cwd);
      case 'applyCode':
        return this.apply(intent, cwd);
      case 'runCode':
        return this.run(shellText(intent.info, intent.text), cwd);
    }
  }

  private async apply(
    { info, text, near }: Extract<CodeIntent, { type: 'applyCode' }>,
    cwd: string,
  ): Promise<void> {
    const name = namedFile(info, text);
    const named = name === undefined ? undefined : await findFile(name, cwd);
    if (name !== undefined && !named && !isDiff(info)) return newFile(info, text, cwd);
    const file = named?.isFolder === false ? named.file : await pickFile(near, cwd, this.editor);
    if (file === undefined) return;
    const uri = vscode.Uri.file(file);
    const document = await vscode.workspace.openTextDocument(uri);
    const before = document.getText().replace(/\r\n/g, '\n');
    const after = isDiff(info)
      ? applyDiff(before, text)
      : (placeCode(before, text) ?? (await pickPlace(document, before, text, this.editor)));
    if (after === undefined) {
      if (isDiff(info)) void showWarningMessage(notThere(uri));
    } else if (after === before) {
      void showInformationMessage(vscode.l10n.t('{0} already contains this code.', nameOf(uri)));
    } else {
      await this.review.show(uri, after);
    }
  }

  private async run(command: string, cwd: string): Promise<void> {
    if (!canBeAsked(command)) {
      void showWarningMessage(
        vscode.l10n.t(
          'This command is too long to show in full. Save it with New File, then run the file.',
        ),
      );
      return;
    }
    const run = vscode.l10n.t('Run');
    const answer = await showInformationMessage(
      vscode.l10n.t('Run this in the terminal?'),
      { modal: true, detail: visibleText(command) },
      run,
    );
    if (answer !== run) return;
    if (this.terminal?.exitStatus !== undefined || !this.terminal) {
      this.terminal = vscode.window.createTerminal({ name: vscode.l10n.t('Parley'), cwd });
    }
    this.terminal.show();
    this.terminal.sendText(command);
  }
}

/** An editor with the code, which is in no file until the user saves it. */
async function newFile(info: string, text: string, cwd: string): Promise<void> {
  const name = namedFile(info, text);
  const target = name === undefined ? undefined : path.resolve(cwd, name);
  const isFree =
    target !== undefined &&
    [...workspaceRoots(), cwd].some(root => isBelow(target, root)) &&
    !(await findFile(target, cwd));
  if (!isFree) {
    const language = await languageOf(info);
    const document = await vscode.workspace.openTextDocument({
      content: text,
      ...(language !== undefined && { language }),
    });
    await vscode.window.showTextDocument(document);
    return;
  }
  const uri = vscode.Uri.file(target).with({ scheme: 'untitled' });
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  await editor.edit(edit => edit.replace(whole, `${text}\n`));
}

/** What fences say and VS Code calls otherwise. */
const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  cs: 'csharp',
  js: 'javascript',
  jsx: 'javascriptreact',
  md: 'markdown',
  patch: 'diff',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
  zsh: 'shellscript',
};

async function languageOf(info: string): Promise<string | undefined> {
  const word = /^[\w+#.-]+/.exec(info)?.[0].toLowerCase() ?? '';
  const id = Object.hasOwn(LANGUAGES, word) ? LANGUAGES[word] : word;
  return (await vscode.languages.getLanguages()).find(known => known === id);
}

function notThere(uri: vscode.Uri): string {
  return vscode.l10n.t(
    '{0} does not have the lines that this diff changes. Ask the agent for a diff of the file as it is now.',
    nameOf(uri),
  );
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri, false);
}
