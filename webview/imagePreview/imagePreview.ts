import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Attachment } from '../../src/session/state/state';
import type { Ask } from '../composer/mentionList';
import { iconButton } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';

type Shown =
  | { readonly kind: 'loading' }
  | { readonly kind: 'image'; readonly url: string }
  | { readonly kind: 'gone' };

/** One attached image as large as the panel allows, with what it is. Esc, a click beside it and its button close it. */
@customElement('parley-image-preview')
export class ImagePreviewElement extends LightElement {
  @state() private attachment: Attachment | undefined;
  @state() private shown: Shown = { kind: 'loading' };

  /** Shows `attachment`; what it shows by now, if anything, gives way. */
  async open(attachment: Attachment, ask: Ask): Promise<void> {
    this.attachment = attachment;
    this.shown = { kind: 'loading' };
    await this.updateComplete;
    if (!this.dialog?.open) this.dialog?.showModal();
    const answer = await ask({ type: 'image', attachmentId: attachment.id }).catch(() => undefined);
    if (this.attachment !== attachment) return;
    const data = answer?.data;
    this.shown =
      data === undefined
        ? { kind: 'gone' }
        : { kind: 'image', url: `data:${attachment.mimeType ?? 'image/png'};base64,${data}` };
  }

  close(): void {
    this.dialog?.close();
  }

  protected override render() {
    const { attachment } = this;
    if (!attachment) return nothing;
    return html`<dialog
      class="preview"
      aria-label=${attachment.title}
      @close=${() => this.onClosed()}
      @click=${(event: Event) => this.onClick(event)}
    >
      <div class="top">
        <span class="cut grow" title=${attachment.title}>${attachment.title}</span>
        ${iconButton({ icon: 'close', label: l10n.t('Close'), onClick: () => this.close() })}
      </div>
      ${this.content(attachment)}
    </dialog>`;
  }

  private content({ label }: Attachment): TemplateResult {
    switch (this.shown.kind) {
      case 'loading':
        return html`<p class="none" role="status">
          ${icon('loading', { spin: true })}${l10n.t('Loading')}
        </p>`;
      case 'gone':
        return html`<p class="none" role="status">
          ${l10n.t('The image is no longer available. Attach it again to see it.')}
        </p>`;
      case 'image':
        return html`<img src=${this.shown.url} alt=${label} />`;
    }
  }

  private get dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog');
  }

  private onClick({ target, currentTarget }: Event): void {
    if (target === currentTarget) this.close();
  }

  /** The browser gives the focus back to where it was; that may be gone by now. */
  private onClosed(): void {
    const { activeElement } = document;
    this.attachment = undefined;
    if (activeElement !== document.body && !this.contains(activeElement)) return;
    this.dispatchEvent(new CustomEvent('parley-focus-composer', { bubbles: true }));
  }
}
