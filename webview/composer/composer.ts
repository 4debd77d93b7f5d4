import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import * as l10n from '@vscode/l10n';
import type { AvailableCommand, Connection, Draft } from '../../src/session/state/state';
import type { PanelState } from '../../src/shared/panelState';
import { emitIntent } from '../intent';
import { iconButton } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { chips } from './chips';
import { matchCommands, typedCommand, type CommandMatch } from './commandMatch';
import { COMMAND_LIST_ID, commandOptionId, commandPopup } from './commandPopup';
import { composerHint } from './composerHint';
import { DraftSync } from './draftSync';
import { hasFiles, pickImages } from './images';
import { PromptRecall } from './promptRecall';

/** What a composer tells about its draft: the chat may have changed by the time it is sent. */
export interface DraftDetail {
  readonly chatId: string;
  readonly text: string;
}

const GROWS_BY_ITSELF = CSS.supports('field-sizing', 'content');

/** Where the message is written. Tells `parley-draft` while typing; everything else as intents. */
@customElement('parley-composer')
export class ComposerElement extends LightElement {
  @property({ attribute: false }) chatId = '';
  @property({ attribute: false }) draft: Draft | undefined;
  @property({ attribute: false }) agentName = '';
  @property({ attribute: false }) connection: Connection['kind'] = 'stopped';
  @property({ attribute: false }) commands: readonly AvailableCommand[] = [];
  @property({ attribute: false }) takesImages = false;
  @property({ attribute: false }) running = false;
  @property({ attribute: false }) cancelling = false;
  /** Earlier prompts of the chat, oldest first. */
  @property({ attribute: false }) prompts: readonly string[] = [];
  @property({ attribute: false }) activeEditor: PanelState['activeEditor'];

  @state() private text = '';
  @state() private current = 0;
  /** The text for which Esc closed the list of commands. */
  @state() private dismissed: string | undefined;
  @state() private refusal: string | undefined;
  @state() private dropping = false;

