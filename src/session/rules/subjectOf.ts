/** A request as rules see it: the commands and files of its call. */
import { isRecord } from '../../base/isRecord';
import { PATHS } from '../state/changeFields';
import { commandInput, parsedInput } from '../state/commandInput';
import type { AskedCall } from '../state/permission';
import type { Contents, FileDiff } from '../translate/contents';
import { namedFiles, shownDiffs, terminalCommand } from '../requests/askedFacts';
import type { PathPlace } from '../requests/resolvedPath';
import { restOfInput } from '../requests/restOfInput';
import { absolute, commandPieces } from './commandPieces';
import { WRITES, type FilePiece, type Piece, type Subject } from './subject';

/** Files that are looked at; a request that names more is not understood. */
const MAX_FILES = 500;
const READS = new Set(['read', 'search']);

/** @param allNames of a file by its absolute path: as given, and what its links lead to */
export function subjectOf(
  asked: AskedCall,
  contents: Contents,
  { cwd }: PathPlace,
  allNames: (path: string) => readonly string[],
): Subject {
  const { title, toolKind: kind, content, rawInput } = asked;
  const namesOf = (path: string): readonly string[] => allNames(absolute(path, cwd));
  const input = rawInput && parsedInput(contents.whole(rawInput));
  const command = commandInput(input);
  const line = command?.line ?? terminalCommand(asked);
  const folder = absolute(command?.folder ?? asked.terminal?.cwd ?? cwd, cwd);
  const run = line === undefined ? undefined : commandPieces(line, folder, namesOf);
  const diffs = shownDiffs(asked, contents);
  const changed = diffs.flatMap(diff => changedFiles(diff, namesOf));
  const known = new Set(changed.flatMap(({ names }) => names));
  const named = [...new Set([...namedFiles(asked, diffs, contents), ...inputFiles(input)])]
    .filter(path => !namesOf(path).every(name => known.has(name)))
    .map(path => namedFile(path, run ? 'execute' : kind, namesOf));
  const pieces: readonly Piece[] = [
    ...(run?.pieces ?? []),
    ...changed,
    ...named.slice(0, MAX_FILES),
  ];
  const isCall = pieces.every(piece => piece.what !== 'call' && piece.isMention);
  const isAct = run !== undefined || pieces.some(piece => piece.what === 'file' && piece.isWrite);
  const isShown =
    !asked.cut && diffs.length === content.filter(item => item.kind === 'diff').length;
  const rest = restOfInput(input, {
    commandFields: command?.fields ?? [],
    diffs,
    texts: [],
    cwd,
  });
  return {
    title,
    kind,
    pieces: isCall ? [{ what: 'call' }, ...pieces, ...titlePieces(asked, folder, namesOf)] : pieces,
    isKnown:
      isShown &&
      !(isCall && WRITES.has(kind)) &&
      (run?.isKnown ?? true) &&
      named.length <= MAX_FILES &&
      (!isAct || isHarmless(rest)),
  };
}

function changedFiles(
  { path, oldPath, change }: FileDiff,
  namesOf: (path: string) => readonly string[],
): readonly FilePiece[] {
  const kind = change === 'deleted' ? 'delete' : change === 'moved' ? 'move' : 'edit';
  const paths = oldPath === undefined ? [path] : [path, oldPath];
  return paths.map(each => ({ what: 'file', kind, isWrite: true, names: namesOf(each) }));
}

function namedFile(
  path: string,
  kind: string,
  namesOf: (path: string) => readonly string[],
): FilePiece {
  const isWrite = WRITES.has(kind);
  const piece = { what: 'file', kind, isWrite, names: namesOf(path) } as const;
  return isWrite || READS.has(kind) ? piece : { ...piece, kind: '', isMention: true };
}

function inputFiles(input: unknown): readonly string[] {
  if (!isRecord(input)) return [];
  return PATHS.map(key => input[key]).filter(
    path => typeof path === 'string' && path !== '',
  ) as string[];
}

/** What some agents run stands in the title alone: rules against it hold. */
function titlePieces(
  { toolKind, title }: AskedCall,
  folder: string,
  namesOf: (path: string) => readonly string[],
): readonly Piece[] {
  if (toolKind !== 'execute') return [];
  return commandPieces(title, folder, namesOf).pieces.map(piece =>
    piece.what === 'call' ? piece : { ...piece, isMention: true },
  );
}

/** Fields that say something of the request and change nothing of what is done. */
const WORDS =
  /^(?:description|reason|explanation|title|justification|call_?id|turn_?id|process_?id|session_?id|parsed_cmd|proposed_execpolicy_amendment|available_decisions)$/i;
/** Switches that change nothing of it either. */
const SWITCHES = /^(?:(?:is_?|run_in_?)?background|replace_?all)$/i;

/** Whether what is left of an input may be left out of account. */
function isHarmless(rest: unknown): boolean {
  if (rest === undefined) return true;
  if (!isRecord(rest)) return false;
  return Object.entries(rest).every(
    ([key, value]) =>
      value === null ||
      typeof value === 'number' ||
      WORDS.test(key) ||
      (typeof value === 'string' && PATHS.includes(key)) ||
      (typeof value === 'boolean' && SWITCHES.test(key)),
  );
}
