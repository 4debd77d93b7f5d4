import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { noteToAgent, withUserChanges } from '../../../src/session/requests/editedProposal';
import { isAsShown } from '../../../src/session/requests/shownEdit';
import type { EditedProposal } from '../../../src/session/ports';
import type { SessionState } from '../../../src/session/state/state';
import { world, type World } from './world';
import { choose } from './choose';

const BEFORE = 'one\ntwo\nthree\n';
const PROPOSED = 'one\nzwei\nthree\n';
const MINE = 'one\ndeux\nthree\n';

let open: World | undefined;
afterEach(async () => {
  await open?.end();
  open = undefined;
});

/** A chat whose user has changed the proposals of a request as `mine` says. */
async function chatWith(
  options: { readonly mine?: string; readonly asks?: boolean } = {},
): Promise<{ readonly chat: World; readonly file: string }> {
  const edited: EditedProposal[] = [];
  const chat = await world(
    { logPrompt: true },
    { proposals: { edited: () => edited }, asksBeforeWriting: options.asks === true },
  );
  open = chat;
  const file = join(chat.cwd, 'a.txt');
  writeFileSync(file, BEFORE);
  if (options.mine !== undefined) {
    edited.push({ path: file, proposed: PROPOSED, mine: options.mine });
  }
  return { chat, file };
}

const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
  { optionId: 'odd', name: 'Odd', kind: 'of_another_kind' },
];

const permission = (file: string): unknown => ({
  ask: {
    method: 'session/request_permission',
    params: {
      toolCall: {
        toolCallId: 'edit',
        title: 'Edit a.txt',
        kind: 'edit',
        content: [{ type: 'diff', path: file, oldText: BEFORE, newText: PROPOSED }],
      },
      options: OPTIONS,
    },
  },
  quiet: true,
});
const write = (path: string, content: string): unknown => ({
  ask: { method: 'fs/write_text_file', params: { path, content } },
});
const done = {
  update: { sessionUpdate: 'tool_call_update', toolCallId: 'edit', status: 'completed' },
};

/** Answers each request that comes, and resolves when the turn has ended. */
async function answering(
  chat: World,
  steps: readonly unknown[],
  optionId: string,
): Promise<SessionState> {
  const { length } = chat.state.turns;
  chat.send(steps);
  for (;;) {
    const state = await chat.until(
      ({ permissions, activeTurn, turns }) =>
        permissions.length > 0 || (!activeTurn && turns.length > length),
    );
    const [request] = state.permissions;
    if (!request) return state;
    choose(chat.chat.controller, request.id, optionId);
  }
}

const text = (state: SessionState): string =>
  (state.turns.at(-1)?.parts ?? []).map(part => (part.kind === 'text' ? part.text : '')).join('');
const notices = (state: SessionState): readonly string[] =>
  state.turns.flatMap(({ parts }) =>
    parts.flatMap(part => (part.kind === 'notice' ? [part.text] : [])),
  );