  private readonly drafts = new DraftSync((chatId, text) =>
    this.dispatchEvent(
      new CustomEvent<DraftDetail>('parley-draft', { detail: { chatId, text }, bubbles: true }),
    ),
  );
  private readonly recall = new PromptRecall();
  private found: readonly CommandMatch[] = [];
  private readonly flush = () => this.drafts.flush();

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.flush);
    window.addEventListener('pagehide', this.flush);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.flush();
    document.removeEventListener('visibilitychange', this.flush);
    window.removeEventListener('pagehide', this.flush);
  }

  override focus(): void {
    this.area?.focus();
  }

  /** Puts `prompt` after what stands there, and the caret behind it. */
  suggest(prompt: string): void {
    this.setText(this.text.trim() === '' ? prompt : `${this.text}\n${prompt}`);
    void this.updateComplete.then(() => {
      this.area?.focus();
      this.area?.setSelectionRange(this.text.length, this.text.length);
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if ((changed.has('draft') || changed.has('chatId')) && this.draft) {
      const busy = document.hasFocus() && document.activeElement === this.area;
      const text = this.drafts.accept(this.chatId, this.draft, this.text, busy);
      if (text !== undefined) this.text = text;
    }
    if (changed.has('chatId')) this.refusal = undefined;
    const query = this.text === this.dismissed ? undefined : typedCommand(this.text);
    this.found = query === undefined ? [] : matchCommands(this.commands, query);
    if (this.current >= this.found.length) this.current = 0;
  }

  protected override render() {
    const open = this.found.length > 0;
    const attachments = this.draft?.attachments ?? [];
    return html`<div class="composer" @focusout=${this.flush}>
      ${open ? commandPopup(this.found, this.current, index => this.choose(index)) : nothing}
      <div
        class=${this.dropping ? 'box drop' : 'box'}
        @dragover=${(event: DragEvent) => this.onDragOver(event)}
        @dragleave=${() => (this.dropping = false)}
        @drop=${(event: DragEvent) => this.onDrop(event)}
      >
        ${chips(attachments, this.offer(), {
          open: attachmentId => emitIntent(this, { type: 'openAttachment', attachmentId }),
          remove: attachmentId => emitIntent(this, { type: 'removeAttachment', attachmentId }),
          take: () => emitIntent(this, { type: 'addSelection' }),
        })}
        <textarea
          aria-label=${l10n.t('Message')}
          aria-autocomplete="list"
          aria-controls=${ifDefined(open ? COMMAND_LIST_ID : undefined)}
          aria-activedescendant=${ifDefined(open ? commandOptionId(this.current) : undefined)}
          rows="1"
          placeholder=${l10n.t('Ask {0}', this.agentName)}
          .value=${live(this.text)}
          @input=${(event: Event) => this.onInput(event)}
          @keydown=${(event: KeyboardEvent) => this.onKey(event)}
          @paste=${(event: ClipboardEvent) => this.onPaste(event)}
        ></textarea>
        ${
          this.refusal
            ? html`<p class="refusal" role="alert">
                ${icon('warning', { small: true, tone: 'warn' })}<span>${this.refusal}</span>
              </p>`
            : nothing
        }
        <div class="tools">
          ${iconButton({
            icon: 'add',
            label: l10n.t('Add Context'),
            title: l10n.t('Add Context…'),
            onClick: () => emitIntent(this, { type: 'addContext' }),
          })}
          ${composerHint({
            agentName: this.agentName,
            connection: this.connection,
            running: this.running,
            text: this.text,
            commands: this.commands,
          })}
          <span class="grow"></span>
          ${this.running ? this.stopButton() : nothing}
          ${this.running && !this.canSend ? nothing : this.sendButton()}
        </div>
      </div>
    </div>`;
  }

  protected override updated(): void {
    if (!GROWS_BY_ITSELF && this.area) {
      this.area.style.height = 'auto';
      this.area.style.height = `${this.area.scrollHeight}px`;
    }
    this.querySelector('.pop .here')?.scrollIntoView({ block: 'nearest' });
  }

  private get area(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  private get canSend(): boolean {
    return this.text.trim() !== '' || (this.draft?.attachments.length ?? 0) > 0;
  }

  /** The open file, while it is likely to be meant: something is selected in it, or the chat is new. */
  private offer(): PanelState['activeEditor'] {
    const { activeEditor, running } = this;
    if (!activeEditor || running) return undefined;
    const taken =
      this.draft?.attachments.some(({ label }) => label === activeEditor.label) === true;
    const meant = activeEditor.hasSelection || this.prompts.length === 0;
    return meant && !taken ? activeEditor : undefined;
  }

  private stopButton(): TemplateResult {
    return html`<button
      type="button"
      class="btn send"
      aria-label=${l10n.t('Stop')}
      title=${this.cancelling ? l10n.t('Stopping…') : l10n.t('Stop (Esc)')}
      ?disabled=${this.cancelling}
      @click=${() => this.stop()}
    >
      <i class="sq" aria-hidden="true"></i>
    </button>`;
  }

  private sendButton(): TemplateResult {
    const title = !this.canSend
      ? l10n.t('Type a message first')
      : this.running
        ? l10n.t('Send (Enter): queued until this turn ends')
        : l10n.t('Send (Enter)');
    return html`<button
      type="button"
      class="btn primary send"
      aria-label=${l10n.t('Send')}
      title=${title}
      ?disabled=${!this.canSend}
      @click=${() => this.send()}
    >
      ${icon('arrow-up')}
    </button>`;
  }

  private setText(text: string): void {
    this.text = text;
    this.dismissed = undefined;
    this.drafts.typed(text);
  }

  private send(): void {
    if (!this.canSend) return;
    emitIntent(this, { type: 'send', text: this.text });
    this.drafts.sent();
    this.text = '';
    this.refusal = undefined;
    this.area?.focus();
  }

  private stop(): void {
    if (this.running && !this.cancelling) emitIntent(this, { type: 'stop' });
    this.area?.focus();
  }

  private choose(index: number): void {
    const command = this.found[index]?.command;
    if (!command) return;
    this.setText(`/${command.name} `);
    this.area?.focus();
  }

  private onInput(event: Event): void {
    this.refusal = undefined;
    this.setText((event.target as HTMLTextAreaElement).value);
  }

  private onKey(event: KeyboardEvent): void {
    // Enter and Esc belong to the input method while it composes.
    if (event.isComposing || event.keyCode === 229) return;
    if (this.found.length > 0 && this.onPopupKey(event)) {
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case 'Enter':
        if (event.shiftKey || event.altKey) return;
        event.preventDefault();
        this.send();
        return;
      case 'Escape':
        event.preventDefault();
        this.stop();
        return;
      case 'ArrowUp':
      case 'ArrowDown':
        this.onArrow(event, event.key);
        return;
      default:
    }
  }

  /** True when the key belongs to the list of commands. */
  private onPopupKey(event: KeyboardEvent): boolean {
    const { found, current } = this;
    switch (event.key) {
      case 'ArrowDown':
        this.current = (current + 1) % found.length;
        return true;
      case 'ArrowUp':
        this.current = (current - 1 + found.length) % found.length;
        return true;
      case 'Escape':
        this.dismissed = this.text;
        return true;
      case 'Enter':
      case 'Tab': {
        if (event.shiftKey) return false;
        const command = found[current]?.command;
        // A name typed in full, with nothing to add, is a message.
        const complete = command && this.text === `/${command.name}` && !command.hint;
        if (event.key === 'Enter' && complete) return false;
        this.choose(current);
        return true;
      }
      default:
        return false;
    }
  }

  private onArrow(event: KeyboardEvent, key: 'ArrowUp' | 'ArrowDown'): void {
    const { area } = this;
    if (!area || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const { selectionStart, selectionEnd, value } = area;
    const atEdge =
      selectionStart === selectionEnd && (selectionStart === 0 || selectionStart === value.length);
    const prompt = this.recall.key(key, this.text, this.prompts, atEdge);
    if (prompt === undefined) return;
    event.preventDefault();
    this.setText(prompt);
  }

  private onPaste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    // Text wins: office programs put a picture of it beside it.
    if (files.length === 0 || event.clipboardData?.getData('text/plain')) return;
    event.preventDefault();
    void this.attach(files);
  }

  private onDragOver(event: DragEvent): void {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    this.dropping = true;
  }

  private onDrop(event: DragEvent): void {
    this.dropping = false;
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    void this.attach([...(event.dataTransfer?.files ?? [])]);
  }

  private async attach(files: readonly File[]): Promise<void> {
    const { images, refusal } = await pickImages(files, this.agentName, this.takesImages);
    this.refusal = refusal;
    for (const image of images) emitIntent(this, { type: 'attachImage', ...image });
  }
}
