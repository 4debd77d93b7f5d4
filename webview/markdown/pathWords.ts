import { parseLink } from '../../src/shared/links';

/** A piece of a text that may name a file. */
export interface PathWord {
  readonly text: string;
  /** Where it begins in the text. */
  readonly at: number;
}

const MAX_LENGTH = 300;
/** Pieces between white space and what encloses names. */
const WORD = /[^\s<>"'`“”‘’«»|*?(){},;]+/gu;
/** What belongs to the sentence, not to the name. */
const TAIL = /[.:!…\]]+$/;
const LEAD = /^[[:]+/;

/** The words of prose that may name files: with a folder, an extension or a line. */
export function pathWords(text: string): readonly PathWord[] {
  const words: PathWord[] = [];
  for (const match of text.matchAll(WORD)) {
    const lead = LEAD.exec(match[0])?.[0].length ?? 0;
    const word = match[0].slice(lead).replace(TAIL, '');
    if (mayBePath(word)) words.push({ text: word, at: match.index + lead });
  }
  return words;
}

/** Whether `text` as a whole, spaces included, may name a file. */
export function mayBePath(text: string): boolean {
  if (text.length < 3 || text.length > MAX_LENGTH) return false;
  if (!/[\\/.:#]/.test(text) || text.includes('\n')) return false;
  const target = parseLink(text);
  if (target.kind !== 'file') return false;
  return (
    target.line !== undefined ||
    /[\\/]/.test(target.path) ||
    /[\p{L}\p{N}_-]\.[\p{L}\p{N}]{1,12}$/u.test(target.path) ||
    /^\.[\p{L}\p{N}]/u.test(target.path)
  );
}
