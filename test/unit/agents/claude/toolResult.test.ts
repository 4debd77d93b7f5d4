import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultFields } from '../../../../src/agents/backends/claude/toolResult';

const use = { id: 'call', name: 'Edit', input: {} };

test('an edit is shown at its place in the file, hunk by hunk, where the CLI says it', () => {
  const structured = {
    filePath: '/w/a.ts',
    structuredPatch: [
      { oldStart: 24, newStart: 24, lines: [' a', '-b', '+c', ' d'] },
      { oldStart: 90, newStart: 91, lines: [' e', '+f', '\\ No newline at end of file'] },
    ],
  };
  assert.deepEqual(resultFields(use, { content: 'ok', isError: false, structured }), {
    status: 'completed',
    _meta: { claudeCode: { toolName: 'Edit' } },
    content: [
      { type: 'diff', path: '/w/a.ts', oldText: 'a\nb\nd', newText: 'a\nc\nd' },
      { type: 'diff', path: '/w/a.ts', oldText: 'e', newText: 'e\nf' },
    ],
    locations: [
      { path: '/w/a.ts', line: 24 },
      { path: '/w/a.ts', line: 91 },
    ],
  });
});

test('an edit of which the CLI says nothing stays as it was asked for', () => {
  for (const structured of [{}, { filePath: '/w/a.ts', structuredPatch: [] }]) {
    assert.deepEqual(resultFields(use, { content: 'ok', isError: false, structured }), {
      status: 'completed',
      _meta: { claudeCode: { toolName: 'Edit' } },
    });
  }
});
