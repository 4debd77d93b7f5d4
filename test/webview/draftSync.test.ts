import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DraftSync } from '../../webview/composer/draftSync';

const draft = (text: string, revision: number) => ({ text, revision, attachments: [] });

for (const [what, known, pending, host, shown] of [
  ['a prompt that comes back to an empty box', '', 'and this', 'prompt', 'prompt\nand this'],
  ['a prompt before what the host knew', 'mine', 'mine, too', 'prompt\nmine', 'prompt\nmine, too'],
  ['a draft that says something else', 'mine', 'mine, too', 'other', 'other\nmine, too'],
  ['a draft that was cleared', 'mine', 'mine, too', '', 'mine, too'],
] as const) {
  test(`what is typed since the host was last told stays: ${what}`, t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const told: string[] = [];
    const sync = new DraftSync((_, text) => told.push(text));
    sync.accept('chat', draft(known, 0), '', true);
    sync.typed(pending);
    assert.equal(sync.accept('chat', draft(host, 1), pending, true), shown);
    t.mock.timers.tick(1000);
    assert.equal(told.at(-1), shown, 'the host is told of it');
    assert.equal(sync.accept('chat', draft(shown, 1), shown, true), undefined);
  });
}
