import { html, type TemplateResult } from 'lit';

/** Where in a chat to begin, when it was found by what was said in it. */
export interface FoundIn {
  readonly chatId: string;
  readonly text: string;
}

/** The words that are looked for. */
export function wordsOf(query: string): readonly string[] {
  return query.split(/\s+/).filter(word => word !== '');
}

/** `text` with each place marked where a word of `query` stands. */
export function marked(text: string, query: string): readonly (string | TemplateResult)[] {
  // A word that begins with another one is marked whole.
  const words = [...wordsOf(query)].sort((a, b) => b.length - a.length);
  if (words.length === 0) return [text];
  const pattern = words.map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'iu'))
    .map((piece, index) => (index % 2 === 1 ? html`<mark>${piece}</mark>` : piece));
}

/** What to look for in a chat of which that line was found: all of `query` where it stands there, else its first word. */
export function textToFind(preview: string, query: string): string {
  const whole = query.trim().replace(/\s+/g, ' ');
  if (preview.toLocaleLowerCase().includes(whole.toLocaleLowerCase())) return whole;
  const line = preview.toLocaleLowerCase();
  return wordsOf(query).find(word => line.includes(word.toLocaleLowerCase())) ?? whole;
}
