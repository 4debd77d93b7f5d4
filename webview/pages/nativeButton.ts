import { html, type TemplateResult } from 'lit';

export interface NativeButtonOptions {
  readonly label: string;
  readonly kind?: 'primary' | 'plain';
  /** What a screen reader says, where the label alone does not say of what. */
  readonly name?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A text button without the toolkit, which is larger than these pages. */
export function nativeButton(options: NativeButtonOptions): TemplateResult {
  return html`<button
    type="button"
    class="btn ${options.kind ?? ''}"
    aria-label=${options.name ?? options.label}
    ?disabled=${options.disabled ?? false}
    @click=${options.onClick}
  >
    ${options.label}
  </button>`;
}
