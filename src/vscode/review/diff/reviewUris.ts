import * as vscode from 'vscode';
import type { PendingFile } from '../../../review/model';

/** Scheme of the read-only documents that the review compares files with. */
export const BASELINE_SCHEME = 'parley-baseline';

/** What one of the review's documents stands for. */
export interface ReviewDocument {
  /** The file under review. */
  readonly path: string;
  /**
   * `baseline`: the text last agreed to. `gone`: the empty text of a file that an agent deleted. `was` and
   * `is`: a note in place of what is not text.
   */
  readonly side: 'baseline' | 'gone' | 'was' | 'is';
}

/**
 * The addresses say all that is needed to find the text again, because VS Code restores tabs by address
 * after a reload. The path decides name and language; of a renamed file it is the old one, and the query
 * then holds the new one.
 */
export function baselineUri(
  file: Pick<PendingFile, 'path' | 'renamedFrom'>,
  scheme = BASELINE_SCHEME,
): vscode.Uri {
  const { path, renamedFrom } = file;
  return renamedFrom === undefined
    ? vscode.Uri.file(path).with({ scheme })
    : vscode.Uri.file(renamedFrom).with({ scheme, query: `now=${encodeURIComponent(path)}` });
}

/** What stands on the modified side for a deleted file: a document, so that its actions have a place. */
export function goneUri(path: string, scheme = BASELINE_SCHEME): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme, query: 'gone' });
}

/** What stands in a diff for a side that is not text. */
export function noteUri(path: string, side: 'was' | 'is', scheme = BASELINE_SCHEME): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme, query: side });
}

/** Undefined for any other address. */
export function reviewDocument(
  uri: vscode.Uri,
  scheme = BASELINE_SCHEME,
): ReviewDocument | undefined {
  if (uri.scheme !== scheme) return undefined;
  const { query } = uri;
  if (query === 'gone' || query === 'was' || query === 'is') {
    return { path: filePath(uri), side: query };
  }
  const now = /^now=(.+)$/.exec(query)?.[1];
  return { path: now === undefined ? filePath(uri) : decodeURIComponent(now), side: 'baseline' };
}

function filePath(uri: vscode.Uri): string {
  return uri.with({ scheme: 'file', query: '' }).fsPath;
}
