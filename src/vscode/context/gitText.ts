import * as vscode from 'vscode';
import { commitText, uncommitted } from '../../git/workTree';
import type { Attachment } from '../../session/state/state';
import { editorGit } from '../editorGit';

/** Of what is sent along, in UTF-16 units. */
const MAX_TEXT = 256 * 1024;

/** The changes or the commit that `attachment` is; undefined when git does not say. A long text loses its end. */
export async function gitText({
  kind,
  uri,
  ref,
}: Pick<Attachment, 'kind' | 'uri' | 'ref'>): Promise<string | undefined> {
  // Git runs programs that a repository's configuration names: not before the user trusts it.
  if (uri === undefined || !vscode.workspace.isTrusted) return undefined;
  const folder = vscode.Uri.parse(uri).fsPath;
  const isCommit = kind === 'commit' && /^[0-9a-f]{4,64}$/.test(ref ?? '');
  const text = await (isCommit
    ? commitText(editorGit(), folder, ref ?? '')
    : uncommitted(editorGit(), folder));
  return text !== undefined && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
