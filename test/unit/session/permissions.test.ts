/** What a request for permission shows, and what answers it: with a real agent process on the other side. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { PermissionRequest } from '../../../src/session/state/permission';
import { cutRefs, isReject, mayAllow } from '../../../src/session/state/permission';
import { requestText } from '../../../src/session/requests/requestText';
import type { SessionAction } from '../../../src/session/state/actions';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import type { SessionState } from '../../../src/session/state/state';
import { choose } from './choose';
import { world, type World } from './world';

let open: World | undefined;
afterEach(async () => {
  await open?.end();
  open = undefined;
});

async function chat(options: Parameters<typeof world>[1] = {}): Promise<World> {
  open = await world({}, options);
  return open;
}

const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const begin = (toolCall: object, options: readonly object[] = OPTIONS): unknown => ({
  begin: { method: 'session/request_permission', params: { toolCall, options } },
});
const changed = (toolCallId: string, fields: object): unknown => ({
  update: { sessionUpdate: 'tool_call_update', toolCallId, ...fields },
});
/** Comes behind what was sent before it. */
const mark = {
  update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'marked' } },
};
const hear = { hear: true };

const text = (state: SessionState): string =>
  [...state.turns, ...(state.activeTurn ? [state.activeTurn] : [])]
    .flatMap(({ parts }) => parts)
    .map(part => (part.kind === 'text' ? part.text : ''))
    .join('');

async function waiting(it: World): Promise<PermissionRequest> {
  const { permissions } = await it.until(state => state.permissions.length > 0);
  assert.ok(permissions[0]);
  return permissions[0];
}

/** The request once the agent has said what it says after asking. */
async function afterMark(it: World): Promise<PermissionRequest> {
  const { permissions } = await it.until(state =>
    state.activeTurn?.parts.some(part => part.kind === 'thought' && part.text === 'marked'),
  );
  assert.ok(permissions[0]);
  return permissions[0];
}

const selected = (optionId: string): string =>
  JSON.stringify({ outcome: { outcome: 'selected', optionId } });
const CANCELLED = JSON.stringify({ outcome: { outcome: 'cancelled' } });

describe('an answer', () => {
  test('is the option at its place: with ids that occur twice, no refusal is taken for a yes', async () => {
    const it = await chat();
    const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always', 'odd'];
    const option = fc.record({
      optionId: fc.constantFrom('a', 'b', 'c'),
      name: fc.constantFrom('Allow', 'Reject'),
      kind: fc.constantFrom(...kinds),
    });
    const lists = fc.array(option, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(), async (options, seed) => {
        const place = seed % options.length;
        const before = text(it.state);
        const { length } = it.state.turns;
        it.send([begin({ toolCallId: 'p', title: 'P' }, options), hear]);
        const state = await it.until(
          ({ permissions, activeTurn, turns }) =>
            permissions.length > 0 || (!activeTurn && turns.length > length),
        );
        const [request] = state.permissions;
        if (!request) {
          assert.match(text(state).slice(before.length), /Invalid params/);
          return;
        }
        const { id: requestId, revision } = request;
        assert.ok(it.chat.controller.answerPermission({ requestId, revision, option: place }));
        const heard = text(await it.until(state => !state.activeTurn)).slice(before.length);
        const chosen = request.options[place];
        assert.ok(chosen);
        const isShared = request.options.some(
          other => other.optionId === chosen.optionId && !isReject(other),
        );
        assert.equal(heard, isReject(chosen) && isShared ? CANCELLED : selected(chosen.optionId));
      }),
      { numRuns: 60 },
    );
  });

  test('that is a Reject lets nothing be written, whatever id it has', async () => {
    const it = await chat({ asksBeforeWriting: true });
    const file = join(it.cwd, 'a.txt');
    writeFileSync(file, 'old\n');
    const toolCall = {
      toolCallId: 'edit',
      title: 'Edit a.txt',
      kind: 'edit',
      content: [{ type: 'diff', path: file, oldText: 'old\n', newText: 'new\n' }],
    };
    const options = OPTIONS.map(option => ({ ...option, optionId: 'same' }));
    const write = {
      ask: { method: 'fs/write_text_file', params: { path: file, content: 'new\n' } },
    };
    it.send([begin(toolCall, options), hear, write]);
    const { id: requestId, revision } = await waiting(it);
    it.chat.controller.answerPermission({ requestId, revision, option: 1 });
    const state = await it.until(
      ({ permissions }) => permissions.length > 0 && permissions[0]?.id !== requestId,
    );
    assert.equal(state.permissions[0]?.title, 'Write a.txt', 'the write has a request of its own');
    assert.equal(readFileSync(file, 'utf8'), 'old\n');
    choose(it.chat.controller, state.permissions[0]?.id, 'reject');
    await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(readFileSync(file, 'utf8'), 'old\n');
  });

  test('to a request that is gone, to a place that is none, or to another revision counts for nothing', async () => {
    const it = await chat();
    it.send([begin({ toolCallId: 'p', title: 'P' }), hear]);
    const { id: requestId, revision } = await waiting(it);
    const { controller } = it.chat;
    for (const wrong of [
      { requestId: 'other', revision, option: 0 },
      { requestId, revision: revision + 1, option: 0 },
      { requestId, revision, option: 2 },
      { requestId, revision, option: -1 },
      { requestId, revision, option: 0.5 },
    ]) {
      assert.equal(controller.answerPermission(wrong), false);
    }
    assert.equal(controller.answerPermission({ requestId, revision, option: 0 }), true);
    assert.equal(controller.answerPermission({ requestId, revision, option: 1 }), false);
    assert.equal(text(await it.until(({ activeTurn }) => !activeTurn)), selected('yes'));
  });
});

