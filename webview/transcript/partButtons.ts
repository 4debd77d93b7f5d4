import { html, type TemplateResult } from 'lit';
import { icon } from '../ui/icon';

/**
 * Controls inside a part. They are not stops of the Tab key until their part is the current one: the
 * Conversation is one stop, see `navigation.ts`.
 */
export function innerIconButton(options: {
  readonly icon: string;
  readonly label: string;
  readonly title?: string;
  readonly onClick: (event: Event) => void;
}): TemplateResult {
  return html`<button
    type="button"
    class="icon small"
    tabindex="-1"
    aria-label=${options.label}
    title=${options.title ?? options.label}
    @click=${options.onClick}
  >
    ${icon(options.icon, { small: true })}
  </button>`;
}

export function innerButton(options: {
  readonly label: string;
  readonly title?: string;
  readonly onClick: (event: Event) => void;
}): TemplateResult {
  return html`<button
    type="button"
    class="btn tiny"
    tabindex="-1"
    title=${options.title ?? options.label}
    @click=${options.onClick}
  >
    ${options.label}
  </button>`;
}
