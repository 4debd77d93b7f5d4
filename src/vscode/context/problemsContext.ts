import * as vscode from 'vscode';

/** A file and what is wrong with it. */
export type FileProblems = readonly [vscode.Uri, readonly vscode.Diagnostic[]];

/** Problems written out for an agent; what is beyond is counted. */
const MAX_PROBLEMS = 200;

/**
 * The problems of one file, or of the workspace: the files with the worst first. Hints, which editors show
 * by a few dots, are no problems.
 */
export function problemsOf(uri?: vscode.Uri): readonly FileProblems[] {
  const all: readonly FileProblems[] = uri
    ? [[uri, vscode.languages.getDiagnostics(uri)]]
    : vscode.languages.getDiagnostics();
  return all
    .map(([file, found]): FileProblems => [file, found.filter(isProblem).sort(byPlace)])
    .filter(([, found]) => found.length > 0)
    .sort(
      ([a, ofA], [b, ofB]) => worst(ofA) - worst(ofB) || (a.toString() < b.toString() ? -1 : 1),
    );
}

export function countOf(problems: readonly FileProblems[]): number {
  return problems.reduce((sum, [, found]) => sum + found.length, 0);
}

/** One line each, below the absolute path of its file: `3:5 error: Cannot find name 'x'. (ts 2304)`. */
export function problemsText(problems: readonly FileProblems[]): string {
  const lines: string[] = [];
  let left = MAX_PROBLEMS;
  for (const [file, found] of problems) {
    if (left === 0) break;
    lines.push(`${file.scheme === 'file' ? file.fsPath : file.toString()}:`);
    lines.push(...found.slice(0, left).map(lineOf));
    left -= Math.min(left, found.length);
  }
  const more = countOf(problems) - MAX_PROBLEMS;
  if (more > 0) lines.push(`… and ${more} more`);
  return lines.join('\n');
}

function lineOf({ range, severity, message, source, code }: vscode.Diagnostic): string {
  const place = `${range.start.line + 1}:${range.start.character + 1}`;
  const id = typeof code === 'object' ? code.value : code;
  const origin = [source, id].filter(part => part !== undefined && part !== '').join(' ');
  // Some messages have several lines; they stay with their problem.
  const text = message.trim().replaceAll(/\r?\n/g, '\n    ');
  return `  ${place} ${SEVERITIES[severity]}: ${text}${origin === '' ? '' : ` (${origin})`}`;
}

const SEVERITIES: { readonly [S in vscode.DiagnosticSeverity]: string } = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

function isProblem({ severity }: vscode.Diagnostic): boolean {
  return severity !== vscode.DiagnosticSeverity.Hint;
}

function byPlace(a: vscode.Diagnostic, b: vscode.Diagnostic): number {
  return a.range.start.compareTo(b.range.start);
}

function worst(found: readonly vscode.Diagnostic[]): number {
  return Math.min(...found.map(({ severity }) => severity));
}
