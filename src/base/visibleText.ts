import { characterName } from './characterNames';
import { DRAWN, REMARKABLE, UNSEEN } from './hiddenCharacters';
import { deceivingWords, letterLikeness, likeness } from './lookAlikes';
import type { Likeness } from './lookAlikes';

/** A part of a text by what a reader sees of it. */
export type TextPiece =
  | { readonly kind: 'plain'; readonly text: string }
  | {
      /** The same character once or more, which cannot be seen or moves what is around it. */
      readonly kind: 'hidden';
      readonly text: string;
      /** `U+202E` */
      readonly label: string;
      /** Unicode's own name, in English: `right-to-left override`. */
      readonly name: string;
      readonly count: number;
    }
  | {
      /** The same character once or more, which can be taken for another. */
      readonly kind: 'lookAlike';
      readonly text: string;
      readonly label: string;
      /** In English: `Cyrillic а, not Latin a`. */
      readonly name: string;
      /** What it can be taken for, in ASCII, where that is known. */
      readonly like?: string;
      readonly count: number;
    };

export interface TextOptions {
  /** A path or a name: blanks at its ends and line breaks count as hidden. */
  readonly edges?: boolean;
  /** A command or a path: unusual blanks count as hidden, and what looks like punctuation of code as such. */
  readonly code?: boolean;
}

const HIDDEN = new RegExp(`^(?![${DRAWN}])[${UNSEEN}]$`, 'u');
const BLANK = /^[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]$/;
const SEEN = new RegExp(`[${DRAWN}]|[^\\s\\u2800${UNSEEN}]`, 'gu');

const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Devanagari}' +
  '\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}' +
  '\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}' +
  '\\p{Script=Myanmar}\\p{Script=Tibetan}';
const PICTURE = '\\p{ExtPict}(?:[\\ufe0e\\ufe0f]|\\p{EMod}\\ufe0f?)?';
/** Where characters that are hidden elsewhere do their work: emoji, flags, joined letters, forms of ideographs. */
const AT_WORK = new RegExp(
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|' +
    `\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}|${PICTURE}(?:\\u200d${PICTURE})*|[#*0-9]\\ufe0f\\u20e3|` +
    `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])|\\p{Ideographic}[\\u{e0100}-\\u{e01ef}]`,
  'gu',
);

/**
 * Splits a text so that what deceives a reader can be marked: characters that cannot be seen or reorder others,
 * and those that look like others. The texts of the pieces joined are the text. Takes time in proportion to it.
 */
export function textPieces(text: string, options: TextOptions = {}): readonly TextPiece[] {
  const { edges = false, code = false } = options;
  if (text === '') return [];
  if (!edges && !REMARKABLE.test(text)) return [{ kind: 'plain', text }];
  const pieces = new Pieces(text);
  const [first, last] = edges ? seenPart(text) : [0, text.length];
  const atWork = spans(text.matchAll(AT_WORK));
  const words = spanIndex(deceivingWords(text, code));
  for (const { 0: character, index } of text.matchAll(edges ? /[^!-~]/gu : /[^\t\n -~]/gu)) {
    const works = atWork(index);
    if (index < first || index >= last || (edges && /[\t\n\r]/.test(character))) {
      pieces.add('hidden', character, index);
    } else if (HIDDEN.test(character)) {
      const breaksLine = character === '\r' && text[index + 1] === '\n';
      if (!works && !breaksLine && !/[\t\n]/.test(character))
        pieces.add('hidden', character, index);
    } else if (BLANK.test(character)) {
      if (code) pieces.add('hidden', character, index);
    } else if (character !== ' ') {
      const found = (words(index) && letterLikeness(character, code)) || likeness(character, code);
      if (found) pieces.add('lookAlike', character, index, found);
    }
  }
  return pieces.done();
}

/** The text with `‹U+202E›` for what is hidden (`‹U+202E ×3›` for three of them); look-alikes stay as they are. */
export function visibleText(text: string, options?: TextOptions): string {
  return textPieces(text, options)
    .map(piece => {
      if (piece.kind !== 'hidden') return piece.text;
      return `\u2039${piece.label}${piece.count > 1 ? ` ×${piece.count}` : ''}\u203a`;
    })
    .join('');
}

/** Whether nothing in the text can be seen. */
export function isBlank(text: string): boolean {
  return text.search(SEEN) < 0;
}

/** From the first character that can be seen to behind the last. */
function seenPart(text: string): readonly [number, number] {
  let first: number | undefined;
  let last = 0;
  for (const { 0: character, index } of text.matchAll(SEEN)) {
    first ??= index;
    last = index + character.length;
  }
  return [first ?? text.length, last];
}

/** Whether a position is in one of the matches; asked with rising positions. */
function spans(matches: Iterable<RegExpExecArray>): (at: number) => boolean {
  return spanIndex(
    (function* () {
      for (const { 0: match, index } of matches) yield [index, index + match.length] as const;
    })(),
  );
}

function spanIndex(all: Iterable<readonly [number, number]>): (at: number) => boolean {
  const rest = all[Symbol.iterator]();
  let next = rest.next();
  return at => {
    while (!next.done && next.value[1] <= at) next = rest.next();
    return !next.done && next.value[0] <= at;
  };
}

/** A run of one character that is being put together. */
interface Run {
  readonly kind: 'hidden' | 'lookAlike';
  readonly character: string;
  readonly start: number;
  readonly found: Likeness;
}

/** Puts pieces together, runs of one character as one. */
class Pieces {
  private readonly all: TextPiece[] = [];
  private run: Run | undefined;
  private behind = 0;

  constructor(private readonly text: string) {}

  add(kind: Run['kind'], character: string, index: number, found: Likeness = {}): void {
    const { run } = this;
    if (run?.kind !== kind || run.character !== character || this.behind !== index) {
      this.plainUpTo(index);
      this.run = { kind, character, start: index, found };
    }
    this.behind = index + character.length;
  }

  done(): readonly TextPiece[] {
    this.plainUpTo(this.text.length);
    return this.all;
  }

  private plainUpTo(index: number): void {
    if (this.run) this.all.push(this.pieceOf(this.run));
    this.run = undefined;
    const text = this.text.slice(this.behind, index);
    if (text !== '') this.all.push({ kind: 'plain', text });
  }

  private pieceOf({ kind, character, start, found }: Run): TextPiece {
    const point = character.codePointAt(0) ?? 0;
    const piece = {
      text: this.text.slice(start, this.behind),
      label: `U+${point.toString(16).toUpperCase().padStart(4, '0')}`,
      count: (this.behind - start) / character.length,
    };
    if (kind === 'hidden') return { kind, ...piece, name: characterName(point) };
    const { script, like } = found;
    const itself = script === undefined ? character : `${script} ${character}`;
    if (like === undefined) return { kind, ...piece, name: `${itself} among Latin letters` };
    const other = /[a-z]/i.test(like) ? `Latin ${like}` : like;
    return { kind, ...piece, name: `${itself}, not ${other}`, like };
  }
}