describe('an edit that the user changed before allowing it', () => {
  test('is written as the user has it, and the agent is told with the next prompt', async () => {
    const { chat, file } = await chatWith({ mine: MINE });
    const state = await answering(chat, [permission(file), write(file, PROPOSED), done], 'yes');
    assert.equal(readFileSync(file, 'utf8'), MINE);
    assert.deepEqual(notices(state), ['Your version of the edit was written to a.txt.']);
    const next = text(await chat.run([]));
    assert.match(next, /the user changed it/);
    assert.match(next, /-zwei\\n\+deux/);
    // Once, and before the user's own words.
    assert.ok(next.indexOf('Note from the editor') < next.indexOf('"text":"[]"'));
    assert.doesNotMatch(text(await chat.run([])), /Note from the editor/);
  });

  test('is told until a prompt with it has been taken', async () => {
    const { chat, file } = await chatWith({ mine: MINE });
    await answering(chat, [permission(file), write(file, PROPOSED), done], 'yes');
    await chat.run([{ fail: { code: -32603, message: 'overloaded' } }]);
    assert.match(text(await chat.run([])), /Note from the editor/);
    assert.doesNotMatch(text(await chat.run([])), /Note from the editor/);
  });

  test('is put in place when the agent wrote to disk itself', async () => {
    const { chat, file } = await chatWith({ mine: MINE });
    chat.send([permission(file), { waitCancel: true }]);
    const { permissions } = await chat.until(state => state.permissions.length > 0);
    choose(chat.chat.controller, permissions[0]?.id, 'yes');
    writeFileSync(file, PROPOSED);
    chat.chat.controller.stop();
    await chat.until(state => !state.activeTurn);
    await chat.until(state => notices(state).length > 0);
    assert.equal(readFileSync(file, 'utf8'), MINE);
  });

  test('goes on top of what the agent wrote instead, where it fits', async () => {
    const { chat, file } = await chatWith({ mine: MINE });
    const written = `${PROPOSED}four\n`;
    await answering(chat, [permission(file), write(file, written), done], 'yes');
    assert.equal(readFileSync(file, 'utf8'), `${MINE}four\n`);
  });

  test('is told as lost, with what was changed, where it does not fit', async () => {
    const { chat, file } = await chatWith({ mine: MINE });
    const state = await answering(chat, [permission(file), write(file, 'other\n'), done], 'yes');
    assert.equal(readFileSync(file, 'utf8'), 'other\n');
    assert.deepEqual(notices(state), ['Your changes to the edit of a.txt were not applied.']);
    const notice = state.turns.at(-1)?.parts.find(part => part.kind === 'notice');
    assert.match(notice?.detail ?? '', /\+deux/);
  });

  test('counts for nothing when it is rejected', async () => {
    const { chat, file } = await chatWith({ mine: MINE });
    const state = await answering(chat, [permission(file)], 'no');
    assert.equal(readFileSync(file, 'utf8'), BEFORE);
    assert.deepEqual(notices(state), []);
  });
});

describe('with approval before writing', () => {
  test('a write that nobody was asked about waits, and is written when allowed', async () => {
    const { chat, file } = await chatWith({ asks: true });
    chat.send([write(file, PROPOSED)]);
    const { permissions } = await chat.until(state => state.permissions.length > 0);
    assert.equal(permissions[0]?.title, 'Write a.txt');
    assert.equal(readFileSync(file, 'utf8'), BEFORE);
    choose(chat.chat.controller, permissions[0]?.id, 'allow');
    const state = await chat.until(({ activeTurn }) => !activeTurn);
    assert.equal(readFileSync(file, 'utf8'), PROPOSED);
    const tool = state.turns[0]?.parts.find(part => part.kind === 'tool');
    assert.equal(tool?.kind === 'tool' && tool.status, 'completed');
  });

  test('a rejected write is an error that says so, and the file stays', async () => {
    const { chat, file } = await chatWith({ asks: true });
    const state = await answering(chat, [write(file, PROPOSED)], 'reject');
    assert.match(text(state), /The user rejected this edit/);
    assert.equal(readFileSync(file, 'utf8'), BEFORE);
  });

  test('a new file waits too', async () => {
    const { chat } = await chatWith({ asks: true });
    const file = join(chat.cwd, 'new.txt');
    chat.send([write(file, 'new\n')]);
    const { permissions } = await chat.until(state => state.permissions.length > 0);
    assert.equal(permissions[0]?.title, 'Create new.txt');
    assert.ok(!existsSync(file));
    choose(chat.chat.controller, permissions[0]?.id, 'allow');
    await chat.until(({ activeTurn }) => !activeTurn);
    assert.equal(readFileSync(file, 'utf8'), 'new\n');
  });

  test('what was just allowed is not asked again', async () => {
    const { chat, file } = await chatWith({ asks: true });
    chat.send([permission(file), write(file, PROPOSED), done]);
    const { permissions } = await chat.until(state => state.permissions.length > 0);
    choose(chat.chat.controller, permissions[0]?.id, 'yes');
    const seen: number[] = [];
    chat.chat.store.onDidApply(() => seen.push(chat.state.permissions.length));
    await chat.until(({ activeTurn }) => !activeTurn);
    assert.equal(Math.max(0, ...seen), 0);
    assert.equal(readFileSync(file, 'utf8'), PROPOSED);
  });

  for (const { what, optionId, content } of [
    { what: 'of something else than was allowed', optionId: 'yes', content: 'one\nevil\nthree\n' },
    { what: 'after an answer of an unknown kind', optionId: 'odd', content: PROPOSED },
  ]) {
    test(`a write ${what} is asked about with its own content`, async () => {
      const { chat, file } = await chatWith({ asks: true });
      chat.send([permission(file), write(file, content), done]);
      const [first] = (await chat.until(state => state.permissions.length > 0)).permissions;
      choose(chat.chat.controller, first?.id, optionId);
      const state = await chat.until(({ permissions }) =>
        permissions.some(({ id }) => id !== first?.id),
      );
      assert.equal(readFileSync(file, 'utf8'), BEFORE);
      const [second] = state.permissions;
      assert.equal(second?.title, 'Write a.txt');
      const call = state.activeTurn?.parts.find(
        part => part.kind === 'tool' && part.toolCallId === second.toolCallId,
      );
      const item = call?.kind === 'tool' ? call.content[0] : undefined;
      const shown = item?.kind === 'diff' ? chat.chat.controller.contents.get(item.diff.ref) : item;
      assert.equal(shown?.kind === 'diff' && 'diff' in shown && shown.diff.newText, content);
      choose(chat.chat.controller, second.id, 'reject');
      await chat.until(({ activeTurn }) => !activeTurn);
      assert.equal(readFileSync(file, 'utf8'), BEFORE);
    });
  }

  test('Stop answers the write, and nothing is written', async () => {
    const { chat, file } = await chatWith({ asks: true });
    chat.send([write(file, PROPOSED)]);
    await chat.until(state => state.permissions.length > 0);
    chat.chat.controller.stop();
    await chat.until(({ activeTurn }) => !activeTurn);
    assert.equal(readFileSync(file, 'utf8'), BEFORE);
  });
});

