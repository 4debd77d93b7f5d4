import * as path from 'node:path';
import * as vscode from 'vscode';
import { FileError, type KnownText } from '../../session/ports';
import { changesOf, workspaceEdit, type TextChange } from './documentEdits';
import { eolOf } from './documents';
import { readConfined } from './confinedFile';
import { mergeTexts, takesBack } from './mergeTexts';
import type { ScopedPath } from './scopedPath';
import { decodeText, encodeText, withEol } from './textEncoding';
import type { UserEdits } from './userEdits';
import { writeOrPutBack } from './writeOrPutBack';

export { wasReloaded } from './documentReload';

/** How often an edit is tried that the user's keys come before. */
const MAX_TRIES = 50;

/** What an agent wants a file to say. */
export interface AgentText {
  readonly target: ScopedPath;
  readonly content: string;
  /** What the agent made it from. */
  readonly known: KnownText | undefined;
}

/**
 * `content` together with what the user has edited since the agent knew the file; line ends are `eol`.
 * @param now what the file says, unsaved text included
 * @throws FileError `changedByUser`
 */
export function merged(
  { target, content, known }: AgentText,
  edits: number,
  now: string,
  eol?: '\n' | '\r\n',
): string {
  const wanted = plain(content, eol);
  if (!known || edits <= known.edits) return wanted;
  const [base, user] = [plain(known.text, eol), plain(now, eol)];
  if (known.before !== undefined && takesBack(plain(known.before, eol), base, user)) {
    throw new FileError(
      'changedByUser',
      `The user changed lines that you wrote just before, so what you wrote there was taken back. Read the file again: ${target.given}`,
    );
  }
  return joined(target, base, wanted, user);
}

/** @throws FileError `changedByUser` */
function joined({ given }: ScopedPath, base: string, agent: string, user: string): string {
  const merge = mergeTexts(base, agent, user);
  if ('text' in merge) return merge.text;
  const name = path.basename(given);
  throw new FileError(
    'changedByUser',
    `The user changed ${name} meanwhile, at line ${merge.line}, where this edit changes it too. Read the file again: ${given}`,
  );
}

/**
 * Writes where the user has unsaved text or may be typing: as small edits of the document, which is saved then.
 * An edit that a key came before is made again, from what the document says by now, so neither is lost.
 * @throws FileError
 */
export async function writeDocument(
  document: vscode.TextDocument,
  text: AgentText,
  edits: UserEdits,
): Promise<void> {
  const { target } = text;
  const eol = eolOf(document);
  // Between here and the edit nothing may be waited for: VS Code refuses an edit of an older version.
  const first = document.getText();
  const own = merged(text, edits.of(target.spellings), first, eol);
  let [now, wanted] = [first, own];
  for (let tries = 1; ; tries++) {
    const changes = changesOf(document, now, wanted);
    if (changes.length === 0) break;
    if (await edits.except(document, wanted, () => apply(document, changes))) break;
    const refused = now;
    now = document.getText();
    if (tries === MAX_TRIES || now === refused) {
      throw new FileError('failed', `The editor refused the change: ${target.given}`);
    }
    wanted = joined(target, first, own, now);
  }
  if (document.isDirty && !(await save(document)) && document.isDirty) {
    throw new FileError(
      'changedOnDisk',
      `The user has unsaved changes in this file and it has changed on disk: ${target.given}`,
    );
  }
  await withoutFormatting(document, wanted, target);
}

/** Whether the user may be typing in it at this moment. */
export function isInFront(document: vscode.TextDocument): boolean {
  return vscode.window.activeTextEditor?.document === document;
}

function plain(text: string, eol: '\n' | '\r\n' | undefined): string {
  return withEol(text.replace(/^\uFEFF/, ''), eol);
}

/** False when the document is not what it was here. An editor takes changes sooner, so that fewer keys come between. */
function apply(document: vscode.TextDocument, changes: readonly TextChange[]): Thenable<boolean> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document === document) {
    return editor.edit(builder => {
      for (const { range, text } of changes) builder.replace(range, text);
    });
  }
  return vscode.workspace.applyEdit(workspaceEdit(document, changes));
}

/** Without formatters and code actions where VS Code can do so: for the editor in front. */
async function save(document: vscode.TextDocument): Promise<boolean> {
  if (!isInFront(document)) return document.save();
  let isSaved = false;
  const listener = vscode.workspace.onDidSaveTextDocument(saved => {
    if (saved === document) isSaved = true;
  });
  try {
    await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
  } finally {
    listener.dispose();
  }
  return isSaved || !document.isDirty || document.save();
}

/**
 * What saving made of the text of a document in the background is taken back, as bytes. In front it was saved
 * without, and other text than that is the user's by now.
 */
async function withoutFormatting(
  document: vscode.TextDocument,
  wanted: string,
  target: ScopedPath,
): Promise<void> {
  const text = document.getText();
  const isSettled = (): boolean =>
    isInFront(document) || document.isDirty || document.getText() !== text;
  if (text === wanted || isSettled()) return;
  const before = await readConfined(target.real);
  const { format } = await decodeText(before, document.encoding);
  const bytes = await encodeText(wanted, format);
  if (!isSettled()) await writeBytes(target, bytes, before);
}

export async function writeBytes(
  { real, given }: ScopedPath,
  bytes: Uint8Array,
  before: Uint8Array | undefined,
): Promise<void> {
  const full = `The disk is full, so the file was left as it is: ${given}`;
  await writeOrPutBack(real, bytes, before, full);
}
