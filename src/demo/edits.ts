/** Which change to make to a text. Pure, so that the same wish can be applied again to newer text. */
import * as path from 'node:path';

export interface Edit {
  readonly newText: string;
  /** What changed, as a sentence part: "says X". */
  readonly summary: string;
}

/** The change for `text`; undefined when there is nothing to change. */
export function planEdit(file: string, text: string, wish: string): Edit | undefined {
  const replacement = readReplacement(wish);
  if (replacement) return replace(text, replacement);
  return fixGreeting(text) ?? addNote(file, text);
}

interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** Reads "replace a with b", quoted or not. */
export function readReplacement(wish: string): Replacement | undefined {
  const quoted =
    /\b(?:replace|change|rename)\s+(["'`])(.+?)\1\s+(?:with|to|by|into)\s+(["'`])(.*?)\3/i.exec(
      wish,
    );
  if (quoted?.[2] !== undefined && quoted[4] !== undefined) {
    return { from: quoted[2], to: quoted[4] };
  }
  const plain = /\b(?:replace|change|rename)\s+(\S+)\s+(?:with|to|by|into)\s+(\S+)/i.exec(wish);
  return plain?.[1] && plain[2] ? { from: plain[1], to: plain[2] } : undefined;
}

function replace(text: string, { from, to }: Replacement): Edit | undefined {
  const parts = text.split(from);
  if (parts.length === 1 || from === to) return undefined;
  const count = parts.length - 1;
  const times = count === 1 ? 'once' : `${count} times`;
  return { newText: parts.join(to), summary: `replaces \`${from}\` by \`${to}\`, ${times}` };
}

/** The bug in the sample workspace: a greeting for a name that is blank or has spaces around it. */
function fixGreeting(text: string): Edit | undefined {
  const bug = /^([ \t]*)return `Hello, \$\{name\}!`;/m;
  if (!bug.test(text)) return undefined;
  const end = lineEnd(text);
  const newText = text.replace(
    bug,
    (_, indent: string) =>
      `${indent}const who = name.trim() || 'stranger';${end}${indent}return \`Hello, \${who}!\`;`,
  );
  return { newText, summary: 'greets a stranger when the name is blank' };
}

const NOTE = 'Parley Demo added this line. Undo it whenever you like.';

const COMMENTS: Readonly<Record<string, readonly [string, string]>> = {
  '//': ['// ', ''],
  '#': ['# ', ''],
  '--': ['-- ', ''],
  '/*': ['/* ', ' */'],
  '<!--': ['<!-- ', ' -->'],
  _: ['_', '_'],
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  '//': 'ts tsx js jsx mjs cjs mts cts c cc cpp h hpp cs java kt go rs swift php dart scala jsonc',
  '#': 'py rb sh bash zsh yml yaml toml ini conf r pl ps1 dockerfile makefile gitignore',
  '--': 'sql lua hs elm',
  '/*': 'css scss less',
  '<!--': 'html htm xml svg vue',
  _: 'md markdown',
};

/** For any other text: one line at the end, as a comment where the language has them. */
function addNote(file: string, text: string): Edit | undefined {
  const extension = path.extname(file).slice(1).toLowerCase() || path.basename(file).toLowerCase();
  if (extension === 'json' || text.includes(NOTE)) return undefined;
  const style = Object.keys(EXTENSIONS).find(key =>
    EXTENSIONS[key]?.split(' ').includes(extension),
  );
  const [before, after] = COMMENTS[style ?? ''] ?? ['', ''];
  const end = lineEnd(text);
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  const blank = style === '_' && text !== '' ? end : '';
  return {
    newText: `${text}${gap}${blank}${before}${NOTE}${after}${end}`,
    summary: 'adds one line at the end',
  };
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
