// Collects the texts that users see: `node scripts/l10n.mjs` writes l10n/bundle.l10n.json, takes what is no longer
// used out of the translations, and prints what they lack; `--check` only says what is out of date, and fails then.
import { readFileSync, writeFileSync } from 'node:fs';
import { collectTexts } from './lib/l10nTexts.mjs';
import { inRoot } from './lib/root.mjs';
import { checkTranslations, filesOf, languages, readTexts } from './lib/translations.mjs';

const isCheck = process.argv.includes('--check');

update('l10n/bundle.l10n.json', collectTexts());
for (const language of languages()) {
  for (const { file, english } of filesOf(language)) {
    const translated = readTexts(file);
    const { missing, wrong } = checkTranslations(language, english, translated);
    const inOrder = Object.keys(english).filter(key => Object.hasOwn(translated, key));
    update(file, Object.fromEntries(inOrder.map(key => [key, translated[key] ?? ''])));
    if (missing.length > 0) {
      const lines = missing.map(
        key => `  ${JSON.stringify(key)}: ${JSON.stringify(english[key])},`,
      );
      fail(`${file} lacks ${missing.length}. Translate these lines and put them anywhere into it:`);
      console.error(lines.join('\n'));
    }
    for (const line of wrong) fail(`${file}: ${line}`);
  }
}

/**
 * @param {string} file
 * @param {Record<string, string>} texts
 */
function update(file, texts) {
  const json = `${JSON.stringify(texts, undefined, 2)}\n`;
  if (readFileSync(inRoot(file), 'utf8') === json) return;
  if (isCheck) fail(`${file} is out of date: run node scripts/l10n.mjs`);
  else writeFileSync(inRoot(file), json);
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
