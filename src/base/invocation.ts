import type { Word } from './shellCommand';

/** The program that a command runs in the end, behind `sudo`, `env` and the like. */
export interface Invocation {
  /** Without its folder and `.exe`, in lower case. */
  readonly name: string;
  /** Its words from the name on. */
  readonly words: readonly Word[];
  /** The word that asks for the rights of another user: `sudo`. */
  readonly administrator?: Word;
  /** The word that adds arguments from the input: `xargs`. */
  readonly fed?: Word;
}

/** Programs that run another one: their short options that take a value, and how many operands stand before its name. */
const WRAPPERS: ReadonlyMap<string, readonly [options: string, operands?: number]> = new Map([
  ['sudo', ['ugpCTRDrthU']],
  ['doas', ['uC']],
  ['env', ['uC']],
  ['command', ['']],
  ['builtin', ['']],
  ['exec', ['a']],
  ['nohup', ['']],
  ['noglob', ['']],
  ['busybox', ['']],
  ['time', ['fo']],
  ['nice', ['n']],
  ['ionice', ['cnp']],
  ['setsid', ['']],
  ['stdbuf', ['ioe']],
  ['timeout', ['ks', 1]],
  ['chroot', ['', 1]],
  ['watch', ['n']],
  ['xargs', ['nIPLdaEs']],
]);
const LONG_WITH_VALUE = new RegExp(
  `^--(?:${[
    'user|group|host|prompt|chdir|chroot|role|type|other-user|close-from|command-timeout',
    'unset|adjustment|class|classdata|signal|kill-after|interval|format|input|output|error',
    'max-args|max-procs|max-chars|delimiter|arg-file',
  ].join('|')})$`,
);

/** What `words` run from the word at `from` on; undefined when nothing, or when its name is not known. */
export function invocationOf(words: readonly Word[], from = 0): Invocation | undefined {
  let at = from;
  let administrator: Word | undefined;
  let fed: Word | undefined;
  for (;;) {
    const word = words[at];
    if (!word || /[$`]/.test(word.value)) return undefined;
    const name = programName(word.value);
    const wrapper = WRAPPERS.get(name);
    // `command -v` asks where a program is.
    const asks = name === 'command' && /^-[vV]/.test(words[at + 1]?.value ?? '');
    const next = wrapper && !asks ? behindOptions(words, at + 1, ...wrapper) : words.length;
    if (name === 'sudo' || name === 'doas') administrator ??= word;
    if (next >= words.length) {
      const rest = words.slice(at);
      return { name, words: rest, ...(administrator && { administrator }), ...(fed && { fed }) };
    }
    if (name === 'xargs') fed ??= word;
    at = next;
  }
}

/** `/bin/rm` → `rm`, `C:\Windows\cmd.exe` → `cmd`. */
function programName(value: string): string {
  const last = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1);
  return last.toLowerCase().replace(/\.exe$/, '');
}

const SHELL = /^(?:ba|z|da|a|k|mk|c|tc|fi)?sh$/;

export function isShell(name: string): boolean {
  return SHELL.test(name);
}

/** Programs that run whatever their arguments say, beside shells. */
const RUNNERS =
  /^(?:python[\d.]*w?|pypy[\d.]*|uv|node|nodejs|deno|bun|bunx|npx|tsx|ts-node|ruby|perl[\d.]*|php[\d.]*|lua[\d.]*|rscript|osascript|powershell|pwsh|cmd|eval|source|\.|iex|invoke-expression|ssh|parallel|find)$/;

/** Whether its arguments are the program that is run, so that any arguments are any program. */
export function runsArguments(words: readonly Word[]): boolean {
  const run = invocationOf(words);
  if (!run || run.words.length !== words.length) return true;
  return WRAPPERS.has(run.name) || isShell(run.name) || RUNNERS.test(run.name);
}

/** What is run as a command of its own: `bash -c "…"`, `eval …`, `powershell -Command …`, `cmd /c …`. */
export function scriptOf({ name, words }: Invocation): string | undefined {
  let option: RegExp;
  if (name === 'eval') return valuesOf(words.slice(1)).join(' ');
  if (isShell(name)) option = /^-[a-z]*c$/i;
  else if (name === 'cmd') option = /^\/[ck]$/i;
  else if (name === 'powershell' || name === 'pwsh') option = /^-c(?:o[a-z]*)?$/i;
  else return undefined;
  const at = words.findIndex(({ value }) => option.test(value));
  return at < 0 ? undefined : words[at + 1]?.value;
}

const INTERPRETER = /^(?:python[\d.]*|node|perl|ruby|php|iex|invoke-expression)$/;

/** Whether the program runs what it reads as a script. */
export function runsInput(run: Invocation): boolean {
  const given = valuesOf(run.words.slice(1));
  if (isShell(run.name)) {
    if (scriptOf(run) !== undefined) return false;
    return (
      given.includes('-s') || given.every(value => /^[-+]|^\/dev\/(?:stdin|fd\/0)$/.test(value))
    );
  }
  return (
    INTERPRETER.test(run.name) && given.every(value => /^-(?![a-zA-Z]*[ceEmnpr])|^-$/.test(value))
  );
}

export function valuesOf(words: readonly Word[]): readonly string[] {
  return words.map(({ value }) => value);
}

function behindOptions(
  words: readonly Word[],
  from: number,
  withValue: string,
  operands = 0,
): number {
  let at = from;
  for (; at < words.length; at += 1) {
    const value = words[at]?.value ?? '';
    if (value === '--') {
      at += 1;
      break;
    }
    if (LONG_WITH_VALUE.test(value)) at += 1;
    else if (/^-\w/.test(value)) {
      // The first letter that takes a value takes the rest of the word, or else the next word.
      const letters = [...value];
      const taking = letters.findIndex(letter => withValue.includes(letter));
      if (taking === letters.length - 1) at += 1;
    } else if (!/^-|^[A-Za-z_]\w*=/.test(value)) break;
  }
  return at + operands;
}