describe('a request that its agent changes while it waits', () => {
  const asked = {
    toolCallId: 'run',
    title: 'ls -la',
    kind: 'execute',
    rawInput: { command: 'ls -la', cwd: '/w' },
    content: [{ type: 'content', content: { type: 'text', text: 'harmless' } }],
    locations: [{ path: '/w/a' }],
  };
  const changes: readonly (readonly [string, object])[] = [
    ['title', { title: 'rm -rf ~' }],
    ['kind', { kind: 'read' }],
    ['input', { rawInput: { command: 'rm -rf ~/important', cwd: '/w' } }],
    ['input', { rawInput: { command: 'ls -la', cwd: '/etc' } }],
    ['input', { rawInput: { command: 'ls -la' } }],
    ['input', { rawInput: { command: 'ls -la', cwd: '/w', env: { LD_PRELOAD: '/w/x.so' } } }],
    ['content', { content: [] }],
    ['content', { content: [{ type: 'diff', path: '/w/a', oldText: 'a', newText: 'b' }] }],
    ['locations', { locations: [{ path: '/etc/passwd' }] }],
  ];
  for (const [field, fields] of changes) {
    test(`(its ${field}: ${JSON.stringify(fields)}) shows what was asked, and is not allowed before it is reviewed`, async () => {
      const it = await chat();
      it.send([begin(asked), changed('run', fields), mark, hear]);
      const request = await afterMark(it);
      assert.deepEqual(request.changed, [field]);
      assert.equal(request.asked.title, 'ls -la');
      assert.match(request.asked.rawInput?.text ?? '', /ls -la/);
      assert.equal(choose(it.chat.controller, request.id, 'yes'), false);

      it.chat.controller.reviewPermission(request.id, request.revision);
      const again = it.state.permissions[0];
      assert.ok(again);
      assert.equal(again.changed, undefined);
      const { title, asked: was, facts } = request;
      assert.deepEqual(again.before, { title, asked: was, facts });
      assert.notDeepEqual(again.asked, request.asked);
      const { id: requestId, revision } = request;
      const stale = it.chat.controller.answerPermission({ requestId, revision, option: 0 });
      assert.equal(stale, false, 'an answer to what was shown before');
      assert.ok(choose(it.chat.controller, request.id, 'yes'));
      assert.equal(text(await it.until(({ activeTurn }) => !activeTurn)), selected('yes'));
    });
  }

  test('can be rejected all the time', async () => {
    const it = await chat();
    it.send([begin(asked), changed('run', { title: 'other' }), mark, hear]);
    const { id } = await afterMark(it);
    assert.ok(choose(it.chat.controller, id, 'no'));
    assert.equal(text(await it.until(({ activeTurn }) => !activeTurn)), selected('no'));
  });

  test('may be allowed again when the agent takes the change back, as Claude sends an input in pieces', async () => {
    const it = await chat();
    it.send([
      begin(asked),
      changed('run', { rawInput: { command: 'ls -la' } }),
      changed('run', { rawInput: { cwd: '/w', command: 'ls -la' }, title: 'ls -la' }),
      mark,
      hear,
    ]);
    const request = await afterMark(it);
    assert.equal(request.changed, undefined);
    assert.ok(choose(it.chat.controller, request.id, 'yes'));
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('is not changed by progress, nor by what was known of the call before, as opencode repeats it', async () => {
    const it = await chat();
    const announced = {
      sessionUpdate: 'tool_call',
      toolCallId: 'run',
      title: 'bash',
      kind: 'execute',
      locations: [{ path: '/w' }],
      rawInput: { cwd: '/w' },
    };
    it.send([
      { update: announced },
      begin({ ...asked, locations: [], rawInput: { command: 'ls -la' } }),
      changed('run', {
        status: 'in_progress',
        title: 'ls -la',
        locations: [{ path: '/w' }],
        rawInput: { command: 'ls -la', cwd: '/w' },
      }),
      mark,
      hear,
    ]);
    const request = await afterMark(it);
    assert.equal(request.changed, undefined);
    assert.equal(request.facts.command?.folder, '/w', 'the folder is that of the announcement');
    assert.ok(choose(it.chat.controller, request.id, 'yes'));
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('arms what was shown when it was allowed, and nothing else', async () => {
    const it = await chat({ asksBeforeWriting: true });
    const file = join(it.cwd, 'a.txt');
    const diff = (newText: string) => ({
      content: [{ type: 'diff', path: file, oldText: null, newText }],
    });
    const write = {
      ask: { method: 'fs/write_text_file', params: { path: file, content: 'evil\n' } },
    };
    const toolCall = { toolCallId: 'edit', title: 'Edit', kind: 'edit', ...diff('good\n') };
    it.send([begin(toolCall), hear, changed('edit', diff('evil\n')), write]);
    const first = await waiting(it);
    assert.ok(choose(it.chat.controller, first.id, 'yes'));
    const { permissions } = await it.until(
      state => state.permissions.length > 0 && state.permissions[0]?.id !== first.id,
    );
    assert.equal(permissions[0]?.title, 'Create a.txt');
    assert.ok(!existsSync(file));
    choose(it.chat.controller, permissions[0]?.id, 'reject');
    await it.until(({ activeTurn }) => !activeTurn);
    assert.ok(!existsSync(file));
  });

  test('keeps the diff that was shown, also when the agent shows another one', async () => {
    const it = await chat();
    const diff = (newText: string) => ({
      content: [{ type: 'diff', path: '/w/a.txt', oldText: 'a\n', newText }],
    });
    const toolCall = { toolCallId: 'edit', title: 'Edit', kind: 'edit', ...diff('good\n') };
    it.send([begin(toolCall), changed('edit', diff('evil\n')), mark, hear]);
    const request = await afterMark(it);
    const [item] = request.asked.content;
    assert.ok(item?.kind === 'diff');
    const { contents } = it.chat.controller;
    const shown = contents.get(item.diff.ref);
    assert.ok(shown?.kind === 'diff' && shown.diff.newText === 'good\n');
    choose(it.chat.controller, request.id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
    assert.equal(contents.get(item.diff.ref), undefined, 'and lets it go when it is answered');
  });
});

describe('a request', () => {
  test('whose allows share an id is refused, and the user hears of it', async () => {
    const it = await chat();
    const options = ['allow_once', 'allow_always', 'reject_once'].map((kind, n) => ({
      optionId: n < 2 ? 'same' : 'no',
      name: kind,
      kind,
    }));
    it.send([begin({ toolCallId: 'p', title: 'P' }, options), hear]);
    const state = await it.until(({ activeTurn }) => !activeTurn);
    assert.match(text(state), /Invalid params/);
    const notice = state.turns[0]?.parts.find(part => part.kind === 'notice');
    assert.match(notice?.text ?? '', /look the same/);
  });

  test('has the title of its call, also where only the announcement gave one', async () => {
    const it = await chat();
    const announced = { sessionUpdate: 'tool_call', toolCallId: 'p', title: 'rm -rf /home/u' };
    it.send([{ update: { ...announced, kind: 'execute' } }, begin({ toolCallId: 'p' }), hear]);
    const { id, title, facts } = await waiting(it);
    assert.equal(title, 'rm -rf /home/u');
    assert.deepEqual(
      facts.risks?.map(({ start }) => start),
      [0],
    );
    choose(it.chat.controller, id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('asks for what it says, not for a command that was announced before', async () => {
    const it = await chat();
    const announced = { sessionUpdate: 'tool_call', toolCallId: 'p', title: 'P', kind: 'execute' };
    it.send([
      { update: { ...announced, rawInput: { command: 'ls', cwd: '/w' } } },
      begin({ toolCallId: 'p', title: 'P', rawInput: { cmd: 'rm -rf ~' } }),
      hear,
    ]);
    const { id, facts } = await waiting(it);
    assert.deepEqual(facts.command, { line: 'rm -rf ~', folder: '/w' });
    choose(it.chat.controller, id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('with deep input is compared without end, also where that is a text', async () => {
    const it = await chat();
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    it.send([
      begin({ toolCallId: 'p', title: 'P', rawInput: deep(20_000) }),
      changed('p', { rawInput: `${deep(20_000)} ` }),
      mark,
      hear,
    ]);
    const { id, changed: fields } = await afterMark(it);
    assert.deepEqual(fields, ['input']);
    choose(it.chat.controller, id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('names the gravest of its files first, and says that there are more', async () => {
    const it = await chat();
    const locations = [
      ...Array.from({ length: 30 }, (_, n) => ({ path: `/tmp/${n}` })),
      { path: '/home/u/.bashrc' },
    ];
    it.send([begin({ toolCallId: 'p', title: 'P', locations }), hear]);
    const { id, facts } = await waiting(it);
    assert.deepEqual(facts.warnings?.[0], {
      path: '/home/u/.bashrc',
      outside: true,
      runs: 'shell',
    });
    assert.equal((facts.warnings?.length ?? 0) + (facts.moreWarnings ?? 0), 31);
    choose(it.chat.controller, id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('names what leads to execution beyond the files that are shown as such, and in a title', async () => {
    const it = await chat();
    const diff = (path: string) => ({ type: 'diff', path, oldText: null, newText: 'x\n' });
    const content = Array.from({ length: 201 }, (_, n) => diff(`${it.cwd}/${n}`));
    const many = [...content, diff('/home/u/.bashrc')];
    it.send([begin({ toolCallId: 'p', title: 'P', kind: 'edit', content: many }), hear]);
    const first = await waiting(it);
    assert.deepEqual(
      first.facts.warnings?.map(({ path }) => path),
      ['/home/u/.bashrc'],
    );
    choose(it.chat.controller, first.id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);

    const title = 'echo x | tee -a .git/hooks/pre-commit';
    it.send([begin({ toolCallId: 'q', title, kind: 'execute' }), hear]);
    const second = await waiting(it);
    assert.deepEqual(
      second.facts.warnings?.map(({ runs }) => runs),
      ['git'],
    );
    choose(it.chat.controller, second.id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('means the words of its command from the folder that it names', async () => {
    const it = await chat();
    const rawInput = { command: 'echo x >> package.json', cwd: '/etc' };
    it.send([begin({ toolCallId: 'p', title: 'P', kind: 'execute', rawInput }), hear]);
    const { id, facts } = await waiting(it);
    assert.ok(facts.warnings?.some(({ path, outside }) => path === 'package.json' && outside));
    choose(it.chat.controller, id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('that was cut may be allowed once its agent says it short', async () => {
    const it = await chat();
    it.send([
      begin({ toolCallId: 'p', title: 'x'.repeat(10_001) }),
      changed('p', { title: 'short' }),
      mark,
      hear,
    ]);
    const { id, revision } = await afterMark(it);
    assert.equal(choose(it.chat.controller, id, 'yes'), false);
    it.chat.controller.reviewPermission(id, revision);
    assert.ok(choose(it.chat.controller, id, 'yes'));
    await it.until(({ activeTurn }) => !activeTurn);
  });
});

test('a request stays disarmed when its call is left out of a long turn', () => {
  const initial = initialSession({ chatId: 'c', agentName: 'A', cwd: '/w', at: 0 });
  const call = { turnId: 't', partId: 'p', toolCallId: 'run', announced: true, title: 'ls', at: 1 };
  const request = { id: 'r', toolCallId: 'run', title: 'ls', options: [], requestedAt: 2 };
  const states: readonly SessionAction[] = [
    { type: 'toolCallChanged', ...call },
    { type: 'permissionRequested', request },
    { type: 'toolCallChanged', ...call, announced: false, title: 'rm -rf ~' },
    { type: 'partsLeftOut', turnId: 't', count: 1, partId: 'n', text: 'left out', at: 3 },
    { type: 'terminalStarted', terminalId: 'x', command: '', owned: false, at: 4 },
  ];
  const [waiting] = states.reduce(reduce, initial).permissions;
  assert.deepEqual(waiting?.changed, ['title']);
});

describe('a request too long for its card', () => {
  const lines = (count: number, word: string): string => `${word}\n`.repeat(count);
  const diffs = Array.from({ length: 400 }, (_, n) => ({
    type: 'diff',
    path: `/w/file${n}.txt`,
    oldText: null,
    newText: 'x\n',
  }));
  const long: readonly (readonly [string, object, RegExp])[] = [
    ['400 files', { kind: 'edit', content: diffs }, /file399\.txt/],
    [
      'a long diff',
      {
        kind: 'edit',
        content: [
          { type: 'diff', path: '/w/a', oldText: null, newText: `${lines(900, 'x')}the end\n` },
        ],
      },
      /the end/,
    ],
    [
      'a new file beyond what is compared',
      {
        kind: 'edit',
        content: [
          {
            type: 'diff',
            path: '/w/a',
            oldText: null,
            newText: `${lines(4500, 'x')}EVIL\n${lines(499, 'x')}`,
          },
        ],
      },
      /EVIL/,
    ],
    [
      'a long line',
      {
        kind: 'edit',
        content: [{ type: 'diff', path: '/w/a', oldText: null, newText: `${'x'.repeat(5000)}!` }],
      },
      /x!/,
    ],
    [
      'a long command',
      { kind: 'execute', rawInput: { command: `echo ${'x'.repeat(90_000)}; rm -rf ~` } },
      /rm -rf ~/,
    ],
    [
      'long other input',
      { kind: 'other', rawInput: { note: 'x'.repeat(90_000), last: 'hidden' } },
      /hidden/,
    ],
    [
      'a long text',
      {
        kind: 'other',
        content: [{ type: 'content', content: { type: 'text', text: `${'x'.repeat(90_000)}!` } }],
      },
      /x!/,
    ],
  ];
  for (const [what, fields, found] of long) {
    test(`(${what}) is not allowed before all of it was opened`, async () => {
      const it = await chat();
      it.send([begin({ toolCallId: 'p', title: 'P', ...fields }), hear]);
      const request = await waiting(it);
      assert.equal(mayAllow(request), false);
      assert.equal(choose(it.chat.controller, request.id, 'yes'), false);
      assert.match(requestText(request, it.chat.controller.contents) ?? '', found);
      it.chat.controller.openedContents(cutRefs(request));
      assert.ok(choose(it.chat.controller, request.id, 'yes'));
      assert.equal(text(await it.until(({ activeTurn }) => !activeTurn)), selected('yes'));
    });
  }

  test('is told from another one also when what it showed is not kept any more', async () => {
    const it = await chat();
    const input = (end: string) => ({ rawInput: { command: `${'x'.repeat(90_000)}${end}` } });
    const heavy = (n: number) => ({
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: `heavy${n}`,
        title: 'Heavy',
        content: [{ type: 'content', content: { type: 'text', text: '$BIG' } }],
      },
      big: 900_000,
    });
    it.send([
      begin({ toolCallId: 'p', title: 'P', kind: 'execute', ...input('') }),
      ...Array.from({ length: 40 }, (_, n) => heavy(n)),
      changed('p', input('; rm -rf ~')),
      mark,
      hear,
    ]);
    const request = await afterMark(it);
    assert.deepEqual(request.changed, ['input']);
    choose(it.chat.controller, request.id, 'no');
    await it.until(({ activeTurn }) => !activeTurn);
  });

  test('of which something is not kept cannot be allowed at all', async () => {
    const it = await chat();
    const locations = Array.from({ length: 6000 }, (_, n) => ({ path: `/w/${n}` }));
    it.send([begin({ toolCallId: 'p', title: 'P', locations }), hear]);
    const request = await waiting(it);
    assert.equal(requestText(request, it.chat.controller.contents), undefined);
    assert.equal(choose(it.chat.controller, request.id, 'yes'), false);
    assert.ok(choose(it.chat.controller, request.id, 'no'));
    await it.until(({ activeTurn }) => !activeTurn);
  });
});
