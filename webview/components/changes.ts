import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import * as l10n from '@vscode/l10n';
import type { ChangedFile, PanelChanges } from '../../src/shared/panelState';
import { emitIntent } from '../intent';
import { changeCounts } from '../transcript/diffView';
import { pathReasons } from '../transcript/riskWords';
import { changeWords } from '../transcript/words';
import { button } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';

/** A row's controls by their place in it: arrows keep the place when they change the row. */
const CONTROLS = 'button';

/**
 * `<parley-changes>`, the region "Changes" of the dock: what agents changed and nobody has decided on, in one
 * row that opens to a row per file. Up and Down move between the files, which are one stop of the Tab key.
 * Tells `parley-fold` when its row is pressed.
 */
@customElement('parley-changes')
export class ChangesElement extends LightElement {
  @property({ attribute: false }) changes: PanelChanges | undefined;
  @property({ attribute: false }) open = false;
  /** Deciding is the panel's next step: nothing runs and nothing else waits. */
  @property({ attribute: false }) settled = false;
  /** The file whose controls Tab reaches. */
  @state() private current: string | undefined;
  private focused: { readonly row: number; readonly place: number } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.role = 'region';
    this.ariaLabel = l10n.t('Changes');
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.focused = changed.has('changes') ? this.focusedPlace() : undefined;
  }

  /** The focus stays in the list when the file that had it is decided on. */
  protected override updated(): void {
    const { focused } = this;
    this.focused = undefined;
    if (!focused || this.contains(document.activeElement)) return;
    const rows = this.rows();
    const row = rows[Math.min(focused.row, rows.length - 1)];
    const next = row?.querySelectorAll<HTMLElement>(CONTROLS)[focused.place];
    (next ?? this.querySelector<HTMLElement>('.turner'))?.focus();
  }

  protected override render() {
    const { changes, open } = this;
    if (!changes) return nothing;
    const { files, added, removed } = changes;
    const title = files.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', files.length);
    return html`<div class="rowh">
        <button
          type="button"
          class="turner"
          aria-expanded=${open}
          @click=${() => this.dispatchEvent(new CustomEvent('parley-fold'))}
        >
          ${icon(open ? 'chevron-down' : 'chevron-right', { small: true })}<b>${title}</b
          ><span class="sum">${changeCounts(added, removed)}</span
          ><span class="vh">${changeWords(added, removed)}</span>
        </button>
        <div class="acts">
          ${button({
            label: l10n.t('Review'),
            kind: 'secondary',
            tiny: true,
            icon: 'diff-multiple',
            className: 'review',
            title: l10n.t('Review all changes in one editor'),
            onClick: () => emitIntent(this, { type: 'reviewChanges' }),
          })}
          ${button({
            label: l10n.t('Keep all'),
            short: l10n.t('Keep'),
            kind: this.settled ? 'primary' : 'plain',
            tiny: true,
            onClick: () => emitIntent(this, { type: 'keepAllChanges' }),
          })}
          ${button({
            label: l10n.t('Undo all'),
            short: l10n.t('Undo'),
            kind: 'plain',
            tiny: true,
            onClick: () => emitIntent(this, { type: 'undoAllChanges' }),
          })}
        </div>
      </div>
      ${open ? this.list(files) : nothing}`;
  }

  private list(files: readonly ChangedFile[]): TemplateResult {
    const stop = files.some(({ id }) => id === this.current)
      ? this.current
      : (files.find(({ unclaimed }) => !unclaimed) ?? files[0])?.id;
    const agents = this.changes?.agents;
    const rows = (some: readonly ChangedFile[]) =>
      repeat(
        some,
        ({ id }) => id,
        file => this.row(file, file.id === stop ? 0 : -1),
      );
    return html`<ul
      class="files"
      aria-label=${l10n.t('Changed files')}
      @keydown=${(event: KeyboardEvent) => this.onKey(event)}
    >
      ${rows(files.filter(({ unclaimed }) => !unclaimed))} ${agents ? this.group(agents) : nothing}
      ${rows(files.filter(({ unclaimed }) => unclaimed))}
    </ul>`;
  }

  /** The head of what nothing says an agent changed. */
  private group(agents: string): TemplateResult {
    const title = l10n.t('Changed while {0} worked', agents);
    return html`<li class="while">
      <span class="dir">${title}</span>${button({
        label: l10n.t("Not the Agent's"),
        kind: 'plain',
        tiny: true,
        onClick: () => emitIntent(this, { type: 'notTheAgents' }),
      })}
    </li>`;
  }

  private row(file: ChangedFile, tabIndex: 0 | -1): TemplateResult {
    const { id, label, folder, added, removed, endings } = file;
    const [glyph, word] = changeSign(file);
    const warning = pathReasons({ outside: false, runs: file.runs });
    const path = folder ? `${folder}/${label}` : label;
    const act = (
      type: 'undoFileChanges' | 'keepFileChanges' | 'notTheAgents',
      glyphName: string,
      name: string,
      title: string,
    ) =>
      html`<button
        type="button"
        class="icon"
        tabindex=${tabIndex}
        aria-label=${name}
        title=${title}
        @click=${() => emitIntent(this, { type, id })}
      >
        ${icon(glyphName)}
      </button>`;
    return html`<li @focusin=${() => (this.current = id)}>
      <span class="what" title=${word}>${icon(glyph)}</span>
      <button
        type="button"
        class="name"
        tabindex=${tabIndex}
        title=${l10n.t('{0}: {1}', word, path)}
        @click=${() => emitIntent(this, { type: 'openChange', id })}
      >
        <span class="cut">${label}</span>${
          warning
            ? html`<span title=${warning}>${icon('warning', { small: true, tone: 'warn' })}</span>`
            : nothing
        }${folder ? html`<span class="dir cut hide-xs">${folder}</span>` : nothing}<span class="vh"
          >,
          ${word}${added + removed > 0 ? `, ${changeWords(added, removed)}` : nothing}${
            warning ? `, ${warning}` : nothing
          }</span
        >
      </button>
      ${endings ? html`<span class="dir">${endings}</span>` : changeCounts(added, removed)}
      ${act('keepFileChanges', 'check', l10n.t('Keep All Changes in File: {0}', label), l10n.t('Keep'))}
      ${act('undoFileChanges', 'discard', l10n.t('Undo All Changes in File: {0}', label), l10n.t('Undo'))}
      ${file.unclaimed ? act('notTheAgents', 'circle-slash', l10n.t("Not the Agent's: {0}", label), l10n.t("Not the Agent's")) : nothing}
    </li>`;
  }

  private onKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const here = this.focusedPlace();
    const row = here && this.rows()[here.row + step];
    if (step === 0 || !here || !row) return;
    event.preventDefault();
    row.querySelectorAll<HTMLElement>(CONTROLS)[here.place]?.focus();
  }

  private focusedPlace(): ChangesElement['focused'] {
    const { activeElement } = document;
    const row = this.rows().findIndex(item => item.contains(activeElement));
    const controls = this.rows()[row]?.querySelectorAll(CONTROLS) ?? [];
    const place = [...controls].findIndex(control => control === activeElement);
    return row < 0 || place < 0 ? undefined : { row, place };
  }

  private rows(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.files > li:not(.while)')];
  }
}

function changeSign({ change, endings }: ChangedFile): readonly [string, string] {
  if (endings) return ['edit', l10n.t('Line endings only ({0})', endings)];
  switch (change) {
    case 'created':
      return ['add', l10n.t('Added')];
    case 'modified':
      return ['edit', l10n.t('Edited')];
    case 'deleted':
      return ['trash', l10n.t('Deleted')];
    case 'renamed':
      return ['file-symlink-file', l10n.t('Renamed')];
  }
}
