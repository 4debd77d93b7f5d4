import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import {
  cutRefs,
  type AskedCall,
  type PermissionRequest,
} from '../../src/session/state/permission';
import type { DiffView } from '../../src/session/state/content';
import { icon } from '../ui/icon';
import { contentView } from './contentView';
import type { ViewContext } from './context';
import { changeCounts, diffWhole } from './diffView';
import { innerIconButton } from './inner';
import { pathReasons, riskSentence } from './riskWords';
import { commandInput, plainTitle } from './toolText';
import { CODE, code, pathView, visible } from './visible';
import { baseName, changeTotals, fatesOf, filesOf, relativePath } from './words';

/** What a request asks, in words and in full. */
export interface Subject {
  readonly question: unknown;
  readonly detail: unknown;
  readonly body: unknown;
  readonly action?: TemplateResult;
}

type Shown = Pick<
  PermissionRequest,
  'id' | 'title' | 'asked' | 'command' | 'risks' | 'restOfInput' | 'warnings'
>;

export function subjectOf(context: ViewContext, request: Shown): Subject {
  const { asked } = request;
  const { cwd } = context.session;
  const diffs = asked.content.flatMap(item => (item.kind === 'diff' ? [item.diff] : []));
  const command = request.command ?? commandOf(context, asked);
  const rest = html`${restView(request, command === undefined && diffs.length === 0)}
  ${blocksOf(context, asked, request.id)} ${warningsView(context, request)}`;
  if (diffs.length > 0) return edits(context, request, diffs, command, rest);
  if (command) {
    const title = plainTitle(request.title);
    const { line, folder, shell } = command;
    const words = title === line || line.startsWith(title) ? nothing : html`${visible(title)}, `;
    return {
      question: l10n.t('Run this command?'),
      detail: html`<p>
        ${words}${inFolder(folder, cwd)}${
          shell === undefined ? nothing : html`, <span class="mono">${visible(shell, CODE)}</span>`
        }
      </p>`,
      body: html`<div class="block">
          <pre class="cmd" tabindex="-1">${commandText(line, request.risks)}</pre>
        </div>
        ${riskView(request)} ${rest}`,
    };
  }
  const places = asked.locations.map(({ path }) => relativePath(path, cwd));
  return {
    question: commandText(request.title, request.risks),
    detail:
      places.length > 0
        ? html`<p>${places.map((path, at) => html`${at > 0 ? ', ' : ''}${pathView(path)}`)}</p>`
        : nothing,
    body: html`${riskView(request)} ${rest}`,
  };
}

function edits(
  context: ViewContext,
  request: Shown,
  diffs: readonly DiffView[],
  command: Shown['command'],
  rest: TemplateResult,
): Subject {
  const { cwd } = context.session;
  const files = filesOf(diffs);
  const { added, removed } = changeTotals(request.asked.content);
  const fates = fatesOf(diffs);
  const [first] = diffs;
  return {
    question: editQuestion(diffs, files),
    detail: html`<p>
      ${files.map((path, at) => html`${at > 0 ? ', ' : ''}${pathView(relativePath(path, cwd))}`)}
      ${changeCounts(added, removed)}${fates === '' || files.length === 1 ? nothing : html` ${fates}`}
    </p>`,
    body: html`${
      command
        ? html`<div class="block">
              <pre class="cmd" tabindex="-1">${commandText(command.line, request.risks)}</pre>
            </div>
            ${riskView(request)}`
        : nothing
    }
    ${diffs.map((diff, at) => diffWhole(context, diff, files.length > 1 && diffs[at - 1]?.path !== diff.path))}
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

function editQuestion(diffs: readonly DiffView[], files: readonly string[]): unknown {
  const [file] = files;
  if (file === undefined || files.length > 1) {
    return l10n.t('Make these edits to {0} files?', files.length);
  }
  const name = baseName(file);
  const is = (change: DiffView['change']) => diffs.every(diff => diff.change === change);
  if (is('deleted')) return visible(l10n.t('Delete {0}?', name), CODE);
  if (is('moved')) return visible(l10n.t('Move {0}?', name), CODE);
  return visible(l10n.t('Make this edit to {0}?', name), CODE);
}

/** For a request whose facts are not known: one of an older version's history. */
function commandOf({ session }: ViewContext, asked: AskedCall): Shown['command'] {
  const input = commandInput(asked);
  const line = input?.line ?? (asked.terminal?.command || undefined);
  return line === undefined
    ? undefined
    : { line, folder: input?.folder ?? asked.terminal?.cwd ?? session.cwd };
}

/** Files are named from the session's folder; a folder that is another one, in full. */
function inFolder(folder: string, cwd: string): unknown {
  const path = folder === cwd ? baseName(folder) : relativePath(folder, cwd);
  const [before, after] = l10n.t('In {0}', '\n').split('\n');
  return html`${before ?? ''}${pathView(path)}${after ?? ''}`;
}

function commandText(line: string, risks: Shown['risks'] = []): unknown {
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

function riskView({ risks }: Pick<Shown, 'risks'>): unknown {
  const first = risks?.[0];
  if (!first) return nothing;
  return warning(
    html`<span class="mono">${visible(first.name, CODE)}</span> ${riskSentence(first.kind)}`,
  );
}

/** Files that deserve a look for the same reasons, in one line. */
function warningsView(context: ViewContext, { warnings = [] }: Shown): unknown {
  const groups = new Map<string, string[]>();
  for (const each of warnings) {
    const reasons = pathReasons(each);
    const name = relativePath(each.path, context.session.cwd);
    groups.set(reasons, [...(groups.get(reasons) ?? []), name]);
  }
  return [...groups].map(([reasons, names]) =>
    warning(
      html`${names.map((name, at) => html`${at > 0 ? ', ' : ''}<b>${pathView(name)}</b>`)}:
      ${reasons}`,
    ),
  );
}

export function warning(words: unknown): TemplateResult {
  return html`<p class="risk">${icon('warning', { tone: 'warn' })}<span>${words}</span></p>`;
}

/** What of the input is shown nowhere else: nothing is hidden in what the user approves. */
function restView({ asked, restOfInput }: Shown, isAlone: boolean): unknown {
  const input = restOfInput ?? (isAlone ? asked.rawInput : undefined);
  if (!input || /^\s*(?:\{\s*\}|null|)\s*$/.test(input.text)) return nothing;
  return html`<div class="block rest">
    <pre class="cmd" tabindex="0">${code(input.text)}</pre>
  </div>`;
}

function blocksOf(
  context: ViewContext,
  { content }: AskedCall,
  key: string,
): readonly TemplateResult[] {
  return content.flatMap((item, index) =>
    item.kind === 'block' ? [contentView(context, item.block, `${key}#${index}`)] : [],
  );
}

/** Whether the card shows all that is asked. */
export function isWhole(request: PermissionRequest): boolean {
  return !request.asked.isCut && cutRefs(request).length === 0;
}
