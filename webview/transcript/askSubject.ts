import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ContentView, DiffView, Preview } from '../../src/session/state/content';
import type { AskedCall, AskedFacts, ShownRequest } from '../../src/session/state/permission';
import { innerIconButton } from '../ui/button';
import { icon } from '../ui/icon';
import { capped, shownLines } from './showAllBox';
import { contentView, openWhole } from './contentView';
import type { ViewContext } from './context';
import { changeCounts, diffWhole } from './diffView';
import { within } from './folds';
import { pathReasons, riskSentence } from './riskWords';
import { commandInput, plainTitle } from './toolText';
import { CODE, code, pathView, visible } from './visibleText';
import { baseName, changeTotals, fatesOf, filesOf, relativePath } from './words';

/** What a request asks, in words and in full. */
export interface Subject {
  readonly question: unknown;
  readonly detail: unknown;
  readonly body: unknown;
  readonly action?: TemplateResult;
}

/** @param key names the folds of what it shows */
export function subjectOf(context: ViewContext, request: ShownRequest, key: string): Subject {
  const { asked, facts, title } = request;
  const { cwd } = context.session;
  const diffs = asked.content.flatMap(item => (item.kind === 'diff' ? [item.diff] : []));
  const command = facts.command ?? commandOf(context, asked);
  const rest = html`${restView(context, request, command === undefined && diffs.length === 0, key)}
  ${blocksOf(context, asked, key)} ${warningsView(context, facts)}`;
  const places = placesOf(asked, diffs, cwd);
  if (diffs.length > 0) return edits(context, request, diffs, command, places, rest, key);
  if (command) {
    const plain = plainTitle(title);
    const isSame = title === command.line || (plain === title && command.line.startsWith(plain));
    const words = isSame ? [] : [visible(title)];
    return {
      question: l10n.t('Run this command?'),
      detail: detailOf([...words, ...folderWords(command, cwd), ...places]),
      body: html`${commandView(context, command.line, facts, key)} ${rest}`,
    };
  }
  return {
    question: asked.toolKind === 'execute' ? commandText(title, facts.risks) : visible(title),
    detail: detailOf(places),
    body: html`${riskView(facts)} ${rest}`,
  };
}

function edits(
  context: ViewContext,
  { asked, facts, title }: ShownRequest,
  diffs: readonly DiffView[],
  command: AskedFacts['command'],
  places: readonly unknown[],
  rest: TemplateResult,
  key: string,
): Subject {
  const { cwd } = context.session;
  const files = filesOf(diffs);
  const { added, removed } = changeTotals(asked.content);
  const fates = files.length === 1 ? '' : fatesOf(diffs);
  const [first] = diffs;
  return {
    question: editQuestion(diffs, files),
    detail: html`<p>
        ${separated(files.map(path => pathView(relativePath(path, cwd))))}
        ${changeCounts(added, removed)} ${fates}
      </p>
      ${detailOf([...titleWords(title, diffs, files, cwd), ...places])}`,
    body: html`${
      command
        ? html`${detailOf(folderWords(command, cwd))}
          ${commandView(context, command.line, facts, key)}`
        : riskView(facts)
    }
    ${diffs.map((diff, at) => diffWhole(context, diff, files.length > 1 && diffs[at - 1]?.path !== diff.path, within(key, `diff${at}`)))}
    ${rest}`,
    ...(first && {
      action: innerIconButton({
        icon: 'diff',
        label: l10n.t('Open Diff'),
        onClick: () => context.send({ type: 'openDiff', ref: first.ref }),
      }),
    }),
  };
}

