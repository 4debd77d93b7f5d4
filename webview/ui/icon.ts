import { html, type TemplateResult } from 'lit';

export interface IconOptions {
  /** 12 px, for icons in meta text; 16 px otherwise. */
  readonly small?: boolean;
  readonly tone?: 'warn' | 'bad' | 'ok' | 'run';
  /** Turns, unless motion is reduced. Only for `loading`. */
  readonly spin?: boolean;
}

/** A codicon by name. Hidden from screen readers: the words beside it say the same. */
export function icon(name: string, options: IconOptions = {}): TemplateResult {
  const classes = ['codicon', `codicon-${name}`];
  if (options.small) classes.push('s12');
  if (options.tone) classes.push(options.tone);
  if (options.spin) classes.push('spin');
  return html`<i class=${classes.join(' ')} aria-hidden="true"></i>`;
}
