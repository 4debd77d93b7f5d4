import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitWords } from '../../../src/base/splitWords';

test('arguments are split as one would type them', () => {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    ['  --acp  ', ['--acp']],
    ['-y @scope/agent --acp', ['-y', '@scope/agent', '--acp']],
    [`--name "My agent" 'a "b"'`, ['--name', 'My agent', 'a "b"']],
    ['--dir="C:\\Program Files\\x" ""', ['--dir=C:\\Program Files\\x', '']],
    ['it"s', ['it"s']],
  ];
  for (const [line, words] of lines) assert.deepEqual(splitWords(line), words, line);
});
