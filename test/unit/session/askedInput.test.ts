import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { restOfInput, type ShownParts } from '../../../src/session/requests/restOfInput';
import { commandInput } from '../../../src/session/state/commandInput';

const CWD = '/w';
const shown = (input: unknown, more: Partial<ShownParts> = {}): ShownParts => ({
  title: 'A title',
  commandFields: commandInput(input)?.fields ?? [],
  diffs: [],
  texts: [],
  cwd: CWD,
  ...more,
});
const DIFF = { path: '/w/a.txt', oldText: 'one\ntwo\n', newText: 'one\nzwei\n' };

describe('the command of an input', () => {
  for (const [input, line, shell] of [
    [{ command: 'ls' }, 'ls', undefined],
    [{ cmd: 'ls' }, 'ls', undefined],
    [{ command: 'ls', args: ['-l', 'a b'] }, "ls -l 'a b'", undefined],
    [{ command: ['bash', '-lc', 'ls'] }, 'ls', 'bash -lc'],
    [{ command: ['/bin/zsh', '-c', 'ls'] }, 'ls', '/bin/zsh -c'],
    [{ command: ['/w/x/bash', '-lc', 'ls'] }, '/w/x/bash -lc ls', undefined],
    [{ command: ['./sh', '-c', 'ls'] }, './sh -c ls', undefined],
    [{ command: ['bash', '-lc', 'ls', 'x'] }, 'bash -lc ls x', undefined],
    [{ command: ['a', { b: 1 }] }, `a '{"b":1}'`, undefined],
    [{ command: ['bash', '-c', ['rm', '-rf']] }, `bash -c '["rm","-rf"]'`, undefined],
    [{ command: '' }, undefined, undefined],
    [{ command: 5 }, undefined, undefined],
    ['ls', undefined, undefined],
  ] as const) {
    test(JSON.stringify(input), () => {
      const command = commandInput(input);
      assert.equal(command?.line, line);
      assert.equal(command?.shell, shell);
    });
  }
});

describe('what of an input is shown nowhere else', () => {
  const cases: readonly (readonly [string, unknown, Partial<ShownParts>, unknown])[] = [
    ['nothing of a plain command', { command: 'ls', cwd: '/etc' }, {}, undefined],
    [
      'a second command and the environment',
      { command: 'ls', cmd: 'rm -rf ~', env: { LD_PRELOAD: 'x.so' } },
      {},
      { cmd: 'rm -rf ~', env: { LD_PRELOAD: 'x.so' } },
    ],
    ['a second folder', { command: 'ls', cwd: '/w', workdir: '/etc' }, {}, { workdir: '/etc' }],
    [
      'no description that stands beside it',
      { command: 'ls', description: 'Lists' },
      { texts: ['Lists'] },
      undefined,
    ],
    ['a description of its own', { description: 'Lists' }, {}, { description: 'Lists' }],
    [
      'all of what is no command',
      { path: '/w/a', deep: { x: [1] } },
      {},
      { path: '/w/a', deep: { x: [1] } },
    ],
    ['a text', 'do it', {}, 'do it'],
    ['nothing', null, {}, undefined],
    [
      'nothing of an edit as Claude has it, but its flags',
      { file_path: '/w/a.txt', old_string: 'two', new_string: 'zwei', replace_all: true },
      { diffs: [DIFF] },
      { replace_all: true },
    ],
    [
      'nothing of an edit as opencode has it',
      {
        filepath: '/w/a.txt',
        diff: 'Index: /w/a.txt\n====\n--- /w/a.txt\n+++ /w/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n',
      },
      { diffs: [DIFF] },
      undefined,
    ],
    [
      'nothing of an edit as Codex has it, but its bookkeeping',
      { call_id: 'c', changes: { '/w/a.txt': { type: 'add', content: 'one\nzwei\n' } } },
      { diffs: [DIFF] },
      { call_id: 'c' },
    ],
    [
      'a deletion that no diff shows',
      { changes: { '/w/a.txt': { type: 'add', content: 'one' }, '/w/b': { type: 'delete' } } },
      { diffs: [DIFF] },
      { changes: { '/w/a.txt': { type: 'add', content: 'one' }, '/w/b': { type: 'delete' } } },
    ],
    [
      'a patch of which a file is not shown',
      {
        patchText:
          '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+zwei\n*** Delete File: b.txt\n*** End Patch',
      },
      { diffs: [DIFF] },
      {
        patchText:
          '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+zwei\n*** Delete File: b.txt\n*** End Patch',
      },
    ],
    [
      'a command beside an edit, also one that stands in the file',
      { file_path: 'a.txt', run: 'one' },
      { diffs: [DIFF] },
      { run: 'one' },
    ],
    [
      'another file beside the one that is shown',
      { file_path: '/w/a.txt', path: '/etc/passwd' },
      { diffs: [DIFF] },
      { path: '/etc/passwd' },
    ],
  ];
  for (const [name, input, more, rest] of cases) {
    test(name, () => {
      assert.deepEqual(restOfInput(input, shown(input, more)), rest);
    });
  }
});
