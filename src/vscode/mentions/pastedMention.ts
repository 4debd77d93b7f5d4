import * as vscode from 'vscode';
import { withLines, type ContextAttachments } from '../context/contextAttachments';
import type { Candidate } from './candidate';

/**
 * Where pasted code comes from: what is selected in an editor that can be seen, else the only place in the open files
 * that has it. Undefined where that is not certain.
 */
export function pastedMention(
  text: string,
  attachments: ContextAttachments,
): Candidate | undefined {
  const place = selected(text) ?? onlyPlace(text);
  if (!place) return undefined;
  const { document, range } = place;
  // A range that ends before a line's first character does not contain that line.
  const last = range.end.line + (range.end.character > 0 ? 1 : 0);
  const lines = { start: range.start.line + 1, end: Math.max(range.start.line + 1, last) };
  const word = withLines(vscode.workspace.asRelativePath(document.uri), lines);
  return {
    icon: 'list-selection',
    name: word,
    hits: [],
    detail: '',
    mention: `@${word}`,
    attachment: () => attachments.ofLines(document, lines),
  };
}

interface Place {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
}

function selected(text: string): Place | undefined {
  for (const { document, selection } of vscode.window.visibleTextEditors) {
    const isIt = isFile(document) && normalized(document.getText(selection)) === text;
    if (isIt) return { document, range: selection };
  }
  return undefined;
}

function onlyPlace(text: string): Place | undefined {
  const places = vscode.workspace.textDocuments.filter(isFile).flatMap(document => {
    const crlf = document.eol === vscode.EndOfLine.CRLF;
    const wanted = crlf ? text.replaceAll('\n', '\r\n') : text;
    const all = document.getText();
    const at = all.indexOf(wanted);
    if (at < 0) return [];
    const range = new vscode.Range(
      document.positionAt(at),
      document.positionAt(at + wanted.length),
    );
    return [{ document, range, again: all.includes(wanted, at + 1) }];
  });
  const [place, ...others] = places;
  return place && !place.again && others.length === 0 ? place : undefined;
}

function isFile({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'file';
}

function normalized(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
