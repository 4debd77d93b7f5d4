import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBelow } from '../../../src/git/isBelow';
import { TrackedFiles } from '../../../src/review/checkpoints/trackedFiles';

const CASES = [
  ['/w/a.txt', true],
  ['/w/deep/a.txt', true],
  ['/w/..env', true],
  ['/w/...', true],
  ['/w/..folder/a.txt', true],
  ['/w', false],
  ['/', false],
  ['/ws/a.txt', false],
  ['/other/a.txt', false],
  ['/w/../a.txt', false],
] as const;

test('what is below a folder, whatever dots its name begins with', () => {
  for (const [file, expected] of CASES) assert.equal(isBelow(file, '/w'), expected, file);
  assert.equal(isBelow('/a.txt', '/'), true);
});

test('a file whose name begins with dots is reviewed', () => {
  const scope = {
    roots: () => ['/w'],
    isOwn: () => false,
    isExcluded: () => false,
    isHidden: () => false,
  };
  const tracked = new TrackedFiles(scope, { of: () => Promise.resolve(undefined) });
  assert.equal(tracked.isInside('/w/..env'), true);
  assert.equal(tracked.isInside('/w/../env'), false);
});
