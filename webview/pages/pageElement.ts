import { property } from 'lit/decorators.js';
import { LightElement } from '../ui/element';

/** A page that shows what the host sends, and asks for things with intents. */
export abstract class PageElement<
  State = unknown,
  Intent extends { readonly type: string } = { readonly type: string },
> extends LightElement {
  @property({ attribute: false }) state: State | undefined;
  protected send: (intent: Intent | { readonly type: 'ready' }) => void = () => undefined;

  connect(post: (message: unknown) => void): void {
    this.send = post;
    window.addEventListener('message', ({ data }: MessageEvent<{ type: string; state: State }>) => {
      if (data.type === 'state') this.state = data.state;
    });
    this.send({ type: 'ready' });
  }
}
