/** What a request's card needs to know of its call beside the call itself: that nothing of it stays unseen. */
import * as l10n from '@vscode/l10n';
import { toJson } from '../../base/json';
import { commandInput, parsedInput } from '../state/commandInput';
import type { AskedCall, AskedFacts, PathWarning, ShownRequest } from '../state/permission';
import type { Contents, FileDiff } from '../translate/contents';
import { ContentViews } from '../translate/contentView';
import type { PathRisk } from './pathRisks';
import type { RequestRules } from './requestRules';
import { restOfInput } from './restOfInput';
import { riskyWords } from './riskyWords';
import { riskyPieces } from './commandRisks';

/** @param name under which what is too long for the card is kept */
export function askedFacts(
  asked: AskedCall,
  contents: Contents,
  rules: Pick<RequestRules, 'place' | 'risks'>,
  name: string,
): AskedFacts {
  const { place } = rules;
  const diffs = shownDiffs(asked, contents);
  const input = asked.rawInput && parsedInput(contents.whole(asked.rawInput));
  const command = commandInput(input);
  const line = command?.line ?? terminalCommand(asked);
  const folder = command?.folder ?? asked.terminal?.cwd ?? place.cwd;
  const rest = restOfInput(input, {
    commandFields: command && command.line.length <= MAX_LINE ? command.fields : [],
    diffs,
    texts: shownTexts(asked, line === undefined && diffs.length === 0),
    cwd: place.cwd,
  });
  const restPreview =
    rest === undefined
      ? undefined
      : new ContentViews(contents).input(fieldsText(rest), name, l10n.t('Input'));
  const runs = line ?? (asked.toolKind === 'execute' ? asked.title : '');
  const cwd = isAbsolute(folder) ? folder : `${place.cwd}/${folder}`;
  const from = { ...place, cwd };
  const risks = riskyPieces(runs.slice(0, MAX_LINE), from);
  const folders = line === undefined ? [] : [folder];
  const files = [...namedFiles(asked, diffs, contents), ...folders];
  const warnings = gravestFirst([...warningsOf(files, rules.risks()), ...riskyWords(runs, from)]);
  const shell = command?.shell;
  return {
    ...(line !== undefined && {
      command: { line: line.slice(0, MAX_LINE), folder, ...(shell !== undefined && { shell }) },
    }),
    ...(risks.length > 0 && { risks }),
    ...(restPreview && { restOfInput: restPreview }),
    ...(warnings.length > 0 && { warnings: warnings.slice(0, MAX_WARNINGS) }),
    ...(warnings.length > MAX_WARNINGS && { moreWarnings: warnings.length - MAX_WARNINGS }),
  };
}

/** Some agents name a terminal after the call, whose title is no command. */
export function terminalCommand({ terminal, title }: AskedCall): string | undefined {
  return terminal && terminal.command !== title ? terminal.command || undefined : undefined;
}

/** UTF-16 units of a command that are shown as such; of a longer one the whole input is shown, too. */
const MAX_LINE = 20_000;
/** Nobody reads more; the gravest come first. */
const MAX_WARNINGS = 20;

/** Texts that the card shows whole, as its title in a request that is neither a command nor an edit. */
function shownTexts({ title, content }: AskedCall, showsTitle: boolean): readonly string[] {
  const texts = content.flatMap(item =>
    item.kind === 'block' && item.block.kind === 'text' ? [item.block.text.text] : [],
  );
  return showsTitle ? [title, ...texts] : texts;
}

/** Refs of all that a request shows, or shows the beginning of. */
export function refsOf({ asked, facts }: ShownRequest): readonly string[] {
  const refs = asked.content.map(item => {
    if (item.kind === 'diff') return item.diff.ref;
    if (item.kind === 'terminal') return undefined;
    const { block } = item;
    if (block.kind === 'text') return block.text.ref;
    if (block.kind === 'resource') return block.text?.ref;
    return block.kind === 'unknown' ? block.json.ref : undefined;
  });
  return [...refs, asked.rawInput?.ref, facts.restOfInput?.ref].filter(ref => ref !== undefined);
}

/** The changes of a request as they were shown, where they are still kept. */
export function shownDiffs({ content }: AskedCall, contents: Contents): readonly FileDiff[] {
  return content.flatMap(item => {
    const kept = item.kind === 'diff' ? contents.get(item.diff.ref) : undefined;
    return kept?.kind === 'diff' ? [kept.diff] : [];
  });
}

/** The files of all changes, also of those beyond the ones that are shown as such. */
export function namedFiles(
  { content, locations }: AskedCall,
  diffs: readonly FileDiff[],
  contents: Contents,
): readonly string[] {
  const beyond = content.flatMap(item =>
    item.kind === 'block' && item.block.kind === 'text'
      ? [...contents.whole(item.block.text).matchAll(DIFF_HEAD)].map(match => match[1] ?? '')
      : [],
  );
  return [
    ...diffs.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath])),
    ...locations.map(({ path }) => path),
    ...beyond.filter(path => path !== '/dev/null'),
  ];
}

/** Lines of a diff that name its file. */
const DIFF_HEAD = /^(?:---|\+\+\+|rename (?:from|to)) ([^\t\n]+)/gm;

function warningsOf(
  paths: readonly string[],
  riskOf: (path: string) => PathRisk,
): readonly PathWarning[] {
  return [...new Set(paths)].flatMap(path => {
    const { outside, runs } = riskOf(path);
    return outside || runs ? [{ path, outside, ...(runs && { runs }) }] : [];
  });
}

function gravestFirst(warnings: readonly PathWarning[]): readonly PathWarning[] {
  const all = new Map(warnings.map(warning => [warning.path, warning]));
  const gravity = ({ runs }: PathWarning): number => (runs === undefined ? 0 : 1);
  return [...all.values()].toSorted((a, b) => gravity(b) - gravity(a));
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/~]|[A-Za-z]:)/.test(path);
}

/** A line a field; values as JSON, so that none can look like another field. */
function fieldsText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return typeof value === 'string' ? value : toJson(value, 2);
  }
  return Object.entries(value)
    .map(([key, item]) => `${/^[\w.-]+$/.test(key) ? key : toJson(key)}: ${toJson(item, 2)}`)
    .join('\n');
}
