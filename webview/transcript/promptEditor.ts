import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ifDefined } from 'lit/directives/if-defined.js';
import { live } from 'lit/directives/live.js';
import { attachmentsOf } from '../../src/session/state/mentions';
import type { Attachment, Message } from '../../src/session/state/state';
import { removeMention } from '../composer/areaText';
import { chips } from '../composer/chips';
import type { MentionItem } from '../../src/shared/queries';
import type { Ask } from '../composer/mentionList';
import { MentionTyping } from '../composer/mentionTyping';
import { isComposing } from '../composer/isComposing';
import { paste } from '../composer/paste';
import { openAttachment } from '../imagePreview/openAttachment';
import { emitIntent } from '../intent';
import { button } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';
import type { PromptEdit } from './promptEdits';

/**
 * An earlier prompt that is being changed, in its place. Tells `parley-prompt-edit` while typing, and without a detail
 * when it is given up. Sent, it stays until its turn is gone: the user may still say no to what goes back.
 */
@customElement('parley-prompt-editor')
export class PromptEditorElement extends LightElement {
  @property({ attribute: false }) turnId = '';
  @property({ attribute: false }) prompt: Message | undefined;
  /** What it begins with. */
  @property({ attribute: false }) edit: PromptEdit = { text: '', without: [] };
  @property({ attribute: false }) earlierMentions: readonly Attachment[] = [];
  /** What is attached to the draft: some of it goes with this prompt. */
  @property({ attribute: false }) pasted: readonly Attachment[] = [];
  @property({ attribute: false }) refusesImages = false;
  @property({ attribute: false }) ask: Ask | undefined;
  @state() private refusal: string | undefined;
  @state() private current: PromptEdit = this.edit;

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

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('selectionchange', this.follow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('selectionchange', this.follow);
  }

  /** Puts the caret behind the text. */
  override focus(): void {
    const { area } = this;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('edit')) this.current = this.edit;
  }

  protected override render() {
    const { attachments } = this;
    const list = this.mentions.list?.isOpen ? this.mentions.list : undefined;
    return html`<div
      class="box editing"
      role="group"
      aria-label=${l10n.t('Edit prompt')}
      @focusout=${this.follow}
    >
      ${list?.render() ?? nothing}
      ${chips(attachments, undefined, {
        open: attachment => openAttachment(this, attachment),
        remove: attachment => this.leaveOut(attachment),
        take: () => undefined,
      })}
      <textarea
        dir="auto"
        aria-label=${l10n.t('Prompt')}
        aria-autocomplete="list"
        aria-controls=${ifDefined(list?.currentId && list.listId)}
        aria-activedescendant=${ifDefined(list?.currentId)}
        rows="1"
        .value=${live(this.current.text)}
        @input=${() => this.type(this.area?.value ?? '')}
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
        <span class="hint grow">${l10n.t('Replaces what follows')}</span>
        ${button({ label: l10n.t('Cancel'), kind: 'plain', onClick: () => this.giveUp() })}
        ${button({
          label: l10n.t('Send'),
          kind: 'primary',
          disabled: !this.canSend,
          onClick: () => this.send(),
        })}
      </div>
    </div>`;
  }

  protected override updated(): void {
    this.mentions.follow();
  }

  private get area(): HTMLTextAreaElement | null {
    return this.querySelector('textarea');
  }

  private get attachments(): readonly Attachment[] {
    const { text, without } = this.current;
    const kept = this.prompt?.attachments.filter(
      ({ id, kind }) => kind !== 'conversation' && !without.includes(id),
    );
    const pasted = this.pasted.filter(({ forTurn }) => forTurn === this.turnId);
    return attachmentsOf(text, [...(kept ?? []), ...pasted], this.earlierMentions, this.turnId);
  }

  private get canSend(): boolean {
    return this.current.text.trim() !== '' || this.attachments.length > 0;
  }

  private type(text: string): void {
    this.refusal = undefined;
    this.change({ ...this.current, text });
    this.mentions.follow();
  }

  private leaveOut(attachment: Attachment): void {
    if (attachment.forTurn !== undefined) this.detach(attachment);
    else if (attachment.mention !== undefined && this.area) removeMention(this.area, attachment);
    else this.change({ ...this.current, without: [...this.current.without, attachment.id] });
  }

  private change(edit: PromptEdit): void {
    this.current = edit;
    this.report(edit);
  }

  private detach({ id }: Attachment): void {
    emitIntent(this, { type: 'removeAttachment', attachmentId: id });
  }

  private onPaste(event: ClipboardEvent): void {
    const { area, askHost: ask, chosen } = this;
    paste(event, { area, ask, chosen, attach: files => this.attach(files) });
  }

  private async attach(files: readonly File[]): Promise<void> {
    if (this.refusesImages) {
      this.refusal = l10n.t('The agent does not accept images.');
      return;
    }
    const { pickImages } = await import('../composer/pickImages');
    const { images, refusal } = await pickImages(files);
    this.refusal = refusal;
    const { turnId } = this;
    for (const image of images) emitIntent(this, { type: 'attachImage', ...image, turnId });
  }

  private giveUp(): void {
    this.pasted.filter(({ forTurn }) => forTurn === this.turnId).forEach(each => this.detach(each));
    this.report(undefined);
  }

  private report(edit: PromptEdit | undefined): void {
    this.dispatchEvent(
      new CustomEvent<PromptEditDetail>('parley-prompt-edit', {
        detail: { turnId: this.turnId, edit },
        bubbles: true,
      }),
    );
  }

  private send(): void {
    if (!this.canSend) return;
    emitIntent(this, { type: 'resendPrompt', turnId: this.turnId, ...this.current });
  }

  private onKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const isListKey = this.mentions.list?.isOpen === true && this.mentions.list.key(event);
    if (!isListKey) {
      if (event.key === 'Escape') this.giveUp();
      else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) this.send();
      else return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** What is said of the prompt of a turn; without `edit` it stays as it was. */
export interface PromptEditDetail {
  readonly turnId: string;
  readonly edit: PromptEdit | undefined;
}
