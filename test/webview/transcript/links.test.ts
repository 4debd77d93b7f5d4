import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reduce } from '../../../src/session/state/reducer';
import type { SessionAction } from '../../../src/session/state/actions';
import { initialSession } from '../../../src/session/state/initialSession';
import type { SessionState } from '../../../src/session/state/state';
import { LINK_CASES } from '../../unit/shared/linkCases';
import { withPanel, type Panel } from '../harness';
import { stateNamed } from '../states';
import { AGENT, T0, asked, connected, ended, said } from '../story';

function stateOf(...actions: readonly SessionAction[]): SessionState {
  const place = { chatId: 'chat-1', agentName: AGENT, cwd: '/work/parcel-api', at: T0 };
  return [...connected(), ...asked(), ...actions].reduce(reduce, initialSession(place));
}

async function show(panel: Panel, ...actions: readonly SessionAction[]): Promise<void> {
  await panel.panelState(stateNamed('streaming').panel);
  await panel.snapshot(stateOf(...actions), T0 + 42_000);
}

const links = (panel: Panel): Promise<(string | undefined)[]> =>
  panel.page
    .locator('parley-markdown a')
    .evaluateAll(all => all.map(link => (link as HTMLElement).dataset['href']));

describe('a link is one in the page where the host would open it', () => {
  test('whatever the form', async () => {
    await withPanel({}, async panel => {
      const cases = LINK_CASES.filter(([href]) => href !== '' && !href.includes('\t'));
      const text = cases.map(([href], n) => `- [link ${n}](<${href}>) end`).join('\n');
      await show(panel, ...said(text, 'text-1'), ...ended());
      const shown = await panel.page
        .locator('parley-markdown li')
        .evaluateAll(items => items.map(item => item.querySelector('a')?.dataset['href']));
      const expected = cases.map(([href, { kind }]) => (kind === 'refused' ? undefined : href));
      assert.deepEqual(shown, expected);
    });
  });

  test('also with spaces and backslashes as they stand', async () => {
    await withPanel({}, async panel => {
      await show(
        panel,
        ...said(
          'See [a](docs/My File.ts:4), [b](C:\\_private\\.env) and [c](a.ts "title").',
          'text-1',
        ),
        ...ended(),
      );
      assert.deepEqual(await links(panel), ['docs/My File.ts:4', 'C:\\_private\\.env', 'a.ts']);
      assert.equal(
        await panel.page.locator('parley-markdown p').first().textContent(),
        'See a, b and c.',
      );
    });
  });
});

describe('names of files in prose and code', () => {
  const TEXT =
    'In src/app.ts:14 and `README.md:2`, not src/gone.ts. Run `npm test src/app.ts` in `docs/My File.md:3`.\n\n' +
    '```\n    at run (src/app.ts:14:3)\n```\n\n```ts\nimport "src/app.ts";\n```\n';
  const EXISTING = [
    'src/app.ts:14',
    'README.md:2',
    'src/app.ts',
    'docs/My File.md:3',
    'src/app.ts:14:3',
  ];
  const LINKED = [
    'src/app.ts:14',
    'README.md:2',
    'src/app.ts',
    'docs/My File.md:3',
    'src/app.ts:14:3',
  ];
  const existing =
    (names: readonly string[]) => (query: { readonly links: readonly string[] }) => ({
      existing: query.links.filter(name => names.includes(name)),
    });

  test('become links when the host has found them', async () => {
    await withPanel({}, async panel => {
      await show(panel, ...said(TEXT, 'text-1'), ...ended());
      const before = await panel.page.locator('parley-markdown').first().textContent();
      const query = await panel.answerQuery('existingLinks', existing(EXISTING));
      assert.ok(query.links.includes('src/gone.ts'), 'asked about it too');
      await panel.page
        .locator('a.path')
        .nth(LINKED.length - 1)
        .waitFor();
      assert.deepEqual(await links(panel), LINKED);
      assert.equal(await panel.page.locator('parley-markdown').first().textContent(), before);
      await panel.page.getByRole('link', { name: 'src/app.ts:14', exact: true }).click();
      assert.deepEqual(await panel.waitForIntent('openLink'), {
        type: 'openLink',
        href: 'src/app.ts:14',
      });
    });
  });

  test('are asked again when the turn ends: the agent may have made them', async () => {
    await withPanel({}, async panel => {
      await show(
        panel,
        ...said('I make src/new.ts for src/app.ts.\n\nOne.\n\nTwo.\n\nThree.', 'text-1'),
      );
      await panel.answerQuery('existingLinks', existing(['src/app.ts']));
      await panel.page.locator('a.path').waitFor();
      assert.deepEqual(await links(panel), ['src/app.ts']);
      await panel.actions(ended());
      await panel.answerQuery('existingLinks', existing([]));
      // Not made in this turn, but in the next.
      const prompt = { id: 'prompt-2', text: 'Now make it.', attachments: [] };
      await panel.actions([{ type: 'turnStarted', turnId: 'turn-2', prompt, at: T0 + 80_000 }]);
      await panel.actions(ended('end_turn', T0 + 90_000));
      await panel.answerQuery('existingLinks', existing(['src/new.ts', 'src/app.ts']));
      await panel.page.locator('a.path').nth(1).waitFor();
      assert.deepEqual(await links(panel), ['src/new.ts', 'src/app.ts']);
    });
  });

  test('stay words when the answer is for the page before, or never comes', async () => {
    await withPanel({}, async panel => {
      await show(panel, ...said('See src/app.ts.', 'text-1'), ...ended());
      await panel.waitForPost('query');
      const [old] = (await panel.posts()).filter(post => post.type === 'query');
      await panel.page.reload();
      await panel.waitForPost('ready');
      await show(panel, ...said('See src/app.ts.', 'text-1'), ...ended());
      await panel.waitForPost('query');
      await panel.post({
        type: 'queryAnswer',
        id: old?.id ?? '',
        answer: { existing: ['src/app.ts'] },
      });
      assert.deepEqual(await links(panel), []);
      await panel.answerQuery('existingLinks', existing(['src/app.ts']));
      await panel.page.locator('a.path').waitFor();
    });
  });
});
