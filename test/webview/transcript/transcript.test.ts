import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import { diffView } from '../../../src/session/translate/edits/diffView';
import type { DiffView } from '../../../src/session/state/content';
import type { PermissionOption } from '../../../src/session/state/permission';
import type { SessionState, ToolContent } from '../../../src/session/state/state';
import type { FileDiff } from '../../../src/session/translate/contents';
import { withPanel, type Panel } from '../harness';
import { stateNamed } from '../states';
import { tool } from './tool';
import { AGENT, T0, asked, connected, ended, looked, said, testsRunning } from '../story';

function told(...actions: readonly SessionAction[]): SessionState {
  const start = initialSession({
    chatId: 'chat-1',
    agentName: AGENT,
    cwd: '/work/parcel-api',
    at: T0,
  });
  return actions.reduce(reduce, start);
}

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.panelState(stateNamed('streaming').panel);
  await panel.snapshot(told(...connected(), ...actions), T0 + 42_000);
}

function request(
  id: string,
  toolCallId: string,
  options?: readonly PermissionOption[],
): SessionAction {
  return {
    type: 'permissionRequested',
    request: {
      id,
      toolCallId,
      title: toolCallId,
      options: options ?? [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'ever', name: 'Always', kind: 'allow_always' },
        { optionId: 'session', name: 'This session', kind: 'allow_always' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
      requestedAt: T0,
    },
  };
}

test('a chunk changes the part it belongs to and nothing else', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asked(), ...looked(), ...said('One.\n\nTwo.\n\nThree.\n\nFour', 'text-1'));
    await panel.page.evaluate(() => {
      const touched: string[] = [];
      (window as unknown as { touched: string[] }).touched = touched;
      new MutationObserver(records => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          const block = element?.closest('.md > *') ?? element;
          touched.push(block?.closest('.md') ? `md ${block.tagName}` : (block?.className ?? ''));
        }
      }).observe(document.querySelector('.turns') as Element, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    });
    await panel.actions(said(' and more', 'text-1'));
    const touched = await panel.page.evaluate(
      () => (window as unknown as { touched: string[] }).touched,
    );
    assert.ok(touched.length > 0 && touched.length <= 4, touched.join('; '));
    assert.ok(
      touched.every(name => name.startsWith('md ')),
      touched.join('; '),
    );
    assert.equal(await panel.page.locator('.md > p').last().textContent(), 'Four and more');
  });
});

test('neighbouring reads share one row, and each keeps its own element', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asked(), ...looked());
    await panel.conversation.getByText('Read 4 files').click();
    const calls = panel.page.locator('[data-part="tool"][data-kind="read"]');
    assert.equal(await calls.count(), 4);
    assert.equal(await calls.first().getAttribute('data-tool-call-id'), 'read-0');
    assert.equal(await calls.first().getAttribute('data-status'), 'completed');
    assert.equal(await calls.first().getAttribute('aria-label'), 'Tool: Read retry.ts');
    await calls.nth(1).getByRole('button').first().click();
    assert.deepEqual(await panel.waitForIntent('openLocation'), {
      type: 'openLocation',
      toolCallId: 'read-1',
      index: 0,
    });
  });
});

test('every status has its word', async () => {
  await withPanel({}, async panel => {
    const words = {
      pending: 'Pending',
      running: 'Running',
      completed: 'Completed',
      failed: 'Failed',
      rejected: 'Rejected',
      cancelled: 'Canceled',
    } as const;
    const statuses = Object.keys(words) as (keyof typeof words)[];
    await show(
      panel,
      ...asked(),
      ...statuses.map(status => tool(status, { status })),
      tool('awaiting', { status: 'pending' }),
      request('r1', 'awaiting'),
    );
    for (const status of statuses) {
      const call = panel.page.getByRole('group', { name: `Tool: ${status}`, exact: true });
      assert.equal(await call.getAttribute('data-status'), status);
      assert.match((await call.textContent()) ?? '', new RegExp(words[status]));
    }
    const waiting = panel.page.getByRole('group', { name: 'Tool: awaiting', exact: true });
    assert.equal(await waiting.getAttribute('data-status'), 'awaiting');
    assert.match((await waiting.textContent()) ?? '', /Waiting for you/);
  });
});

