import { invocationOf, runsInput } from '../../base/invocation';
import { parseCommand } from '../../base/parseCommand';
import type { Redirection, SimpleCommand, Word } from '../../base/shellCommand';
import { withoutHidden } from '../../base/hiddenCharacters';
import { isBlank } from '../../base/visibleText';
import { ReadBudget, scriptsIn } from '../requests/commandScripts';
import { isExpanded } from './commandPattern';
import type { CommandPiece, FilePiece, Piece } from './subject';

/** UTF-16 units of a command that are looked at; a longer one is not understood. */
const MAX_LENGTH = 20_000;
/** Commands of a line that are looked at; a line with more is not understood either. */
const MAX_COMMANDS = 200;
/** Words that are looked at as names of files. */
const MAX_WORDS = 1_000;
/** Folders that a line may be in after `cd`; of more none is known. */
const MAX_FOLDERS = 8;

export interface CommandPieces {
  readonly pieces: readonly Piece[];
  /** False where a shell may run something else than these. */
  readonly isKnown: boolean;
}

/**
 * Every command of a line, with those in substitutions and quotes, and every file that it names.
 * @param namesOf the names of a file by an absolute path
 */
export function commandPieces(
  line: string,
  cwd: string,
  namesOf: (file: string) => readonly string[],
): CommandPieces {
  const text = line.slice(0, MAX_LENGTH);
  const { commands: all, complete } = parseCommand(text);
  const commands = all.slice(0, MAX_COMMANDS);
  const folders = foldersOf(commands, text, cwd)?.flatMap(namesOf);
  const targets = commands.flatMap(({ redirections }) => redirections.filter(isOfFile));
  const mentioned = mentions(text, folders ?? [cwd]);
  const isKnown =
    complete &&
    commands.length === all.length &&
    text.length === line.length &&
    isReadable(text, cwd) &&
    mentioned.length <= MAX_WORDS &&
    targets.every(({ target }) => folders && target && !isExpanded(target, text));
  return {
    pieces: [
      ...commands.map(command => commandPiece({ command, text }, folders)),
      ...targets.map(each => redirected(each, folders ?? [cwd], namesOf)),
      ...mentioned.slice(0, MAX_WORDS),
    ],
    isKnown,
  };
}

/** Blanks, what cannot be seen, and what other shells than POSIX's read in their own way are not understood. */
function isReadable(text: string, cwd: string): boolean {
  const lines = text.replace(/[\n\t]/g, ' ');
  if (isBlank(text) || withoutHidden(lines) !== lines) return false;
  return cwd.startsWith('/') || /^[\w .:/=@,+-]*$/.test(text);
}

function commandPiece(
  { command, text }: Pick<CommandPiece, 'command' | 'text'>,
  folders: readonly string[] | undefined,
): CommandPiece {
  const run = invocationOf(command.words);
  const isFed =
    command.before.startsWith('|') && command.before !== '||'
      ? true
      : command.redirections.some(({ operator }) => operator.startsWith('<'));
  const isScript = run !== undefined && isFed && runsInput(run);
  return { what: 'command', command, text, folders, runsInput: isScript };
}

/** Where commands may run after every `cd`, in whatever order these are run. */
function foldersOf(
  commands: readonly SimpleCommand[],
  text: string,
  cwd: string,
): readonly string[] | undefined {
  let folders: readonly string[] = [cwd];
  for (const { words } of commands) {
    const run = invocationOf(words);
    if (!run || !/^(?:cd|chdir|pushd|popd)$/.test(run.name)) continue;
    const [target, ...more] = run.words.slice(1);
    if (!target || more.length > 0 || /^[-+]/.test(target.value) || isExpanded(target, text)) {
      return undefined;
    }
    folders = [...folders, ...folders.map(folder => absolute(target.value, folder))];
    if (folders.length > MAX_FOLDERS) return undefined;
  }
  return folders;
}

/** Devices, other descriptors and texts in the line itself are no files. */
function isOfFile({ operator, target }: Redirection): boolean {
  if (!target || operator.startsWith('<<')) return false;
  if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.value)) return false;
  return !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target.value);
}

function redirected(
  { operator, target }: Redirection,
  folders: readonly string[],
  namesOf: (file: string) => readonly string[],
): FilePiece {
  const isWrite = operator !== '<' && operator !== '<&';
  const files = folders.map(folder => absolute(target?.value ?? '', folder));
  return {
    what: 'file',
    kind: isWrite ? 'edit' : 'read',
    isWrite,
    names: [...new Set(files.flatMap(namesOf))],
  };
}

/** The commands in quotes, and each word as a file. */
function mentions(line: string, folders: readonly string[]): readonly Piece[] {
  const found: Piece[] = [];
  for (const { text, runs } of scriptsIn(line, new ReadBudget(MAX_LENGTH * 5))) {
    for (const { command } of runs) {
      if (text !== line)
        found.push({ ...commandPiece({ command, text }, undefined), isMention: true });
      const words: readonly Word[] = [...command.assignments, ...command.words];
      for (const word of words) {
        // In `--file=path` and `of=path` the path is behind the sign.
        const file = word.value.replace(/^[\w-]+=/, '');
        found.push({
          what: 'file',
          kind: '',
          isWrite: false,
          names: folders.map(folder => absolute(file, folder)),
          isMention: true,
          ...(isExpanded(word, text) && { isUncertain: true }),
        });
      }
      if (found.length > MAX_WORDS) return found;
    }
  }
  return found;
}

export function absolute(file: string, folder: string): string {
  const isAbsolute = /^(?:[\\/~]|[A-Za-z]:|\$HOME\b|\$\{HOME\}|file:)/.test(file);
  return isAbsolute ? file : `${folder.replace(/[\\/]+$/, '')}/${file}`;
}
