import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import * as l10n from '@vscode/l10n';
import { attachmentsOf } from '../../src/session/state/mentions';
import type {
  Attachment,
  AvailableCommand,
  Connection,
  Draft,
} from '../../src/session/state/state';
import type { PanelState } from '../../src/shared/panelState';
import type { MentionItem } from '../../src/shared/queries';
import { openAttachment } from '../imagePreview/openAttachment';
import { emitIntent } from '../intent';
import { iconButton } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import { insertText, removeMention } from './areaText';
import { chips } from './chips';
import { CommandList } from './commandList';
import type { Completion } from './completion';
import { composerHint } from './composerHint';
import { DraftSync } from './draftSync';
import { hasFiles } from './droppedFiles';
import { droppedUris, hasUris } from './droppedUris';
import { offeredEditor, withoutEditor, type EditorMemory, type OfferedEditor } from './editorOffer';
import { expandButton, isExpandKey } from './expand';
import { imagePicker } from './imagePicker';
import { isComposing } from './isComposing';
import type { Ask } from './mentionList';
import { MentionTyping } from './mentionTyping';
import { paste } from './paste';
import { PromptRecall } from './promptRecall';
import { sendButtons } from './sendButtons';

/** What a composer reports of its draft: the chat may have changed by the time it is sent. */
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
  /** What is sent while a turn runs reaches the agent in it. */
  @property({ attribute: false }) steers = false;
  /** Earlier prompts of the chat, oldest first. */
  @property({ attribute: false }) prompts: readonly string[] = [];
  /** What earlier messages mention: the same words mean the same again. */
  @property({ attribute: false }) earlierMentions: readonly Attachment[] = [];
  @property({ attribute: false }) activeEditor: PanelState['activeEditor'];
  @property({ attribute: false }) editorMemory: EditorMemory = {};
  @property({ attribute: false }) ask: Ask | undefined;

  @state() private text = '';
  @state() private refusal: string | undefined;
  @state() private dropping = false;
  /** The message box takes most of the panel. */
  @state() private tall = false;

  private readonly drafts = new DraftSync((chatId, text) =>
    this.dispatchEvent(
      new CustomEvent<DraftDetail>('parley-draft', { detail: { chatId, text }, bubbles: true }),
    ),
  );
  private readonly recall = new PromptRecall();
  private readonly commandList = new CommandList({
    changed: () => this.requestUpdate(),
    choose: ({ name }) => {
      if (this.area) insertText(this.area, `/${name} `, 0, this.text.length);
    },
  });
  private readonly askHost: Ask = (query, signal) =>
    this.ask?.(query, signal) ?? Promise.reject(new Error('There is no host.'));
  private readonly chosen = ({ id }: MentionItem) => emitIntent(this, { type: 'mention', id });
  private readonly mentions = new MentionTyping({
    area: () => this.area,
    ask: this.askHost,
    changed: () => this.requestUpdate(),
    chosen: this.chosen,
    enter: () => this.send(),
  });
  private readonly follow = () => this.mentions.follow();
  private readonly flush = () => this.drafts.flush();
  private readonly leave = () => {
    this.flush();
    this.mentions.follow();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.flush);
    document.addEventListener('selectionchange', this.follow);
    window.addEventListener('pagehide', this.flush);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.flush();
    document.removeEventListener('visibilitychange', this.flush);
    document.removeEventListener('selectionchange', this.follow);
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
      if (text !== undefined) {
        this.text = text;
        this.commandList.restored(text);
      }
    }
    if (changed.has('chatId')) this.refusal = undefined;
    this.commandList.update(this.text, this.commands);
  }

  protected override render() {
    const { openList } = this;
    return html`<div class="composer" @focusout=${this.leave}>
      ${openList?.render() ?? nothing}
      <div
        class=${classMap({ box: true, drop: this.dropping, tall: this.tall })}
        @dragover=${(event: DragEvent) => this.onDragOver(event)}
        @dragleave=${() => (this.dropping = false)}
        @drop=${(event: DragEvent) => this.onDrop(event)}
      >
        ${chips(this.attachments, this.offer(), {
          open: attachment => openAttachment(this, attachment),
          remove: attachment => this.removeAttachment(attachment),
          take: () => emitIntent(this, { type: 'addActiveEditor' }),
          follow: followsEditor => this.remember({ followsEditor }),
          dismiss: () => this.remember(withoutEditor(this.editorMemory, this.chatId)),
        })}
        <textarea
          dir="auto"
          aria-label=${l10n.t('Message')}
          aria-autocomplete="list"
          aria-controls=${ifDefined(openList?.currentId && openList.listId)}
          aria-activedescendant=${ifDefined(openList?.currentId)}
          rows="1"
          placeholder=${this.placeholder}
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
            title: l10n.t('Add Context… (or drop files here with Shift held)'),
            onClick: () => emitIntent(this, { type: 'addContext' }),
          })}
          ${this.takesImages ? imagePicker(files => this.pickImages(files)) : nothing}
          ${composerHint({
            agentName: this.agentName,
            connection: this.connection,
            running: this.running,
            steers: this.canSteer,
            text: this.text,
            commands: this.commands,
          })}
          <span class="grow"></span>
          ${expandButton(this.tall, () => this.setTall(!this.tall))}
          ${sendButtons({
            running: this.running,
            cancelling: this.cancelling,
            steers: this.canSteer && !this.text.startsWith('/'),
            canSend: this.canSend,
            onStop: () => this.stop(),
            onSend: () => this.send(),
          })}
        </div>
      </div>
    </div>`;
  }

  protected override updated(): void {
    this.mentions.follow();
    if (!GROWS_BY_ITSELF && this.area && !this.tall) {
      this.area.style.height = 'auto';
      this.area.style.height = `${this.area.scrollHeight}px`;
    }
    this.querySelector('.pop .here')?.scrollIntoView({ block: 'nearest' });
  }

  private get area(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  private get canSteer(): boolean {
    return this.steers && !this.cancelling;
  }

  private get placeholder(): string {
    if (!this.running) return l10n.t('Ask {0}', this.agentName);
    return this.canSteer ? l10n.t('Steer {0}', this.agentName) : l10n.t('Queue a message');
  }

  private get canSend(): boolean {
    return this.text.trim() !== '' || this.attachments.length > 0;
  }

  /** What goes along with the text as it is. */
  private get attachments(): readonly Attachment[] {
    return attachmentsOf(this.text, this.draft?.attachments ?? [], this.earlierMentions);
  }

  private get openList(): Completion | undefined {
    return [this.mentions.list, this.commandList].find(list => list?.isOpen);
  }

  private offer(): OfferedEditor | undefined {
    return offeredEditor(this.activeEditor, this.attachments, this.editorMemory, this.chatId);
  }

  private remember(detail: EditorMemory): void {
    this.dispatchEvent(new CustomEvent('parley-editor-memory', { detail, bubbles: true }));
    this.area?.focus();
  }

  private setText(text: string): void {
    this.text = text;
    this.drafts.typed(text);
  }

  /** What is mentioned goes with its words, which can be undone: then it is back. */
  private removeAttachment(attachment: Attachment): void {
    if (attachment.mention === undefined) {
      emitIntent(this, { type: 'removeAttachment', attachmentId: attachment.id });
    } else if (this.area) {
      removeMention(this.area, attachment);
    }
  }

  private send(how?: 'queue'): void {
    if (!this.canSend) return;
    if (this.refusesImages && this.attachments.some(({ kind }) => kind === 'image')) {
      this.refusal = l10n.t(
        '{0} does not accept images. Remove the image to send the message.',
        this.agentName,
      );
      return;
    }
    const type = this.offer()?.isFollowed ? 'sendWithEditor' : 'send';
    emitIntent(this, { type, text: this.text, ...(how && { how }) });
    this.drafts.sent();
    this.text = '';
    this.refusal = undefined;
    this.tall = false;
    this.area?.focus();
  }

  private setTall(tall: boolean): void {
    this.tall = tall;
    this.area?.focus();
  }

  private stop(): void {
    if (this.running && !this.cancelling) emitIntent(this, { type: 'stop' });
    this.area?.focus();
  }

  private onInput(event: Event): void {
    this.refusal = undefined;
    this.setText((event.target as HTMLTextAreaElement).value);
    this.mentions.follow();
  }

  private onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (this.openList?.key(event)) {
      event.preventDefault();
      return;
    }
    if (isExpandKey(event)) {
      event.preventDefault();
      this.setTall(!this.tall);
      return;
    }
    switch (event.key) {
      case 'Enter':
        if (event.shiftKey || (event.altKey && !(this.running && this.steers))) return;
        event.preventDefault();
        this.send(event.altKey ? 'queue' : undefined);
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
    const { area, askHost: ask, chosen } = this;
    paste(event, { area, ask, chosen, attach: files => this.attach(files) });
  }

  private onDragOver(event: DragEvent): void {
    if (!hasFiles(event.dataTransfer) && !hasUris(event.dataTransfer)) return;
    event.preventDefault();
    this.dropping = true;
  }

  private onDrop(event: DragEvent): void {
    this.dropping = false;
    const { dataTransfer } = event;
    if (!hasFiles(dataTransfer) && !hasUris(dataTransfer)) return;
    event.preventDefault();
    this.refusal = undefined;
    const uris = droppedUris(dataTransfer);
    if (uris.length > 0) emitIntent(this, { type: 'attachUris', uris });
    else void this.attach([...(dataTransfer?.files ?? [])]);
  }

  private async attach(files: readonly File[]): Promise<void> {
    if (this.refusesImages) {
      this.refusal = l10n.t('{0} does not accept images.', this.agentName);
      return;
    }
    const { pickImages } = await import('./pickImages');
    const { images, refusal } = await pickImages(files);
    this.refusal = refusal;
    for (const image of images) emitIntent(this, { type: 'attachImage', ...image });
  }

  /** While the agent starts, it is not known what it takes. */
  private get refusesImages(): boolean {
    return this.connection === 'ready' && !this.takesImages;
  }

  private pickImages(files: readonly File[]): void {
    void this.attach(files);
    this.focus();
  }
}
