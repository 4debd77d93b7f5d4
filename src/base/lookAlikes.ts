/**
 * Scripts with letters that can be taken for Latin ones. Those that nobody takes for Latin (Han, Arabic, Thai …)
 * often stand beside Latin letters in one word and deceive nobody.
 */
const SCRIPTS = [
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Georgian',
  'Hebrew',
  'Lisu',
  'Canadian_Aboriginal',
  'Deseret',
  'Runic',
  'Tifinagh',
].map(name => ({
  name: name.replace('_', ' '),
  pattern: new RegExp(`\\p{Script=${name}}`, 'u'),
}));

const OTHERS = new RegExp(SCRIPTS.map(({ pattern }) => pattern.source).join('|'), 'u');
const LATIN = /\p{Script=Latin}/u;

/** Rows of a Latin letter followed by its look-alikes. */
const LETTERS = table(
  'A\u0391\u0410\u13aa B\u0392\u0412\u13f4 C\u0421\u03f9\u13df D\u13a0 E\u0395\u0415\u13ac G\u050c\u13c0 H\u0397\u041d\u13bb ' +
    'I\u0399\u0406\u04c0 J\u0408\u13ab K\u039a\u041a\u13e6 L\u053c\u13de M\u039c\u041c\u13b7 N\u039d O\u039f\u041e\u0555 ' +
    'P\u03a1\u0420\u13e2 Q\u051a R\u13a1\u13d2 S\u0405\u054f\u13da T\u03a4\u0422\u13a2 U\u054d V\u13d9 W\u051c\u13b3 ' +
    'X\u03a7\u0425 Y\u03a5\u04ae\u0423 Z\u0396\u13c3 a\u03b1\u0430 c\u03f2\u0441 d\u0501\u13e7 e\u0435 g\u0581 h\u04bb\u0570 ' +
    'i\u03b9\u0456\u13a5 j\u03f3\u0458 k\u03ba l\u04cf n\u03b7\u0578 o\u03bf\u03c3\u043e\u0585 p\u03c1\u0440 ' +
    'q\u051b\u0566 r\u0433 s\u0455 u\u03c5\u057d v\u03bd\u0475 w\u03c9\u051d x\u03c7\u0445 y\u03b3\u0443\u04af',
);

/** Rows of a character followed by its look-alikes in code: punctuation, then Latin letters. */
const CODE = table(
  '/\u2044\u2215\u2571\u29f8 \\\u2216\u29f5\u29f9 -\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212 .\u06d4\u0701\u0702\ua60e ' +
    '\'\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u055a\u05f3\u2018\u2019\u201b\u2032\ua78c "\u02ba\u02ee\u05f4\u201c\u201d\u201f\u2033\u3003 ' +
    ':\u02d0\u0589\u2236\ua789 |\u01c0\u05c0\u2223\u2502\u23d0 &\ua778 *\u204e\u2217 ~\u02dc\u2053\u223c >\u203a\u276f <\u2039\u276e ' +
    ',\u201a =\u30a0\ua78a !\u01c3 a\u0251 g\u0261 o\u1d0f c\u1d04 v\u1d20 w\u1d21 z\u1d22 s\ua731',
);

const ASCII = /^[ -~]+$/;
/** In prose full-width punctuation, ellipses, superscripts and symbols are at home. */
const LETTER_LIKE = /^(?:(?!\p{Emoji})[\p{Lu}\p{Ll}\p{Nd}]|[\u037e\u1fef\u2024\ufe52])$/u;

/** What a character may be taken for, and the script it is of, where that is not Latin. */
export interface Likeness {
  readonly script?: string;
  /** In ASCII; unknown for a letter that looks like no certain one. */
  readonly like?: string;
}

/**
 * Words in which letters of another script pass for Latin ones: mixed with these, or none but look-alikes
 * (in prose only longer ones, and not beside a word that is clearly of that script). Every letter of another script in them deceives.
 * @returns positions from the first to the last, `[start, end)`
 */
export function deceivingWords(
  text: string,
  code: boolean,
): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let before: Word | undefined;
  let waiting: Word | undefined;
  const settle = (next: Word | undefined) => {
    if (waiting && !(next && atHome(waiting, next))) found.push([waiting.start, waiting.end]);
    waiting = undefined;
  };
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}_]+/gu)) {
    const word = { start: match.index, end: match.index + match[0].length, ...scriptsOf(match[0]) };
    settle(word);
    if (word.script && (word.latin || (code && word.allAlike))) {
      found.push([word.start, word.end]);
    } else if (word.allAlike && match[0].length > 1 && !(before && atHome(word, before))) {
      waiting = word;
    }
    before = word;
  }
  settle(undefined);
  return found;
}

interface Word {
  readonly start: number;
  readonly end: number;
  /** The first script other than Latin that has look-alikes. */
  readonly script: string | undefined;
  readonly latin: boolean;
  readonly allAlike: boolean;
}

function scriptsOf(word: string): Pick<Word, 'script' | 'latin' | 'allAlike'> {
  const first = OTHERS.exec(word)?.[0];
  const script = first === undefined ? undefined : scriptOf(first);
  if (script === undefined) return { script, latin: false, allAlike: false };
  const letters = word.match(/\p{L}/gu) ?? [];
  return {
    script,
    latin: LATIN.test(word),
    allAlike: letters.every(letter => LETTERS.has(letter)),
  };
}

function atHome(word: Word, neighbor: Word): boolean {
  return neighbor.script === word.script && !neighbor.allAlike && !neighbor.latin;
}

function scriptOf(letter: string): string | undefined {
  return SCRIPTS.find(({ pattern }) => pattern.test(letter))?.name;
}

/** What a character of a deceiving word may be taken for; undefined for those that are what they seem. */
export function letterLikeness(character: string, code: boolean): Likeness | undefined {
  const script = scriptOf(character);
  const like = LETTERS.get(character);
  // Units and formulas: μm, Δt.
  if (!script || (!code && script === 'Greek' && like === undefined)) return undefined;
  return { script, ...(like !== undefined && { like }) };
}

/** What a character may be taken for wherever it stands, in code or in prose. */
export function likeness(character: string, code: boolean): Likeness | undefined {
  const plain = character.normalize('NFKC');
  if (plain !== character && ASCII.test(plain) && (code || LETTER_LIKE.test(character))) {
    return { like: plain };
  }
  const like = code ? CODE.get(character) : undefined;
  return like === undefined ? undefined : { like };
}

function table(rows: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [like = '', ...others] of rows.split(' ')) {
    for (const other of others) found.set(other, like);
  }
  return found;
}
