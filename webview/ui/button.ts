import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { icon } from './icon';

export interface ButtonOptions {
  /** The visible text, and the accessible name. */
  readonly label: string;
  /** One primary button at a time: the panel's next step. */
  readonly kind: 'primary' | 'secondary' | 'plain';
  /** The text where there is little room; the name stays. */
  readonly short?: string;
  readonly className?: string;
  /** 20 px high instead of 24. */
  readonly tiny?: boolean;
  readonly title?: string;
  /** A key that does the same, shown in the button. */
  readonly kbd?: string;
  /** Codicon before the label. */
  readonly icon?: string;
  /** Codicon after the label. */
  readonly trailingIcon?: string;
  readonly disabled?: boolean;
  readonly ariaExpanded?: boolean;
  /** Id of what the button opens. */
  readonly ariaControls?: string;
  /** In a part of the conversation, which is one stop of the Tab key: see `transcript/navigation.ts`. */
  readonly inner?: boolean;
  readonly onClick: (event: Event) => void;
}

/** A text button. */
export function button(options: ButtonOptions): TemplateResult {
  const classes = ['btn', options.kind, options.tiny ? 'tiny' : '', options.className ?? ''];
  return html`<button
    type="button"
    class=${classes.filter(Boolean).join(' ')}
    tabindex=${options.inner ? '-1' : nothing}
    title=${ifDefined(options.title)}
    aria-label=${ifDefined(options.short && options.label)}
    data-short=${ifDefined(options.short)}
    aria-expanded=${ifDefined(options.ariaExpanded === undefined ? undefined : String(options.ariaExpanded))}
    aria-controls=${ifDefined(options.ariaControls)}
    aria-keyshortcuts=${ifDefined(options.kbd)}
    ?disabled=${options.disabled ?? false}
    @click=${options.onClick}
  >
    ${options.icon ? icon(options.icon, { small: true }) : nothing}${options.label}${options.kbd ? html`<kbd aria-hidden="true">${options.kbd}</kbd>` : nothing}${
      options.trailingIcon ? icon(options.trailingIcon, { small: true }) : nothing
    }
  </button>`;
}

export interface IconButtonOptions {
  /** Codicon name. */
  readonly icon: string;
  /** The accessible name, and the tooltip unless `title` says more. */
  readonly label: string;
  readonly title?: string;
  /** 20 px square instead of 24, with a 12 px icon. */
  readonly small?: boolean;
  /** As for `button`. */
  readonly inner?: boolean;
  readonly disabled?: boolean;
  readonly onClick: (event: Event) => void;
}

/** A button that is an icon. */
export function iconButton(options: IconButtonOptions): TemplateResult {
  return html`<button
    type="button"
    class=${options.small ? 'icon small' : 'icon'}
    tabindex=${options.inner ? '-1' : nothing}
    aria-label=${options.label}
    title=${options.title ?? options.label}
    ?disabled=${options.disabled ?? false}
    @click=${options.onClick}
  >
    ${icon(options.icon, { small: options.small ?? false })}
  </button>`;
}

/** The small button of a part of the conversation. */
export function innerIconButton(
  options: Omit<IconButtonOptions, 'small' | 'inner'>,
): TemplateResult {
  return iconButton({ ...options, small: true, inner: true });
}