test('a page that a tool has read is shown as it is written', async () => {
  await withPanel({}, async panel => {
    const page = '<!DOCTYPE html>\n<p class="x">One <b>two</b></p>\n```\n<script>let x;</script>';
    await show(
      panel,
      ...asked(),
      tool('page', {
        status: 'failed',
        content: [
          { kind: 'block', block: { kind: 'text', text: { text: page, truncated: false } } },
        ],
      }),
    );
    const call = panel.page.getByRole('group', { name: 'Tool: page', exact: true });
    assert.equal(await call.locator('pre code').textContent(), page);
  });
});

test('an id that is used again in a later turn is another call', async () => {
  await withPanel({}, async panel => {
    await show(
      panel,
      ...asked('First', 'turn-1'),
      tool('call', { title: 'one' }),
      ...said('Done.', 'text-1', 'turn-1'),
      ...ended('end_turn', T0 + 5000),
      ...asked('Second', 'turn-2', T0 + 6000),
      tool('call', { title: 'two', turnId: 'turn-2', partId: 'part-2', status: 'pending' }),
      request('r1', 'call'),
    );
    const calls = panel.page.locator('[data-tool-call-id="call"][data-part="tool"]');
    assert.deepEqual(
      await calls.evaluateAll(list =>
        list.map(call => [
          call.getAttribute('aria-label'),
          (call as HTMLElement).dataset['status'],
        ]),
      ),
      [
        ['Tool: one', 'completed'],
        ['Tool: two', 'awaiting'],
      ],
    );
    assert.equal(await panel.page.getByRole('group', { name: 'Permission: two' }).count(), 1);
  });
});

test('a request answers to the keyboard inside it, and to nothing outside', async () => {
  await withPanel({}, async panel => {
    await show(
      panel,
      ...asked(),
      tool('one', {
        status: 'pending',
        toolKind: 'execute',
        rawInput: { text: '{"command":"sudo rm -rf x"}', truncated: false },
      }),
      request('r1', 'one'),
    );
    const ask = panel.page.getByRole('group', { name: 'Permission: one' });
    assert.match((await ask.textContent()) ?? '', /sudo rm -rf x/);
    assert.equal(await panel.page.evaluate(() => document.activeElement?.closest('.ask')), null);
    await panel.conversation.focus();
    await panel.page.keyboard.press('1');
    assert.deepEqual(
      (await panel.intents()).filter(({ type }) => type === 'answerPermission'),
      [],
    );

    // The lasting options are there only while "Always…" is open.
    assert.equal(await ask.getByRole('button', { name: 'This session' }).count(), 0);
    await ask.getByRole('button', { name: 'Always…' }).click();
    assert.equal(await ask.getByRole('button', { name: 'This session' }).count(), 1);

    await ask.getByRole('button', { name: 'Reject' }).focus();
    await panel.page.keyboard.press('3');
    assert.deepEqual(await panel.waitForIntent('answerPermission'), {
      type: 'answerPermission',
      requestId: 'r1',
      revision: 0,
      option: 2,
    });
    await panel.page.evaluate(() =>
      document.addEventListener('parley-focus-composer', () =>
        document.body.classList.add('asked'),
      ),
    );
    await panel.page.keyboard.press('Escape');
    assert.equal(await panel.page.locator('body.asked').count(), 1);
  });
});

test('after an answer the focus goes to the next request; the answered one shows what came of it', async () => {
  await withPanel({}, async panel => {
    await show(
      panel,
      ...asked(),
      tool('one', { status: 'pending' }),
      tool('two', { status: 'pending' }),
      request('r1', 'one'),
      request('r2', 'two'),
    );
    const first = panel.page.getByRole('group', { name: 'Permission: one' });
    assert.match((await first.textContent()) ?? '', /1 more request after this/);
    assert.equal((await panel.page.locator('.ask .primary').count()) >= 1, true);
    await first.getByRole('button', { name: 'Reject' }).click();
    assert.equal((await panel.waitForIntent('answerPermission')).option, 3);
    await panel.actions([
      { type: 'permissionAnswered', requestId: 'r1', outcome: 'rejected', at: T0 + 50_000 },
    ]);
    assert.equal(await first.count(), 0);
    const call = panel.page.getByRole('group', { name: 'Tool: one', exact: true });
    assert.equal(await call.getAttribute('data-status'), 'rejected');
    assert.equal(
      await panel.page.evaluate(() =>
        document.activeElement?.closest('.ask')?.getAttribute('aria-label'),
      ),
      'Permission: two',
    );
  });
});

