/** What a simple model says of one file under review: what it was, what it is, and who wrote which line. */
import { splitLines } from '../../../../src/review/core/lines';
import { hunksIn, textBefore, textNow, type Line } from '../lineModel';

/** `text` of what is binary stands for its bytes (Latin-1). */
export type Side =
  { readonly kind: 'absent' } | { readonly kind: 'text' | 'binary'; readonly text: string };

export interface FileModel {
  readonly before: Side;
  readonly now: Side;
  readonly renamedFrom?: string;
  /** Turns that changed it since nothing was pending in it. */
  readonly turns: readonly string[];
}

export const ABSENT: Side = { kind: 'absent' };

export function textSide(text: string): Side {
  return { kind: 'text', text };
}

export function sameSide(a: Side, b: Side): boolean {
  return a.kind === b.kind && textOf(a) === textOf(b);
}

export function textOf(side: Side): string {
  return side.kind === 'absent' ? '' : side.text;
}

export function settledModel(now: Side): FileModel {
  return { before: now, now, turns: [] };
}

export function isPendingModel({ before, now, renamedFrom }: FileModel): boolean {
  return renamedFrom !== undefined || !sameSide(before, now);
}

/** The lines of both sides, one below the other; those of a hunk in any order. */
export function linesIn({ before, now }: FileModel): readonly Line[] {
  const old = splitLines(textOf(before));
  const present = splitLines(textOf(now));
  const isPresent = new Set(present);
  const common = new Set(old.filter(text => isPresent.has(text)));
  const lines: Line[] = [];
  let next = 0;
  for (const text of old) {
    for (; common.has(text) && present[next] !== text; next++) lines.push(added(present[next]));
    if (common.has(text)) next++;
    lines.push({ text, before: true, now: common.has(text) });
  }
  for (; next < present.length; next++) lines.push(added(present[next]));
  return lines;
}

export function hunkCount(file: FileModel): number {
  const isText = file.before.kind !== 'binary' && file.now.kind !== 'binary';
  return isText ? hunksIn(linesIn(file)).length : 0;
}

/** The file with other lines; a side that was not there is there once it has one. */
export function withLines(file: FileModel, lines: readonly Line[]): FileModel {
  const side = (now: Side, text: string) =>
    now.kind === 'absent' && text === '' ? now : textSide(text);
  return tidy({
    ...file,
    before: side(file.before, textBefore(lines)),
    now: side(file.now, textNow(lines)),
  });
}

/** Nobody has a part in what is not pending. */
export function tidy(file: FileModel): FileModel {
  return isPendingModel(file) ? file : settledModel(file.now);
}

function added(text = ''): Line {
  return { text, before: false, now: true };
}
