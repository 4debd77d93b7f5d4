import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pendingFile } from '../../../src/review/core/fileReview';
import { endingsOnly } from '../../../src/review/core/lineEndings';
import type { PendingFile } from '../../../src/review/model';

const change = (before: string, after: string, renamedFrom?: string): PendingFile =>
  pendingFile('/w/a.txt', {
    baseline: { kind: 'text', text: before },
    current: { kind: 'text', text: after },
    marks: [],
    ...(renamedFrom !== undefined && { renamedFrom }),
  });
const LF = 'one\ntwo\n\nthree\n';
const CRLF = LF.replaceAll('\n', '\r\n');

describe('changes of line endings only', () => {
  it('are told in words, whatever the change', () => {
    assert.equal(change(LF, CRLF).endings, 'LF → CRLF');
    assert.equal(change(CRLF, LF).endings, 'CRLF → LF');
    assert.equal(change(`${CRLF}end`, `${LF}end`).endings, 'CRLF → LF');
    assert.equal(change('one\ntwo\r\n', 'one\r\ntwo\n').endings, 'mixed → mixed');
    assert.equal(change('one\ntwo\r\n\nthree\n', CRLF).endings, 'LF → CRLF');
    assert.equal(change('one\ntwo', 'one\ntwo\n').endings, 'line break at the end added');
    const cut = change('one\r\ntwo\r\n', 'one\r\ntwo');
    assert.equal(cut.endings, 'line break at the end removed');
  });

  it('are none when a line says something else, came or went', () => {
    for (const after of [
      CRLF.replace('two', '2'),
      `${CRLF}four\r\n`,
      CRLF.replace('two\r\n', ''),
    ]) {
      assert.equal(change(LF, after).endings, undefined);
    }
    assert.equal(change('one\ntwo\n', 'one\n\ntwo\n').endings, undefined);
    assert.equal(change(LF, LF).endings, undefined);
  });

  it('are told of one hunk although another says something else', () => {
    const file = change('a\nb\nc\nd\n', 'a\r\nb\nc\nD\n');
    assert.deepEqual(
      file.hunks.map(hunk => endingsOnly(file, [hunk])),
      ['LF → CRLF', undefined],
    );
    assert.equal(file.endings, undefined);
  });

  it('do not hide that the file has another name, nor that it is new or gone', () => {
    const renamed = change(LF, CRLF, '/w/b.txt');
    const [hunk] = renamed.hunks;
    assert.equal(renamed.endings, undefined);
    assert.equal(hunk && endingsOnly(renamed, [hunk]), 'LF → CRLF');
    const text = { kind: 'text', text: LF } as const;
    const absent = { kind: 'absent' } as const;
    for (const [baseline, current] of [
      [absent, text],
      [text, absent],
    ] as const) {
      const file = pendingFile('/w/a.txt', { baseline, current, marks: [] });
      assert.deepEqual(
        file.hunks.map(hunk => endingsOnly(file, [hunk])),
        [undefined],
      );
    }
  });
});