const scrolledToEnd = (panel: Panel): Promise<boolean> =>
  panel.conversation.evaluate(log => log.scrollHeight - log.scrollTop - log.clientHeight < 2);

test('follows the end, lets the reader scroll up, and takes it up again', async () => {
  await withPanel({ height: 500 }, async panel => {
    const line = (n: number): SessionAction[] => said(`Line ${n}.\n\n`, 'text-1');
    await show(panel, ...asked(), ...Array.from({ length: 40 }, (_, n) => line(n)).flat());
    assert.ok(await scrolledToEnd(panel));
    await panel.actions(Array.from({ length: 10 }, (_, n) => line(40 + n)).flat());
    assert.ok(await scrolledToEnd(panel));

    await panel.conversation.hover();
    await panel.page.mouse.wheel(0, -400);
    const latest = panel.page.getByRole('button', { name: 'Latest' });
    await latest.waitFor();
    const top = await panel.conversation.evaluate(log => log.scrollTop);
    await panel.actions(line(99));
    assert.equal(await panel.conversation.evaluate(log => log.scrollTop), top);
    await panel.page.getByRole('button', { name: /Retries ignore/ }).waitFor();

    await latest.click();
    await panel.painted();
    assert.ok(await scrolledToEnd(panel));
    assert.equal(await latest.count(), 0);
    await panel.actions(line(100));
    assert.ok(await scrolledToEnd(panel));
  });
});

test('tells when a request leaves the view and shows it again', async () => {
  await withPanel({ height: 500 }, async panel => {
    await panel.page.evaluate(() => {
      const seen: unknown[] = [];
      (window as unknown as { seen: unknown[] }).seen = seen;
      document.addEventListener('parley-request-visibility', event =>
        seen.push((event as CustomEvent).detail),
      );
    });
    await show(
      panel,
      ...asked(),
      ...said('Text.\n\n'.repeat(60), 'text-1'),
      tool('one', { status: 'pending' }),
      request('r1', 'one'),
    );
    const seen = (visible: boolean): Promise<unknown> =>
      panel.page.waitForFunction(
        wanted =>
          JSON.stringify((window as unknown as { seen: unknown[] }).seen.at(-1)) ===
          JSON.stringify({ requestId: 'r1', visible: wanted }),
        visible,
      );
    await seen(true);
    await panel.conversation.evaluate(log => (log.scrollTop = 0));
    await seen(false);
    await panel.page.evaluate(() =>
      (
        document.querySelector('parley-transcript') as unknown as { reveal(id: string): void }
      ).reveal('r1'),
    );
    await seen(true);
    assert.equal(
      await panel.page.evaluate(() =>
        document.activeElement?.closest('.ask')?.getAttribute('data-request-id'),
      ),
      'r1',
    );
  });
});

test('finished turns fold, and earlier ones come as the reader goes up', async () => {
  await withPanel({}, async panel => {
    const turns = Array.from({ length: 120 }, (_, n): SessionAction[] => [
      ...asked(`Prompt ${n}`, `turn-${n}`, T0 + n),
      tool(`call-${n}`, { turnId: `turn-${n}` }),
      ...said(`Answer ${n}.`, `text-${n}`, `turn-${n}`),
      ...ended('end_turn', T0 + n + 61_000),
    ]);
    await show(panel, ...turns.flat());
    const articles = panel.page.locator('article.turn');
    assert.ok((await articles.count()) < 60);
    assert.equal(await articles.last().getAttribute('aria-label'), 'Prompt 119');
    const before = panel.page.getByRole('article', { name: 'Prompt 118', exact: true });
    assert.match((await before.textContent()) ?? '', /Worked for 1 min.*, 1 tool/);
    assert.match((await articles.last().textContent()) ?? '', /Done in 1 min.*, 1 tool/);
    await panel.conversation.evaluate(log => log.scrollTo(0, 0));
    await panel.page.getByRole('article', { name: 'Prompt 0', exact: true }).waitFor();
    assert.ok((await articles.count()) < 60);
  });
});

