import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { collectTexts } from '../../scripts/lib/l10nTexts.mjs';

test('the bundle holds every text that users see, and no other (node scripts/l10n.mjs)', () => {
  const bundle = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8')) as object;
  const kept = new Set(Object.keys(bundle));
  const used = new Set(Object.keys(collectTexts()));
  assert.deepEqual(
    {
      missing: [...used].filter(text => !kept.has(text)),
      stale: [...kept].filter(text => !used.has(text)),
    },
    { missing: [], stale: [] },
  );
});

test('each text names its places without a gap', () => {
  for (const text of Object.keys(collectTexts())) {
    const places = new Set([...text.matchAll(/\{(\d+)\}/g)].map(match => Number(match[1])));
    assert.deepEqual(
      [...places].sort(),
      [...places.keys()].map((_, index) => index),
      text,
    );
  }
});
