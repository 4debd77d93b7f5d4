/**
 * Takes the pictures of docs/gallery: each state of the panel as one strip, in four themes as wide as VS Code opens
 * it, and one sheet of them for the readme. Run by scripts/gallery.mjs.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openPanel, withPanel, type PanelOptions } from './harness';
import { STATES, stateNamed, type FixtureState } from './states';

const DIRECTORY = 'docs/gallery';
const HEIGHT = 640;
const GAP = 16;

/** The width at which VS Code opens the secondary side bar, in pixels. */
const WIDTH = 289;

/** The panels of a strip, from left to right. */
const VIEWS: readonly PanelOptions[] = (
  ['dark-2026', 'light-2026', 'hc-dark', 'hc-light'] as const
).map(theme => ({ theme, width: WIDTH }));

/** What the readme shows: the name of a state, and how. */
const SHEET: readonly (readonly [string, PanelOptions])[] = [
  ['ready', { theme: 'dark-2026', width: WIDTH }],
  ['streaming', { theme: 'dark-2026', width: WIDTH }],
  ['permission', { theme: 'light-2026', width: WIDTH }],
  ['permission-diff', { theme: 'light-2026', width: WIDTH }],
];

const wanted = (process.env['PARLEY_GALLERY'] ?? '').split(',').filter(name => name !== '');
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

for (const state of STATES) {
  if (!isWanted(state.name)) continue;
  test(state.name, () =>
    takePicture(
      state.name,
      VIEWS.map(view => [state, view]),
    ),
  );
}
if (isWanted('panel')) {
  test('panel', () =>
    takePicture(
      'panel',
      SHEET.map(([name, view]) => [stateNamed(name), view]),
    ));
}

type Picture = readonly [FixtureState, PanelOptions];

async function takePicture(name: string, panels: readonly Picture[]): Promise<void> {
  mkdirSync(DIRECTORY, { recursive: true });
  const file = path.join(DIRECTORY, `${name}.png`);
  const pictures: Buffer[] = [];
  for (const [state, view] of panels) pictures.push(await panelPicture(state, view));
  const width = panels.reduce((sum, [, view]) => sum + (view.width ?? 0) + GAP, GAP);
  writeFileSync(file, await joined(pictures, width));
  console.log(`${file}: ${Math.round(statSync(file).size / 1024)} KB`);
}

async function panelPicture(state: FixtureState, view: PanelOptions): Promise<Buffer> {
  let picture: Buffer | undefined;
  await withPanel({ ...view, height: HEIGHT }, async panel => {
    await panel.show(state);
    if (state.then) await panel.page.getByRole('searchbox').waitFor();
    await panel.page.evaluate(() => document.fonts.ready);
    picture = await panel.page.screenshot();
  });
  if (!picture) throw new Error(`No picture of ${state.name}.`);
  return picture;
}

/** Puts pictures side by side, with the browser that took them. */
async function joined(pictures: readonly Buffer[], width: number): Promise<Buffer> {
  const panel = await openPanel();
  try {
    await panel.page.setViewportSize({ width, height: HEIGHT + 2 * GAP });
    const images = pictures
      .map(picture => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
      .join('');
    await panel.page.goto('about:blank');
    await panel.page.setContent(
      `<body style="margin:0;padding:${GAP}px;display:flex;gap:${GAP}px;background:#808080">${images}</body>`,
    );
    return await panel.page.screenshot();
  } finally {
    await panel.close();
  }
}
