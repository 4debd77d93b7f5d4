/** The page's texts in a language, for tests that find things by their English names. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(import.meta.dirname, '../../l10n');

/** As VS Code gives them to the extension: by the English text. None for English. */
export function textsOf(language: string): Readonly<Record<string, string>> {
  if (language === 'en') return {};
  const file = path.join(FOLDER, `bundle.l10n.${language}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/**
 * What something is called in `texts` that has a name in English. Its number stands for every place of a text:
 * `/^5 files/` is found as `{0} files`.
 */
export function nameIn(texts: Readonly<Record<string, string>>, english: string): string;
export function nameIn(texts: Readonly<Record<string, string>>, english: RegExp): RegExp;
export function nameIn(
  texts: Readonly<Record<string, string>>,
  english: string | RegExp,
): string | RegExp {
  if (typeof english === 'string') return texts[english] ?? english;
  const [number = '0'] = /\d/.exec(english.source) ?? [];
  const filled = (text: string) => text.replace(/\{\d\}/g, number);
  const found = Object.keys(texts).find(text => english.test(filled(text)));
  if (found === undefined) return english;
  const text = filled(texts[found] ?? found).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(english.source.endsWith('$') ? `^${text}$` : `^${text}`);
}
