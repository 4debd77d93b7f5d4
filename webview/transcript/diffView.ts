import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { DiffHunk, DiffView } from '../../src/session/state/content';
import { visibleText } from '../../src/base/visibleText';
import type { ViewContext } from './context';
import { coloredLines } from './diffColors';
import { capped } from './showAllBox';
import { pathView, visible } from './visibleText';
import { relativePath } from './words';

/** Lines of a diff that a card shows before it is opened wide. */
const FIRST_LINES = 8;

/** A diff in a card: the first lines, and the rest on request. */
export function diffInCard(
  context: ViewContext,
  diff: DiffView,
  key: string,
  named: boolean,
): TemplateResult {
  const all = context.folds.get(key, false);
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const hunks = all ? diff.hunks : firstLines(diff.hunks, FIRST_LINES);
  const hidden = total - hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const more =
    hidden > 0
      ? html`<button
          type="button"
          class="more"
          tabindex="-1"
          @click=${() => context.folds.set(key, true)}
        >
          ${hidden === 1 ? l10n.t('Show 1 more line') : l10n.t('Show {0} more lines', hidden)}
        </button>`
      : nothing;
  return html`<figure class="diff" data-fold=${key} aria-label=${diffLabel(context, diff)}>
    ${
      named
        ? html`<div class="hunk cut" title=${diff.path}>
            ${pathView(relativePath(diff.path, context.session.cwd))}
          </div>`
        : nothing
    }
    ${fateView(context, diff)} ${hunks.map(hunk => hunkView(hunk, diff))} ${more}
    ${diff.truncated && hidden === 0 ? restButton(context, diff) : nothing}
  </figure>`;
}

/** A diff in a request: whole, and wrapped; a long one in a box of its own. */
export function diffWhole(
  context: ViewContext,
  diff: DiffView,
  named: boolean,
  key: string,
): TemplateResult {
  const lines = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const whole = html`<figure class="block diff wrap" aria-label=${diffLabel(context, diff)}>
    ${
      named
        ? html`<div class="hunk file" title=${diff.path}>
            ${pathView(relativePath(diff.path, context.session.cwd))}
          </div>`
        : nothing
    }
    ${fateView(context, diff)} ${diff.hunks.map(hunk => hunkView(hunk, diff))}
    ${diff.truncated ? restButton(context, diff) : nothing}
  </figure>`;
  return capped(context, key, diffLabel(context, diff), lines, whole);
}

function restButton(context: ViewContext, diff: DiffView): TemplateResult {
  return html`<button
    type="button"
    class="more"
    @click=${() => context.send({ type: 'openDiff', ref: diff.ref })}
  >
    ${l10n.t('Open Diff to see the rest')}
  </button>`;
}

function diffLabel(context: ViewContext, diff: DiffView): string {
  return l10n.t('Diff of {0}', visibleText(relativePath(diff.path, context.session.cwd)));
}

function hunkView(hunk: DiffHunk, diff: DiffView): TemplateResult {
  // Written without gaps: every character inside `pre` shows.
  return html`<div class="hunk cut">${hunkTitle(hunk, diff)}</div>
    <pre tabindex="-1"><code>${coloredLines(hunk.lines, diff.path)}</code></pre>`;
}

function hunkTitle(hunk: DiffHunk, diff: DiffView): string {
  if (diff.change === 'added') return l10n.t('New file');
  if (diff.change === 'deleted') return l10n.t('Deleted file');
  if (diff.oldTextUnknown) return l10n.t('New text of the whole file');
  if (diff.lineUnknown) return l10n.t('Part of the file');
  return l10n.t('Line {0}', hunk.line);
}

/** What happens to the file, where its lines do not say it. */
function fateView(context: ViewContext, diff: DiffView): TemplateResult | typeof nothing {
  const words = fateWords(context, diff);
  return words === undefined ? nothing : html`<div class="hunk">${visible(words)}</div>`;
}

function fateWords(context: ViewContext, diff: DiffView): string | undefined {
  const { change, oldPath, oldTextUnknown, hunks } = diff;
  if (change === 'moved') {
    if (oldPath === undefined) return l10n.t('Moved file');
    return l10n.t('Moved from {0}', relativePath(oldPath, context.session.cwd));
  }
  if (change === 'deleted' && (oldTextUnknown || hunks.length === 0)) {
    return l10n.t('The agent does not show the text of the file it deletes.');
  }
  if (hunks.length > 0) return undefined;
  if (change === 'added') return l10n.t('New file, without text');
  return oldTextUnknown
    ? l10n.t('The agent does not show what it changes in this file.')
    : l10n.t('No lines are changed.');
}

function firstLines(hunks: readonly DiffHunk[], count: number): readonly DiffHunk[] {
  const shown: DiffHunk[] = [];
  let left = count;
  for (const hunk of hunks) {
    if (left <= 0) break;
    // "Show 1 more line" takes as much room as the line.
    const lines =
      hunk.lines.length <= left + 1 && hunks.length === 1 ? hunk.lines : hunk.lines.slice(0, left);
    shown.push(lines.length === hunk.lines.length ? hunk : { line: hunk.line, lines });
    left -= lines.length;
  }
  return shown;
}

/** `+5 −2`, with words for those who do not see it. */
export function changeCounts(added: number, removed: number): TemplateResult | typeof nothing {
  if (added === 0 && removed === 0) return nothing;
  const plus = added > 0 ? html`<span class="add">+${added}</span>` : nothing;
  const minus = removed > 0 ? html`<span class="del">−${removed}</span>` : nothing;
  return html`<span class="num" aria-hidden="true">${plus} ${minus}</span>`;
}
