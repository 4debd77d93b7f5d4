import { readFileSync, readdirSync } from 'node:fs';
import { collectTexts } from './l10nTexts.mjs';
import { inRoot } from './root.mjs';

/** Words that are the same in English and in a language. A text of nothing else may be its own translation. */
const SAME_WORDS = {
  de: `ACP Agent Agents Anthropic Audio Auto Budget Chat ChatGPT Chats Code Commit Commits Console Details Doctor In in
    KB Links MB Name Parley Plan Problem Prompt s Sandbox Subagent Terminal Tool URL Version Website`,
};

/**
 * The languages that Parley is translated into.
 * @returns {string[]} as in the names of the files, sorted
 */
export function languages() {
  return readdirSync(inRoot('l10n'))
    .flatMap(name => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? [])
    .sort();
}

/**
 * The files of a language, each with the English texts that it translates, by key.
 * @param {string} language
 */
export function filesOf(language) {
  return [
    { file: `l10n/bundle.l10n.${language}.json`, english: collectTexts() },
    { file: `package.nls.${language}.json`, english: readTexts('package.nls.json') },
  ];
}

/**
 * @param {string} file
 * @returns {Record<string, string>}
 */
export function readTexts(file) {
  return JSON.parse(readFileSync(inRoot(file), 'utf8'));
}

/**
 * What is wrong with the translations of one file.
 * @param {string} language
 * @param {Record<string, string>} english
 * @param {Record<string, string>} translated
 */
export function checkTranslations(language, english, translated) {
  const missing = Object.keys(english).filter(key => !Object.hasOwn(translated, key));
  const stale = Object.keys(translated).filter(key => !Object.hasOwn(english, key));
  const wrong = Object.entries(translated).flatMap(([key, text]) => {
    const original = english[key];
    const cause = original === undefined ? undefined : fault(language, original, text);
    return cause ? [`${key}: ${cause}`] : [];
  });
  return { missing, stale, wrong };
}

/**
 * @param {string} language
 * @param {string} original
 * @param {string} text
 */
function fault(language, original, text) {
  if (text.trim() === '') return 'is empty';
  if (fixedParts(text) !== fixedParts(original)) return 'has other placeholders, links or code';
  if (edges(text) !== edges(original)) return 'has other spaces around it';
  if (text === original && !isOfSameWords(language, text)) return 'is not translated';
  return undefined;
}

/**
 * Placeholders, and of manifest texts also code, settings and the targets of links.
 * @param {string} text
 */
function fixedParts(text) {
  const parts = text.match(/\{\d+\}|`[^`]*`|#[\w.]+#|\]\([^)]*\)/g) ?? [];
  return parts.sort().join('\n');
}

/** @param {string} text */
function edges(text) {
  return `${/^\s*/.exec(text)?.[0]}|${/\s*$/.exec(text)?.[0]}`;
}

/**
 * @param {string} language
 * @param {string} text
 */
function isOfSameWords(language, text) {
  const same = new Set((SAME_WORDS[/** @type {'de'} */ (language)] ?? '').split(/\s+/));
  const words = text.replace(/\{\d+\}/g, ' ').match(/\p{L}+/gu) ?? [];
  return words.every(word => same.has(word));
}
