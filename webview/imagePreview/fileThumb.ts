import { html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Attachment } from '../../src/session/state/state';
import { thumbnailOf } from '../composer/thumbnail';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';

/** Asks the page for the data of an attached image, in base64. */
export interface ThumbnailRequest {
  readonly attachmentId: string;
  readonly done: (data: string | undefined) => void;
}

/** Drawn thumbnails, as data URLs by address; the oldest goes first. */
const drawn = new Map<string, string>();
const MAX_DRAWN = 100;

/** An image of the workspace that is attached, at a glance; its sign until it is drawn, and where it cannot be. */
@customElement('parley-file-thumb')
export class FileThumbElement extends LightElement {
  @property({ attribute: false }) attachment: Attachment | undefined;
  @state() private url: string | undefined;
  private asked: string | undefined;

  protected override willUpdate(): void {
    const uri = this.attachment?.uri;
    if (uri === undefined || this.asked === uri) return;
    this.asked = uri;
    this.url = drawn.get(uri);
  }

  protected override render(): TemplateResult {
    return this.url === undefined
      ? icon('file-media', { small: true })
      : html`<img class="thumb" src=${this.url} alt="" />`;
  }

  protected override updated(): void {
    const { attachment } = this;
    if (this.url !== undefined || attachment?.uri === undefined) return;
    const { id, uri } = attachment;
    const done = async (data: string | undefined): Promise<void> => {
      const url = data === undefined ? undefined : await draw(data);
      if (url === undefined) return;
      drawn.set(uri, url);
      for (const [oldest] of drawn) {
        if (drawn.size <= MAX_DRAWN) break;
        drawn.delete(oldest);
      }
      if (this.asked === uri) this.url = url;
    };
    this.dispatchEvent(
      new CustomEvent<ThumbnailRequest>('parley-thumbnail', {
        detail: { attachmentId: id, done: data => void done(data) },
        bubbles: true,
      }),
    );
  }
}

async function draw(base64: string): Promise<string | undefined> {
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes])).catch(() => undefined);
  const url = bitmap && thumbnailOf(bitmap);
  bitmap?.close();
  return url;
}
