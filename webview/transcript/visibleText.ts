import { html, type TemplateResult } from 'lit';
import { textPieces, type TextOptions } from '../../src/base/visibleText';

/** `text` with what cannot be seen, moves other characters or passes for another one made visible. */
export function visible(text: string, options?: TextOptions): string | readonly unknown[] {
  const pieces = textPieces(text, options);
  if (pieces.length <= 1 && pieces[0]?.kind !== 'hidden' && pieces[0]?.kind !== 'lookAlike') {
    return text;
  }
  return pieces.map(piece => {
    switch (piece.kind) {
      case 'plain':
        return piece.text;
      case 'hidden':
        return marked('unseen', piece.label, `${piece.label} ${piece.name}`, piece.count);
      case 'lookAlike':
        return html`<span class="alike" title=${`${piece.label} ${piece.name}`}
          >${piece.text}</span
        >`;
    }
  });
}

/** A path or a command, in the order of its characters. */
export function code(text: string): TemplateResult {
  return html`<bdo dir="ltr">${visible(text, CODE)}</bdo>`;
}

/** As `code`, with blanks at its ends. */
export function pathView(path: string): TemplateResult {
  return html`<bdo dir="ltr">${visible(path, PATH)}</bdo>`;
}

export const CODE: TextOptions = { code: true };
const PATH: TextOptions = { code: true, edges: true };

function marked(name: string, label: string, title: string, count: number): TemplateResult {
  return html`<span class=${name} title=${title}
    >${count > 1 ? `${label} ×${count}` : label}</span
  >`;
}
