/**
 * Takes the pictures of docs/gallery: each state of the panel as one strip, in dark, light and high
 * contrast and as narrow as it gets. Run by scripts/gallery.mjs.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openPanel, type PanelOptions } from './harness';
import { STATES, type FixtureState } from './states';

const DIRECTORY = 'docs/gallery';
const HEIGHT = 640;
const GAP = 16;

/** The panels of a strip, from left to right. */
const VIEWS: readonly PanelOptions[] = [
  { theme: 'dark-modern', width: 380 },
  { theme: 'light-modern', width: 380 },
  { theme: 'hc-dark', width: 380 },
  { theme: 'dark-modern', width: 220 },
];

const wanted = (process.env['PARLEY_GALLERY'] ?? '').split(',').filter(name => name !== '');

for (const state of STATES) {
  if (wanted.length > 0 && !wanted.includes(state.name)) continue;
  test(state.name, async () => {
    mkdirSync(DIRECTORY, { recursive: true });
    const file = path.join(DIRECTORY, `${state.name}.png`);
    writeFileSync(file, await strip(state));
    console.log(`${file}: ${Math.round(statSync(file).size / 1024)} KB`);
  });
}

async function strip(state: FixtureState): Promise<Buffer> {
  const pictures: string[] = [];
  for (const view of VIEWS) {
    const panel = await openPanel({ ...view, height: HEIGHT });
    try {
      await panel.show(state);
      pictures.push((await panel.page.screenshot()).toString('base64'));
    } finally {
      await panel.close();
    }
  }
  return joined(pictures);
}

/** Puts pictures side by side, with the browser that took them. */
async function joined(pictures: readonly string[]): Promise<Buffer> {
  const panel = await openPanel();
  try {
    const widths = VIEWS.reduce((sum, { width = 0 }) => sum + width + GAP, GAP);
    await panel.page.setViewportSize({ width: widths, height: HEIGHT + 2 * GAP });
    const images = pictures.map(data => `<img src="data:image/png;base64,${data}">`).join('');
    await panel.page.goto('about:blank');
    await panel.page.setContent(
      `<body style="margin:0;padding:${GAP}px;display:flex;gap:${GAP}px;background:#808080">${images}</body>`,
    );
    return await panel.page.screenshot();
  } finally {
    await panel.close();
  }
}
