/** Rules that would have answered a request, for its user to choose from. Pure. */
import { runsArguments } from '../../base/invocation';
import { isExpanded } from './commandPattern';
import { decide } from './decide';
import { NO_RULES, type Decision, type PermissionRule, type RuleSet } from './rule';
import type { CommandPiece, FilePiece, Subject } from './subject';
import type { PathPlace } from '../requests/resolvedPath';

export type SuggestionScope =
  'here' | 'everywhere' | 'anyArguments' | 'file' | 'folder' | 'kind' | 'title';

export interface Suggestion {
  readonly scope: SuggestionScope;
  readonly rules: readonly PermissionRule[];
}

/** From the narrowest to the widest. Each does what it says: with its rules alone the request is decided so. */
export function suggestRules(
  subject: Subject,
  decision: Exclude<Decision, 'ask'>,
  rules: Pick<RuleSet, 'protectedFiles'>,
  place: PathPlace,
): readonly Suggestion[] {
  const commands = subject.pieces.filter(
    (piece): piece is CommandPiece => piece.what === 'command' && !piece.isMention,
  );
  const files = subject.pieces.filter(
    (piece): piece is FilePiece => piece.what === 'file' && !piece.isMention,
  );
  const all =
    commands.length > 0
      ? commandSuggestions(commands, files, decision, place)
      : files.length > 0
        ? fileSuggestions(files, decision, place)
        : callSuggestions(subject, decision);
  const seen = new Set<string>();
  return all.filter(({ rules: own }) => {
    const key = JSON.stringify(own);
    const isNew = !seen.has(key);
    seen.add(key);
    const { decision: made } = decide(
      subject,
      { ...NO_RULES, ...rules, user: own, workspace: [] },
      place,
    );
    return isNew && own.length > 0 && made === decision;
  });
}

function commandSuggestions(
  commands: readonly CommandPiece[],
  files: readonly FilePiece[],
  decision: Decision,
  place: PathPlace,
): readonly Suggestion[] {
  const written = files.flatMap(file => exactFile(file, decision, place));
  const folder = folderPattern(commands[0]?.folders, place);
  const exact = commands.map(piece => sourceOf(piece));
  const ruled = (texts: readonly string[], path?: string): readonly PermissionRule[] => [
    ...new Map(
      texts.map(command => [command, { command, ...(path !== undefined && { path }), decision }]),
    ).values(),
    ...written,
  ];
  return [
    ...(folder === undefined ? [] : [{ scope: 'here', rules: ruled(exact, folder) } as const]),
    { scope: 'everywhere', rules: ruled(exact) },
    ...(decision === 'allow' && commands.some(({ command }) => runsArguments(command.words))
      ? []
      : [{ scope: 'anyArguments', rules: ruled(commands.map(anyArguments)) } as const]),
  ];
}

function fileSuggestions(
  files: readonly FilePiece[],
  decision: Decision,
  place: PathPlace,
): readonly Suggestion[] {
  const kinds = [...new Set(files.map(({ kind }) => kind))];
  const folders = files.flatMap(file =>
    exactFile(file, decision, place).map(({ path = '', ...rule }) => ({
      ...rule,
      path: path.includes('/') ? path.replace(/[^/]*$/, '**') : '*',
    })),
  );
  return [
    { scope: 'file', rules: files.flatMap(file => exactFile(file, decision, place)) },
    {
      scope: 'folder',
      rules: [...new Map(folders.map(rule => [JSON.stringify(rule), rule])).values()],
    },
    { scope: 'kind', rules: kinds.map(kind => ({ kind, decision })) },
  ];
}

function callSuggestions({ title, kind }: Subject, decision: Decision): readonly Suggestion[] {
  const isNamed = title !== '' && !title.includes('*');
  return [
    ...(isNamed ? [{ scope: 'title', rules: [{ kind, title, decision }] } as const] : []),
    ...(kind === 'other' ? [] : [{ scope: 'kind', rules: [{ kind, decision }] } as const]),
  ];
}

/** The file by each of its names, as far as a pattern can name them. */
function exactFile(
  { kind, names }: FilePiece,
  decision: Decision,
  place: PathPlace,
): readonly PermissionRule[] {
  const paths = [...new Set(names.map(name => fromRoot(name, place)))];
  return paths.filter(path => !/[*?{]/.test(path)).map(path => ({ kind, path, decision }));
}

function fromRoot(file: string, { roots }: PathPlace): string {
  const root = roots.find(each => file.startsWith(`${each.replace(/[\\/]$/, '')}/`));
  return root === undefined ? file : file.slice(root.replace(/[\\/]$/, '').length + 1);
}

function folderPattern(
  folders: readonly string[] | undefined,
  { roots }: PathPlace,
): string | undefined {
  const [folder] = folders ?? [];
  if (folder === undefined) return undefined;
  const root = roots.find(each => folder === each || folder.startsWith(`${each}/`)) ?? folder;
  return /[*?{]/.test(root) ? undefined : `${root.replace(/[\\/]$/, '')}/**`;
}

/** The command as it was written, without its redirections. */
function sourceOf({ command, text }: CommandPiece): string {
  const words = [...command.assignments, ...command.words];
  return words.map(({ start, end }) => text.slice(start, end)).join(' ');
}

/** Its program, and the verb behind it, with whatever follows. */
function anyArguments(piece: CommandPiece): string {
  const { command, text } = piece;
  const [program, verb] = command.words;
  if (!program || command.assignments.length > 0) return sourceOf(piece);
  const isVerb = verb && /^[a-z][\w:-]*$/i.test(verb.value) && !isExpanded(verb, text);
  const words = isVerb ? [program, verb] : [program];
  return [...words.map(({ start, end }) => text.slice(start, end)), '*'].join(' ');
}
