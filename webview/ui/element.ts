import { LitElement } from 'lit';

/** A part of the page that renders into the page itself, so that one style sheet serves everything. */
export abstract class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