describe('what was shown', () => {
  const snippet = { oldText: 'two', newText: 'zwei' };

  test('may be a snippet, with other line ends, and several of them', () => {
    assert.ok(isAsShown([snippet], BEFORE, PROPOSED));
    assert.ok(isAsShown([snippet], BEFORE.replaceAll('\n', '\r\n'), PROPOSED.trimEnd()));
    const third = { oldText: 'three', newText: 'drei' };
    assert.ok(isAsShown([snippet, third], BEFORE, 'one\nzwei\ndrei\n'));
    assert.ok(!isAsShown([snippet, third], BEFORE, PROPOSED));
  });

  test('is not a snippet that the file has more than once: nobody has seen which one is meant', () => {
    for (const result of ['zwei two', 'two zwei', 'zwei zwei']) {
      assert.ok(!isAsShown([snippet], 'two two', result), result);
    }
  });

  test('is the whole text of a file that is new or said to be written over, and of no other', () => {
    const whole = { oldText: null, newText: PROPOSED };
    assert.ok(isAsShown([whole], null, PROPOSED));
    assert.ok(!isAsShown([whole], BEFORE, PROPOSED), 'it was called new');
    assert.ok(isAsShown([{ ...whole, change: 'modified' }], BEFORE, PROPOSED));
    assert.ok(!isAsShown([{ oldText: '', newText: PROPOSED }], BEFORE, PROPOSED));
  });

  test('is not what the file does not have, nor more than it says', () => {
    assert.ok(!isAsShown([snippet], 'one\n', 'zwei\n'));
    assert.ok(!isAsShown([snippet], BEFORE, `${PROPOSED}four\n`));
    assert.ok(!isAsShown([{ oldText: BEFORE, newText: PROPOSED }], `${BEFORE}four\n`, PROPOSED));
    assert.ok(isAsShown([{ oldText: null, newText: PROPOSED }], null, PROPOSED));
    assert.ok(!isAsShown([], BEFORE, BEFORE));
  });
});

describe("the user's version", () => {
  const edited = { path: '/a.txt', proposed: PROPOSED, mine: MINE };

  test('replaces what the agent proposed, whatever its line ends', () => {
    assert.equal(withUserChanges(PROPOSED.replaceAll('\n', '\r\n'), edited), MINE);
    assert.equal(withUserChanges(MINE, edited), MINE);
  });

  test('does not fit a text that has nothing of the proposal', () => {
    assert.equal(withUserChanges('other\n', edited), undefined);
  });

  test("is told with the file's path and a diff", () => {
    const note = noteToAgent([edited]);
    assert.match(note, /\/a\.txt/);
    assert.match(note, /\n-zwei\n\+deux\n/);
  });
});
