/** Requests that are long, or many: they can be read, found and answered at the width of a side bar. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import { diffView } from '../../../src/session/translate/edits/diffView';
import { withPanel, type Panel } from '../harness';
import { asks } from '../permissionStory';
import { stateNamed } from '../states';
import { asked, said } from '../story';

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.show(stateNamed('ready'));
  await panel.actions([...asked(), ...actions]);
  await panel.page.locator('.ask').first().waitFor();
  await panel.clearPosts();
}

const text = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `const value${n} = ${n};\n`).join('');

function edit(lines: number, id = 'edit'): SessionAction[] {
  const file = { path: '/work/parcel-api/src/new.ts', oldText: '', newText: text(lines) };
  const diff = diffView('diff-new', { ...file, change: 'modified', line: 1 });
  return asks(id, { toolKind: 'edit', content: [{ kind: 'diff', diff }] });
}

const command = (id: string, line: string, more: object = {}): SessionAction[] =>
  asks(id, { title: line }, { facts: { command: { line, folder: '/work/parcel-api' }, ...more } });

describe('a long request', () => {
  const LONG: readonly (readonly [string, SessionAction[], string])[] = [
    ['edit', edit(120), 'const value119'],
    ['command', command('run', `cat <<END\n${text(120)}END`), 'const value119'],
  ];
  for (const [name, actions, last] of LONG) {
    test(`${name} keeps its question and its buttons in view`, async () => {
      await withPanel({ width: 289, height: 700 }, async panel => {
        await show(panel, ...actions);
        const ask = panel.page.locator('.ask');
        const allow = ask.getByRole('button', { name: 'Allow', exact: true });
        await allow.scrollIntoViewIfNeeded();
        const log = await panel.page.locator('.log').boundingBox();
        const question = await ask.locator('h2').boundingBox();
        assert.ok(log && question && question.y >= log.y, 'the question is in view');
        assert.ok(question.y < log.y + log.height);
        // All of it can be read where it is, and in full.
        const box = ask.locator('.capped > .box');
        assert.ok(await box.evaluate(each => each.scrollHeight > each.clientHeight));
        assert.match((await box.textContent()) ?? '', new RegExp(last));
        await ask.getByRole('button', { name: /^Show All \d+ Lines$/ }).click();
        assert.equal(await box.count(), 0);
        const whole = ask.getByText(last).last();
        await whole.scrollIntoViewIfNeeded();
        const above = await ask.locator('h2').boundingBox();
        assert.ok(above && above.y >= log.y, 'the question goes along');
      });
    });
  }

  test('of some lines is shown whole', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...edit(12));
      assert.equal(await panel.page.locator('.capped').count(), 0);
    });
  });

  test('out of view is shown by its row, from its question on', async () => {
    await withPanel({ width: 289, height: 500 }, async panel => {
      const after = said(Array.from({ length: 30 }, (_, n) => `More ${n}.`).join('\n\n'), 'after');
      await show(panel, ...edit(120), ...after);
      await panel.page.locator('.ask .more').click();
      for (const place of ['end', 'start'] as const) {
        await panel.page.locator('.log').evaluate((log, to) => {
          log.scrollTop = to === 'end' ? log.scrollHeight : 0;
        }, place);
        const row = panel.page.getByRole('region', { name: 'Waiting for you' });
        if (place === 'start' && (await row.count()) === 0) continue;
        await row.getByRole('button', { name: 'Show' }).click();
        await row.waitFor({ state: 'detached' });
        const log = await panel.page.locator('.log').boundingBox();
        const question = await panel.page.locator('.ask h2').boundingBox();
        const bar = panel.page.locator('.pinbar');
        const pinned = (await bar.count()) > 0 ? await bar.boundingBox() : undefined;
        const top = pinned ? pinned.y + pinned.height : (log?.y ?? 0);
        assert.ok(question && question.y >= top, 'under nothing');
      }
    });
  });
});

describe('several requests', () => {
  test('are in one list, with one answer for those of a kind that it shows in full', async () => {
    await withPanel({ width: 289 }, async panel => {
      const risk = { start: 0, end: 6, name: 'rm -rf', kind: 'deletes' };
      await show(
        panel,
        ...command('a', 'npm test'),
        ...command('b', 'npm run build'),
        ...command('c', 'rm -rf dist', { risks: [risk] }),
        ...edit(2),
      );
      const first = panel.page.locator('.ask').first();
      assert.equal(
        await first.getByRole('button', { name: /^(?:Allow|Reject) All/ }).count(),
        0,
        'not unseen',
      );
      await first.getByText('4 requests are waiting').click();
      await first.locator('.all li').nth(3).waitFor();
      const rows = await first.locator('.all li').allTextContents();
      assert.deepEqual(
        rows.map(row => row.trim()),
        ['npm test', 'npm run build', 'rm -rf dist', 'src/new.ts'],
      );
      await first.getByRole('button', { name: 'Allow All 2 of This Kind' }).click();
      const answers = async () =>
        (await panel.intents()).flatMap(intent =>
          intent.type === 'answerPermission' ? [`${intent.requestId} ${intent.option}`] : [],
        );
      assert.deepEqual(await answers(), ['request-a 0', 'request-b 0']);
      await panel.clearPosts();
      await first.getByRole('button', { name: 'Reject All' }).click();
      assert.deepEqual(await answers(), [
        'request-a 1',
        'request-b 1',
        'request-c 1',
        'request-edit 1',
      ]);
    });
  });

  test('are not answered at once where their row does not show all of them', async () => {
    await withPanel({ width: 289 }, async panel => {
      const run = (line: string, folder = '/work/parcel-api') => ({ command: { line, folder } });
      const rest = { text: 'env: {}', truncated: false };
      const note = { text: 'And more.', truncated: false };
      const content = [{ kind: 'block', block: { kind: 'text', text: note } }] as const;
      await show(
        panel,
        ...command('a', 'npm test'),
        ...command('b', 'npm run build'),
        ...command('rest', 'npm run lint', { restOfInput: rest }),
        ...asks('folder', { title: 'npm ci' }, { facts: run('npm ci', '/etc') }),
        ...asks('block', { title: 'npm audit', content }, { facts: run('npm audit') }),
      );
      const first = panel.page.locator('.ask').first();
      await first.getByText('5 requests are waiting').click();
      await first.getByRole('button', { name: 'Allow All 2 of This Kind' }).waitFor();
    });
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...edit(2), ...edit(3, 'other'));
      const first = panel.page.locator('.ask').first();
      await first.getByText('2 requests are waiting').click();
      await first.getByRole('button', { name: 'Reject All' }).waitFor();
      assert.equal(await first.getByRole('button', { name: /^Allow All/ }).count(), 0);
    });
  });

  test('one alone has no list', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, ...command('a', 'npm test'));
      assert.equal(await panel.page.locator('.ask .fold').count(), 0);
    });
  });
});
