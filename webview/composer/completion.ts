import { html, type nothing, type TemplateResult } from 'lit';

/** What can be chosen while a message is typed. The focus stays in the text. */
export interface Completion {
  readonly isOpen: boolean;
  readonly listId: string;
  /** Of the option that Enter takes. */
  readonly currentId: string | undefined;
  /** True when the key belongs to the list. */
  key(event: KeyboardEvent): boolean;
  render(): TemplateResult | typeof nothing;
}

/** Where an arrow key leads in a list without ends; undefined for other keys. */
export function arrowed(key: string, current: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (current - 1 + count) % count;
  return undefined;
}

/** `text` with the letters at `hits` marked. */
export function marked(
  text: string,
  hits: readonly number[],
): readonly (string | TemplateResult)[] {
  const found = new Set(hits);
  const pieces: { text: string; hit: boolean }[] = [];
  for (const [index, letter] of text.split('').entries()) {
    const hit = found.has(index);
    const last = pieces.at(-1);
    if (last?.hit === hit) last.text += letter;
    else pieces.push({ text: letter, hit });
  }
  return pieces.map(piece => (piece.hit ? html`<b>${piece.text}</b>` : piece.text));
}
