import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedFile } from '../../../../src/vscode/codeBlocks/namedFile';
import { canBeAsked, shellText } from '../../../../src/vscode/codeBlocks/shellText';

test('a code block names its file beside the fence, in its first line or in its diff', () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['ts src/a.ts', 'x', 'src/a.ts'],
    ['ts:src/a.ts', 'x', 'src/a.ts'],
    ['ts title="src/a b.ts"', 'x', 'src/a b.ts'],
    ['ts title="src/a-b.test.ts"', 'x', 'src/a-b.test.ts'],
    ['12:20:src/a.ts', 'x', 'src/a.ts'],
    ['js {file=a.js}', 'x', 'a.js'],
    ['ts', '// src/a.ts\nx', 'src/a.ts'],
    ['py', '# tools/run.py\nx', 'tools/run.py'],
    ['html', '<!-- index.html -->\nx', 'index.html'],
    ['css', '/* a.css */', 'a.css'],
    ['diff', '--- a/src/a.ts\n+++ b/src/a.ts\n@@\n', 'src/a.ts'],
    ['diff', '--- a/src/a.ts\n+++ /dev/null', undefined],
    ['ts', '// Waits for a.ts to end\nx', undefined],
    ['ts', 'const version = 1.5;', undefined],
    ['', 'x', undefined],
  ];
  for (const [info, text, expected] of cases) {
    assert.equal(namedFile(info, text), expected, `${info} | ${text}`);
  }
});

test('of a recorded session only what was typed is run', () => {
  assert.equal(
    shellText('console', '$ npm test\n3 passed\n$ git status\n'),
    'npm test\ngit status',
  );
  assert.equal(shellText('console', 'npm test\n'), 'npm test');
  assert.equal(shellText('sh', 'echo $HOME\n$ not a prompt\n'), 'echo $HOME\n$ not a prompt');
  assert.ok(canBeAsked('npm test'));
  assert.ok(!canBeAsked('x\n'.repeat(40)));
  assert.ok(!canBeAsked('x'.repeat(4000)));
});
