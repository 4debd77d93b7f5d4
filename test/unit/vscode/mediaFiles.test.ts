import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { NO_CAPABILITIES } from '../../../src/session/state/initialSession';
import { mediaBlock } from '../../../src/vscode/context/mediaFiles';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-media-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, size = 3) {
  const full = path.join(folder, name);
  writeFileSync(full, 'abc');
  return { path: full, uri: `file://${full}`, size };
}

test('images and sounds are sent as such to agents that take them', async () => {
  const image = file('A.PNG');
  assert.deepEqual(await mediaBlock(image, { ...NO_CAPABILITIES, image: true }), {
    type: 'image',
    data: 'YWJj',
    mimeType: 'image/png',
    uri: image.uri,
  });
  assert.deepEqual(await mediaBlock(file('a.mp3'), { ...NO_CAPABILITIES, audio: true }), {
    type: 'audio',
    data: 'YWJj',
    mimeType: 'audio/mpeg',
  });
});

test('other agents, other files and large ones go another way', async () => {
  const all = { ...NO_CAPABILITIES, image: true, audio: true };
  assert.equal(await mediaBlock(file('a.png'), { ...all, image: false }), undefined);
  assert.equal(await mediaBlock(file('a.wav'), { ...all, audio: false }), undefined);
  assert.equal(await mediaBlock(file('a.ts'), all), undefined);
  assert.equal(await mediaBlock(file('b.png', 11 * 1024 * 1024), all), undefined);
});