/** The title of an edit, unless it says no more than the question and the names of its files do. */
function titleWords(
  title: string,
  diffs: readonly DiffView[],
  files: readonly string[],
  cwd: string,
): readonly unknown[] {
  const names = files.flatMap(path => [path, relativePath(path, cwd), baseName(path)]);
  const rest = names.reduce((left, name) => left.replace(name, ''), title);
  const verb = VERBS[fateOf(diffs) ?? 'modified'];
  return /^[\s"'`,:]*$/.test(rest.replace(verb, '')) ? [] : [visible(title, CODE)];
}

type Fate = DiffView['change'];

/** What agents begin the English title of such an edit with. */
const VERBS: { readonly [F in Fate]: RegExp } = {
  added: /^(?:creat|add|writ|edit)[a-z]*\b(?: files?\b)?/i,
  modified: /^(?:edit|writ|overwrit|updat|modif|chang|replac|patch)[a-z]*\b(?: files?\b)?/i,
  deleted: /^(?:delet|remov)[a-z]*\b(?: files?\b)?/i,
  moved: /^(?:mov|renam)[a-z]*\b(?: files?\b)?/i,
};

/** What happens to all of the files, if it is the same. */
function fateOf(diffs: readonly DiffView[]): Fate | undefined {
  const fate = diffs[0]?.change;
  return diffs.every(({ change }) => change === fate) ? fate : undefined;
}

function editQuestion(diffs: readonly DiffView[], files: readonly string[]): string {
  if (files.length > 1) return l10n.t('Make these edits to {0} files?', files.length);
  switch (fateOf(diffs)) {
    case 'added':
      return l10n.t('Create this file?');
    case 'deleted':
      return l10n.t('Delete this file?');
    case 'moved':
      return l10n.t('Move this file?');
    default:
      return l10n.t('Make this edit?');
  }
}

/** For a request whose facts are not known: one of an older version's history. */
function commandOf({ session }: ViewContext, asked: AskedCall): AskedFacts['command'] {
  const input = commandInput(asked);
  const line = input?.line ?? (asked.terminal?.command || undefined);
  return line === undefined
    ? undefined
    : { line, folder: input?.folder ?? asked.terminal?.cwd ?? session.cwd };
}

function detailOf(parts: readonly unknown[]): unknown {
  return parts.length === 0 ? nothing : html`<p>${separated(parts)}</p>`;
}

function separated(parts: readonly unknown[]): readonly unknown[] {
  return parts.map((part, at) => html`${at > 0 ? ', ' : ''}${part}`);
}

/** Files are named from the session's folder; a folder that is another one, in full. */
function folderWords(
  { folder, shell }: NonNullable<AskedFacts['command']>,
  cwd: string,
): readonly unknown[] {
  const path = folder === cwd ? baseName(folder) : relativePath(folder, cwd);
  const [before, after] = l10n.t('In {0}', '\n').split('\n');
  return [
    html`${before ?? ''}${pathView(path)}${after ?? ''}`,
    ...(shell === undefined ? [] : [html`<span class="mono">${visible(shell, CODE)}</span>`]),
  ];
}

/** What else the call names. */
function placesOf(
  { locations }: AskedCall,
  diffs: readonly DiffView[],
  cwd: string,
): readonly unknown[] {
  const known = new Set([cwd, ...diffs.map(({ path }) => path)]);
  const paths = new Set(locations.map(({ path }) => path).filter(path => !known.has(path)));
  return [...paths].map(path => pathView(relativePath(path, cwd)));
}

function commandView(
  context: ViewContext,
  line: string,
  facts: AskedFacts,
  key: string,
): TemplateResult {
  const whole = html`<div class="block">
    <pre class="cmd" tabindex="-1">${commandText(line, facts.risks)}</pre>
  </div>`;
  return html`${capped(context, within(key, 'command'), l10n.t('Command'), shownLines(line), whole)}
  ${riskView(facts)}`;
}

function commandText(line: string, risks: AskedFacts['risks'] = []): unknown {
  if (risks.length === 0) return code(line);
  const pieces: unknown[] = [];
  let at = 0;
  for (const { start, end } of risks) {
    const risky = html`<mark>${visible(line.slice(start, end), CODE)}</mark>`;
    pieces.push(visible(line.slice(at, start), CODE), risky);
    at = end;
  }
  pieces.push(visible(line.slice(at), CODE));
  return html`<bdo dir="ltr">${pieces}</bdo>`;
}

function riskView({ risks }: AskedFacts): unknown {
  const first = risks?.[0];
  if (!first) return nothing;
  const name = html`<span class="mono">${visible(first.name, CODE)}</span>`;
  return warning(html`${name} ${riskSentence(first.kind)}`);
}

/** Files that deserve a look for the same reasons, in one line. */
function warningsView(
  context: ViewContext,
  { warnings = [], moreWarnings = 0 }: AskedFacts,
): readonly unknown[] {
  const groups = new Map<string, unknown[]>();
  for (const each of warnings) {
    const reasons = pathReasons(each);
    const name = html`<b>${pathView(relativePath(each.path, context.session.cwd))}</b>`;
    groups.set(reasons, [...(groups.get(reasons) ?? []), name]);
  }
  return [
    ...[...groups].map(([reasons, names]) => warning(html`${separated(names)}: ${reasons}`)),
    ...(moreWarnings > 0 ? [warning(l10n.t('{0} more files like these', moreWarnings))] : []),
  ];
}

export function warning(words: unknown): TemplateResult {
  return html`<p class="risk">${icon('warning', { tone: 'warn' })}<span>${words}</span></p>`;
}

/** What of the input is shown nowhere else: nothing is hidden in what the user approves. */
function restView(
  context: ViewContext,
  { asked, facts }: ShownRequest,
  isAlone: boolean,
  key: string,
): unknown {
  const input = facts.restOfInput ?? (isAlone ? asked.rawInput : undefined);
  if (!input || /^\s*(?:\{\s*\}|null|)\s*$/.test(input.text)) return nothing;
  return sourceView(context, input, within(key, 'input'));
}

/** Text as it is, also where it is markdown. */
function sourceView(context: ViewContext, preview: Preview, key: string): TemplateResult {
  const whole = html`<div class="block rest">
    <pre class="cmd" tabindex="0">${code(preview.text)}</pre>
  </div>`;
  const lines = shownLines(preview.text);
  return html`${capped(context, key, l10n.t('Input'), lines, whole)} ${openWhole(context, preview)}`;
}

/** Markdown hides what it does not draw, so only a plan is drawn as such: it runs nothing. */
function blocksOf(
  context: ViewContext,
  { content, toolKind }: AskedCall,
  key: string,
): readonly unknown[] {
  const isPlan = toolKind === 'switch_mode' || toolKind === 'think';
  return content.flatMap((item, index) => {
    if (item.kind !== 'block') return [];
    const source = isPlan ? undefined : sourceOf(item.block);
    return [
      source
        ? sourceView(context, source, within(key, String(index)))
        : contentView(context, item.block, within(key, String(index))),
    ];
  });
}

function sourceOf(block: ContentView): Preview | undefined {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'resource':
      return block.text
        ? { ...block.text, text: `${block.uri}\n${block.text.text}` }
        : { text: block.uri, truncated: false };
    case 'unknown':
      return block.json;
    case 'link': {
      const text = [block.title ?? block.name, block.uri, block.description].filter(Boolean);
      return { text: text.join('\n'), truncated: false };
    }
    default:
      return undefined;
  }
}
