// Collects the texts that users see: `node scripts/l10n.mjs` writes l10n/bundle.l10n.json, which translations
// start from; `--check` fails when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { collectTexts } from './lib/l10nTexts.mjs';
import { inRoot } from './lib/root.mjs';

const file = inRoot('l10n', 'bundle.l10n.json');
const texts = `${JSON.stringify(collectTexts(), undefined, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, texts);
} else if (readFileSync(file, 'utf8') !== texts) {
  console.error(`${path.basename(file)} is out of date: run node scripts/l10n.mjs`);
  process.exitCode = 1;
}
