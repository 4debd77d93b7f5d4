import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/lifecycle';
import type { Disposable } from '../../../base/lifecycle';
import { linesOf } from '../../../review/core/lines';
import { endingsOnly } from '../../../review/core/lineEndings';
import type { FileContent, Hunk, PendingFile } from '../../../review/model';
import type { Review } from '../../../review/review';

/** Deleted lines shown in a hover; more are to be seen in the diff. */
const MAX_HOVER_LINES = 30;
/** UTF-16 units of one line in a hover. */
const MAX_HOVER_LINE = 300;

/** UTF-16 units of removed text that are drawn behind a line. */
const MAX_GHOST = 60;

const HOVER_COMMANDS = [
  'parley.keepChange',
  'parley.undoChange',
  'parley.openChanges',
  'parley.commentOnChange',
];

/**
 * Pending changes in normal editors: a bar beside the agent's lines, marks in the overview ruler, and what
 * was there before in a hover. Diff editors show all of that by themselves.
 */
export class ReviewDecorations implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changedLines = this.changed({
    backgroundColor: new vscode.ThemeColor('parley.pendingLineBackground'),
  });
  /** What these lines say is not the agent's, only how they end. */
  private readonly endedLines = this.changed({});
  /** Lines were removed behind this line. */
  private readonly removedBelow = this.removed('0 0 1px 0');
  /** Lines were removed before the first line. */
  private readonly removedAbove = this.removed('1px 0 0 0');
  /** Carries the count of lines that others took the place of. */
  private readonly replaced = this.type({});

  /** By path and by hunk: the same hunk says the same, and there may be hundreds with every key. */
  private readonly hovers = new Map<string, ReadonlyMap<string, vscode.MarkdownString>>();
  private readonly decorated = new WeakSet<vscode.TextEditor>();

  constructor(private readonly review: Review) {
    this.disposables.add(review.onDidChange(() => this.update()));
    this.disposables.add(vscode.window.onDidChangeVisibleTextEditors(() => this.update()));
    this.disposables.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // It was read again, and may have been behind what the review has known for a while.
        if (!document.isDirty) this.update(document);
      }),
    );
    this.update();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** @param only the document whose editors are meant; without it all that are to be seen */
  private update(only?: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (only && editor.document !== only) continue;
      // Both halves of a diff and the parts of a multi-file diff stand in no column.
      if (editor.viewColumn === undefined || editor.document.uri.scheme !== 'file') continue;
      const file = this.review.get(editor.document.uri.fsPath);
      if (!file && !this.decorated.has(editor)) continue;
      this.decorate(editor, file?.change === 'deleted' ? undefined : file);
      if (file) this.decorated.add(editor);
      else this.decorated.delete(editor);
    }
    for (const path of this.hovers.keys()) if (!this.review.get(path)) this.hovers.delete(path);
  }

  private decorate(editor: vscode.TextEditor, file: PendingFile | undefined): void {
    const { document } = editor;
    const changed: vscode.DecorationOptions[] = [];
    const ended: vscode.DecorationOptions[] = [];
    const below: vscode.DecorationOptions[] = [];
    const above: vscode.DecorationOptions[] = [];
    const replaced: vscode.DecorationOptions[] = [];
    const last = document.lineCount - 1;
    const hovers = file && this.hoversOf(file, document.languageId);
    for (const hunk of file?.hunks ?? []) {
      const { id, current, baseline } = hunk;
      const hover = file && withAgents(file, hovers?.get(id));
      const first = Math.min(current.start, last);
      if (current.count === 0) {
        const line = document.lineAt(Math.max(0, first - 1 + (current.start > last ? 1 : 0)));
        const options = {
          range: line.range,
          ...(hover && { hoverMessage: hover }),
          renderOptions: removedLabel(file?.baseline, hunk),
        };
        (current.start === 0 ? above : below).push(options);
        continue;
      }
      const end = Math.min(current.start + current.count - 1, last);
      const range = new vscode.Range(first, 0, end, document.lineAt(end).range.end.character);
      const endings = file && endingsOnly(file, [hunk]);
      const lines = endings === undefined ? changed : ended;
      lines.push({ range, ...(hover && { hoverMessage: hover }) });
      if (baseline.count > 0) {
        replaced.push({
          range: document.lineAt(first).range,
          renderOptions:
            endings === undefined
              ? removedLabel(file?.baseline, hunk)
              : label(endingsTitle(endings), 'parley.pendingForeground'),
        });
      }
    }
    editor.setDecorations(this.changedLines, changed);
    editor.setDecorations(this.endedLines, ended);
    editor.setDecorations(this.removedBelow, below);
    editor.setDecorations(this.removedAbove, above);
    editor.setDecorations(this.replaced, replaced);
  }

  private hoversOf(
    file: PendingFile,
    language: string,
  ): ReadonlyMap<string, vscode.MarkdownString> {
    const known = this.hovers.get(file.path);
    const hovers = new Map(
      file.hunks
        .filter(({ baseline }) => baseline.count > 0)
        .map(hunk => [hunk.id, known?.get(hunk.id) ?? this.hover(file, hunk, language)]),
    );
    this.hovers.set(file.path, hovers);
    return hovers;
  }

  private hover(file: PendingFile, hunk: Hunk, language: string): vscode.MarkdownString {
    const { start, count } = hunk.baseline;
    const shown = linesOf(file.baseline)
      .slice(start, start + Math.min(count, MAX_HOVER_LINES))
      .map(line => line.replace(/\r?\n$/, ''))
      .map(line => (line.length > MAX_HOVER_LINE ? `${line.slice(0, MAX_HOVER_LINE)}…` : line));
    const hover = new vscode.MarkdownString();
    hover.isTrusted = { enabledCommands: HOVER_COMMANDS };
    const endings = endingsOnly(file, [hunk]);
    if (endings !== undefined) {
      hover.appendMarkdown(`**${endingsTitle(endings)}**\n\n`);
      hover.appendMarkdown(decisions(file, hunk));
      return hover;
    }
    const title =
      hunk.current.count === 0
        ? vscode.l10n.t('Removed by the agent')
        : vscode.l10n.t("Before the agent's change");
    hover.appendMarkdown(`**${title}**\n`);
    hover.appendCodeblock(shown.join('\n'), language);
    const uri = vscode.Uri.file(file.path).toString();
    const more = count - shown.length;
    if (more > 0) {
      const rest = vscode.l10n.t('{0} more lines', more);
      hover.appendMarkdown(`[${rest}](${link('parley.openChanges', [uri])})\n\n`);
    }
    hover.appendMarkdown(decisions(file, hunk));
    return hover;
  }

  private changed(options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType {
    return this.type({
      isWholeLine: true,
      borderColor: new vscode.ThemeColor('parley.pendingForeground'),
      borderStyle: 'solid',
      borderWidth: '0 0 0 2px',
      overviewRulerColor: new vscode.ThemeColor('parley.pendingForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
      ...options,
    });
  }

  private removed(borderWidth: string): vscode.TextEditorDecorationType {
    return this.type({
      isWholeLine: true,
      borderColor: new vscode.ThemeColor('parley.removedForeground'),
      borderStyle: 'solid',
      borderWidth,
      overviewRulerColor: new vscode.ThemeColor('parley.removedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
    });
  }

  private type(options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType {
    return this.disposables.add(vscode.window.createTextEditorDecorationType(options));
  }
}

/** The hover, below a word on what is nobody's for certain. */
function withAgents(
  { unclaimed }: PendingFile,
  hover: vscode.MarkdownString | undefined,
): vscode.MarkdownString[] | undefined {
  if (!unclaimed) return hover && [hover];
  const note = new vscode.MarkdownString();
  note.appendText(vscode.l10n.t('Changed while {0} worked', unclaimed.join(', ')));
  return hover ? [note, hover] : [note];
}

/** The first removed line where it is short, and how many more there are. */
function removedLabel(
  baseline: FileContent = { kind: 'absent' },
  { baseline: { start, count } }: Hunk,
): vscode.DecorationInstanceRenderOptions {
  const first = linesOf(baseline)[start]?.trim() ?? '';
  const fits = first !== '' && first.length <= MAX_GHOST;
  const lines = count === 1 ? vscode.l10n.t('−1 line') : vscode.l10n.t('−{0} lines', count);
  if (!fits) return label(lines, 'parley.removedForeground');
  return label(count === 1 ? `− ${first}` : `− ${first} … ${lines}`, 'parley.removedForeground');
}

function label(text: string, color: string): vscode.DecorationInstanceRenderOptions {
  return {
    after: {
      contentText: text,
      color: new vscode.ThemeColor(color),
      margin: '0 0 0 2em',
      fontStyle: 'italic',
    },
  };
}

function endingsTitle(endings: string): string {
  return vscode.l10n.t('Line endings only ({0})', endings);
}

function decisions({ path }: PendingFile, { id }: Hunk): string {
  const target = [vscode.Uri.file(path).toString(), id];
  const links: readonly (readonly [string, string])[] = [
    [vscode.l10n.t('Keep'), link('parley.keepChange', target)],
    [vscode.l10n.t('Undo'), link('parley.undoChange', target)],
    [vscode.l10n.t('Open Diff'), link('parley.openChanges', target)],
    [vscode.l10n.t('Comment'), link('parley.commentOnChange', target)],
  ];
  return links.map(([title, command]) => `[${title}](${command})`).join(' \u00a0·\u00a0 ');
}

function link(command: string, args: readonly unknown[]): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;
}