test('the keyboard moves between parts, opens, closes and acts', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asked(), ...looked(), ...said('Text.', 'text-1'), ...testsRunning());
    const focused = (): Promise<string> =>
      panel.page.evaluate(() => {
        const part = document.activeElement?.closest('[data-part], .tool, .prompt');
        return (
          part?.getAttribute('aria-label') ??
          part?.getAttribute('data-part') ??
          part?.className ??
          ''
        );
      });
    await panel.conversation.focus();
    await panel.page.keyboard.press('Home');
    assert.equal(await focused(), 'prompt');
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Read 4 files');
    const reads = panel.page.locator('details.reads');
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await reads.getAttribute('open'), '');
    await panel.page.keyboard.press('ArrowLeft');
    assert.equal(await reads.getAttribute('open'), null);
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Tool: Search Retry-After');
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'text');
    await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Tool: npm test -- retry');
    const header = panel.page.getByRole('button', { name: /^npm test -- retry/ });
    await panel.page.keyboard.press('Enter');
    assert.equal(await header.getAttribute('aria-expanded'), 'false');
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await header.getAttribute('aria-expanded'), 'true');
    // The controls of the current part are stops of the Tab key.
    await panel.page.keyboard.press('Tab');
    assert.equal(
      await panel.page.evaluate(() => document.activeElement?.textContent?.trim()),
      'Kill',
    );
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.waitForIntent('killTerminal'), {
      type: 'killTerminal',
      terminalId: 'terminal-1',
    });
  });
});

