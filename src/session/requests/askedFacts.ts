/** What a request's card needs to know of its call beside the call itself: that nothing of it stays unseen. */
import * as l10n from '@vscode/l10n';
import { toJson } from '../../base/json';
import { commandInput } from '../state/commandInput';
import type { AskedCall, AskedFacts, PathWarning } from '../state/permission';
import type { Preview } from '../state/content';
import type { Contents, FileDiff } from '../translate/contents';
import { ContentViews } from '../translate/contentView';
import { pathRisk, riskyWords, type PathPlace } from './pathRisks';
import { restOfInput } from './restOfInput';
import { riskyPieces } from './commandRisks';

export interface AskedCallFacts extends AskedFacts {
  /** Refs of what the card shows, or shows the beginning of. */
  readonly refs: readonly string[];
}

/** @param name under which what is too long for the card is kept */
export function askedFacts(
  asked: AskedCall,
  contents: Contents,
  place: PathPlace,
  name: string,
): AskedCallFacts {
  const diffs = shownDiffs(asked, contents);
  const input = wholeInput(asked.rawInput, contents);
  const command = commandInput(input);
  const rest = restOfInput(input, {
    title: asked.title,
    commandFields: command?.fields ?? [],
    diffs,
    texts: asked.content.flatMap(item =>
      item.kind === 'block' && item.block.kind === 'text' ? [item.block.text.text] : [],
    ),
    cwd: place.cwd,
  });
  const line = command?.line ?? (asked.terminal?.command || undefined);
  const folder = command?.folder ?? asked.terminal?.cwd ?? place.cwd;
  const paths = [
    ...diffs.map(({ path }) => path),
    ...asked.locations.map(({ path }) => path),
    ...(line === undefined ? [] : [folder]),
  ];
  const warnings = [...warningsOf(paths, place), ...riskyWords(line ?? '', place)];
  const runs = line ?? (asked.toolKind === 'execute' ? asked.title : '');
  const risks = riskyPieces(runs);
  const restPreview =
    rest === undefined
      ? undefined
      : new ContentViews(contents).input(fieldsText(rest), name, l10n.t('Input'));
  const shell = command?.shell;
  return {
    ...(line !== undefined && { command: { line, folder, ...(shell !== undefined && { shell }) } }),
    ...(risks.length > 0 && { risks }),
    ...(restPreview && { restOfInput: restPreview }),
    ...(warnings.length > 0 && { warnings: distinct(warnings).slice(0, MAX_WARNINGS) }),
    refs: refsOf(asked, restPreview),
  };
}

/** Nobody reads more; the paths themselves are all shown. */
const MAX_WARNINGS = 20;

/** The changes of a request as they were shown, where they are still kept. */
export function shownDiffs({ content }: AskedCall, contents: Contents): readonly FileDiff[] {
  return content.flatMap(item => {
    const kept = item.kind === 'diff' ? contents.get(item.diff.ref) : undefined;
    return kept?.kind === 'diff' ? [kept.diff] : [];
  });
}

/** The input as a value, or as the text that it is; undefined when there is none. */
function wholeInput(preview: Preview | undefined, contents: Contents): unknown {
  if (!preview) return undefined;
  const kept = preview.ref === undefined ? undefined : contents.get(preview.ref);
  const text = kept?.kind === 'text' ? kept.text : preview.text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function warningsOf(paths: readonly string[], place: PathPlace): readonly PathWarning[] {
  return paths.flatMap(path => {
    const { outside, runs } = pathRisk(path, place);
    return outside || runs ? [{ path, outside, ...(runs && { runs }) }] : [];
  });
}

function distinct(warnings: readonly PathWarning[]): readonly PathWarning[] {
  return [...new Map(warnings.map(warning => [warning.path, warning])).values()];
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

function refsOf(asked: AskedCall, rest: Preview | undefined): readonly string[] {
  const refs = asked.content.map(item => {
    if (item.kind === 'diff') return item.diff.ref;
    if (item.kind === 'terminal') return undefined;
    const { block } = item;
    if (block.kind === 'text') return block.text.ref;
    if (block.kind === 'resource') return block.text?.ref;
    return block.kind === 'unknown' ? block.json.ref : undefined;
  });
  return [...refs, asked.rawInput?.ref, rest?.ref].filter(ref => ref !== undefined);
}
