// Takes the pictures of docs/gallery, the panel in every state: `npm run gallery [-- state…]`.
import { ensureChromium } from '../test/workbench/browser.mjs';
import { bundleTogether } from './lib/bundleTests.mjs';
import { runNodeTests } from './lib/nodeTest.mjs';

const CHROMIUM = await ensureChromium(console.log);
const bundle = await bundleTogether(['test/webview/gallery.ts'], 'gallery');
process.exitCode = await runNodeTests('gallery', [bundle], {
  env: { CHROMIUM, PARLEY_GALLERY: process.argv.slice(2).join(',') },
});