test('terminal output: colours, carriage returns, the last lines, all of them', async () => {
  await withPanel({}, async panel => {
    const output = Array.from({ length: 48 }, (_, n) => `line ${n}\r\n`).join('');
    await show(panel, ...asked(), ...testsRunning(), {
      type: 'terminalOutput',
      terminalId: 'terminal-1',
      data: `\r\n${output}1%\r\u001b[31m2%\u001b[0m`,
      at: T0,
    });
    const term = panel.page.getByLabel('Terminal output');
    const text = (await term.textContent()) ?? '';
    assert.ok(
      !text.includes('line 38\n') && text.includes('line 39\n') && text.endsWith('2%'),
      text,
    );
    const red = term.locator('span').filter({ hasText: '2%' });
    assert.match(await red.evaluate(span => getComputedStyle(span).color), /^rgb\(/);
    assert.notEqual(
      await red.evaluate(span => getComputedStyle(span).color),
      await term.evaluate(pre => getComputedStyle(pre).color),
    );
    await panel.page.getByRole('button', { name: /Show all \d+ lines/ }).click();
    assert.ok(((await term.textContent()) ?? '').includes('line 0\n'));

    await panel.actions([
      {
        type: 'terminalExited',
        terminalId: 'terminal-1',
        exit: { exitCode: 1, signal: null },
        at: T0 + 38_100,
      },
      tool('run-1', {
        partId: 'run-1',
        title: 'npm test -- retry',
        toolKind: 'execute',
        status: 'failed',
        announced: false,
        at: T0 + 38_100,
      }),
    ]);
    const card = panel.page.locator('[data-tool-call-id="run-1"]');
    assert.match((await card.textContent()) ?? '', /Exit 1, 3\.1 s/);
  });
});

test('a diff of 2,000 lines shows eight, then all, and opens in the editor', async () => {
  await withPanel({}, async panel => {
    const diff: DiffView = {
      ref: 'diff-9',
      path: '/work/parcel-api/src/big.ts',
      change: 'modified',
      added: 1000,
      removed: 1000,
      truncated: false,
      hunks: [
        {
          line: 1,
          lines: Array.from({ length: 2000 }, (_, n) => ({
            sign: n % 2 === 0 ? '-' : '+',
            text: `<b>${n}</b>`,
          })),
        },
      ],
    };
    await show(
      panel,
      ...asked(),
      tool('edit', { toolKind: 'edit', content: [{ kind: 'diff', diff }], title: 'Edit big.ts' }),
    );
    const lines = panel.page.locator('.diff .l');
    assert.equal(await lines.count(), 8);
    assert.equal(await lines.first().textContent(), '<b>0</b>');
    await panel.page.getByRole('button', { name: 'Show 1992 more lines' }).click();
    await lines.nth(1999).waitFor();
    assert.equal(await lines.count(), 2000);
    await panel.page.getByRole('button', { name: 'Open Diff' }).click();
    assert.deepEqual(await panel.waitForIntent('openDiff'), { type: 'openDiff', ref: 'diff-9' });
  });
});

/** A diff of `file` as the host tells it. */
function changed(file: string, more: Omit<FileDiff, 'path'>): ToolContent {
  const path = `/work/parcel-api/${file}`;
  return { kind: 'diff', diff: diffView(`diff-${file}`, { path, ...more }) };
}

const CHANGES: readonly ToolContent[] = [
  changed('src/app.ts', { oldText: 'a\n', newText: 'b\n', change: 'modified', line: 10 }),
  changed('src/app.ts', { oldText: 'c\n', newText: 'd\n', change: 'modified', line: 20 }),
  changed('secret.ts', { oldText: null, newText: '', change: 'deleted' }),
  changed('known.ts', { oldText: 'gone\n', newText: '', change: 'deleted' }),
  changed('src/new.ts', {
    oldText: 'x\n',
    newText: 'y\n',
    change: 'moved',
    oldPath: '/work/parcel-api/src/old.ts',
    line: 7,
  }),
  changed('kept.ts', { oldText: null, newText: '', change: 'moved', oldPath: 'was.ts' }),
  changed('made.ts', { oldText: null, newText: 'z\n', change: 'added' }),
  changed('empty.ts', { oldText: null, newText: '', change: 'added' }),
  changed('over.ts', { oldText: null, newText: 'z\n', change: 'modified' }),
  changed('image.png', { oldText: null, newText: '', change: 'modified' }),
];

/** The heads in the diffs of a card or a request, from top to bottom. */
const HEADS: readonly string[] = [
  ...['src/app.ts', 'Line 10', 'Line 20'],
  ...['secret.ts', 'The agent does not show the text of the file it deletes.'],
  ...['known.ts', 'Deleted file'],
  ...['src/new.ts', 'Moved from src/old.ts', 'Line 7'],
  ...['kept.ts', 'Moved from was.ts'],
  ...['made.ts', 'New file'],
  ...['empty.ts', 'New file, without text'],
  ...['over.ts', 'New text of the whole file'],
  ...['image.png', 'The agent does not show what it changes in this file.'],
];

const trimmed = (texts: readonly string[]): readonly string[] => texts.map(text => text.trim());

test('a card says of every file what happens to it', async () => {
  await withPanel({}, async panel => {
    const edit = { toolKind: 'edit', title: 'Patch', status: 'completed' } as const;
    await show(panel, ...asked(), tool('patch', { ...edit, content: CHANGES }));
    const card = panel.page.locator('[data-tool-call-id="patch"]');
    for (;;) {
      const more = card.locator('.diff .more');
      if ((await more.count()) === 0) break;
      await more.first().click();
      await panel.painted();
    }
    assert.deepEqual(trimmed(await card.locator('.hunk').allTextContents()), HEADS);
    assert.match((await card.locator('.th').textContent()) ?? '', /9 files\s+2 deleted, 2 moved/);
  });
});

test('blocks of one file are one file, and a deletion is named in the head of its card', async () => {
  await withPanel({}, async panel => {
    const edit = { toolKind: 'edit', title: 'Edit', status: 'completed' } as const;
    await show(
      panel,
      ...asked(),
      tool('blocks', { ...edit, content: CHANGES.slice(0, 2) }),
      tool('gone', { ...edit, content: CHANGES.slice(2, 3) }),
    );
    const blocks = panel.page.locator('[data-tool-call-id="blocks"]');
    assert.deepEqual(trimmed(await blocks.locator('.hunk').allTextContents()), [
      'Line 10',
      'Line 20',
    ]);
    assert.doesNotMatch((await blocks.locator('.th').textContent()) ?? '', /files/);
    const gone = panel.page.locator('[data-tool-call-id="gone"] .th');
    assert.match((await gone.textContent()) ?? '', /Deleted/);
    assert.doesNotMatch((await gone.textContent()) ?? '', /[+−]0/);
  });
});

test('a request says of every file what would happen to it', async () => {
  await withPanel({}, async panel => {
    const edit = { toolKind: 'edit', title: 'Patch', status: 'pending' } as const;
    await show(
      panel,
      ...asked(),
      tool('patch', { ...edit, content: CHANGES }),
      request('r', 'patch'),
    );
    const heads = trimmed(await panel.page.locator('.ask .hunk').allTextContents());
    assert.deepEqual(
      heads.filter((text, index) => text !== 'src/app.ts' || index === 0),
      HEADS,
    );
  });
});

test('a part of a file has the lines of the file as soon as they are known, and no others', async () => {
  await withPanel({}, async panel => {
    const snippet = { oldText: 'a\n', newText: 'b\n', change: 'modified' } as const;
    const edit = { toolKind: 'edit', title: 'Edit', content: [changed('src/app.ts', snippet)] };
    const actions = [
      ...asked(),
      tool('done', edit),
      tool('asked', { ...edit, status: 'pending' }),
      request('r', 'asked'),
    ];
    const heads = panel.page.locator('.diff .hunk');
    await show(panel, ...actions);
    assert.deepEqual(trimmed(await heads.allTextContents()), Array(2).fill('Part of the file'));
    const lines = { 'diff-src/app.ts': 120 };
    const placed = (toolCallId: string) => ({ type: 'diffsPlaced', toolCallId, lines }) as const;
    await show(panel, ...actions, placed('done'), placed('asked'));
    assert.deepEqual(trimmed(await heads.allTextContents()), Array(2).fill('Line 120'));
    assert.equal(await panel.page.getByText('The agent has changed').count(), 0);
  });
});

test('content of every kind is shown, unknown kinds as JSON', async () => {
  await withPanel({}, async panel => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const blocks = [
      { kind: 'image', mimeType: 'image/png', data: png, bytes: 70 },
      { kind: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zy8+', bytes: 6 },
      { kind: 'audio', mimeType: 'audio/wav', bytes: 2048 },
      { kind: 'link', uri: 'https://example.com/doc', name: 'doc', bytes: 10 },
      { kind: 'link', uri: 'javascript:alert(1)', name: 'bad' },
      {
        kind: 'resource',
        uri: 'file:///work/notes.md',
        text: { text: '<i>notes</i>', truncated: true, ref: 'ref-1' },
      },
      {
        kind: 'unknown',
        type: 'hologram',
        json: { text: '{"type":"hologram"}', truncated: false },
      },
    ] as const;
    await show(
      panel,
      ...asked(),
      ...blocks.map((block, n): SessionAction => ({
        type: 'contentReceived',
        turnId: 'turn-1',
        partId: `content-${n}`,
        block,
        at: T0,
      })),
    );
    assert.equal(await panel.page.locator('img.picture').count(), 1);
    await panel.page.getByRole('button', { name: 'doc' }).click();
    assert.deepEqual(await panel.waitForIntent('openLink'), {
      type: 'openLink',
      href: 'https://example.com/doc',
    });
    assert.equal(await panel.page.getByRole('button', { name: /bad/ }).count(), 0);
    await panel.page.getByText('notes.md').click();
    assert.equal(await panel.page.locator('figure.block pre').textContent(), '<i>notes</i>');
    await panel.page.getByRole('button', { name: 'Open in Editor' }).click();
    assert.deepEqual(await panel.waitForIntent('openContent'), {
      type: 'openContent',
      ref: 'ref-1',
    });
    await panel.page.getByText(/Unknown content: hologram/).click();
    await panel.page.getByText('{"type":"hologram"}').waitFor();
  });
});

test('what was folded survives another snapshot', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asked(), ...looked(), ...testsRunning());
    const header = panel.page.getByRole('button', { name: /^npm test -- retry/ });
    await header.click();
    assert.equal(await header.getAttribute('aria-expanded'), 'false');
    await show(panel, ...asked(), ...looked(), ...testsRunning());
    assert.equal(await header.getAttribute('aria-expanded'), 'false');
  });
});
