import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../../src/session/state/actions';
import type { DiffLine } from '../../../src/session/state/content';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import { tokens } from '../../../webview/highlighter/main';
import { languageOfFile } from '../../../webview/highlighter/languages';
import { colorLines } from '../../../webview/transcript/diffColors';
import { THEMES, withPanel, type Panel } from '../harness';
import { WORDS_DIFF } from '../readingStory';
import { stateNamed } from '../states';
import { AGENT, T0, asked, connected } from '../story';
import { tool } from './tool';

/** `keyword|plain|…` for each line. */
const colored = (lines: readonly DiffLine[], language = 'typescript'): readonly string[] =>
  colorLines(lines, code => tokens(code, language)).map(line =>
    line.map(({ text, kind }) => (kind === undefined ? text : `${kind}:${text}`)).join('|'),
  );

describe('the lines of a diff', () => {
  test('are read as the text before and the text after', () => {
    const lines: readonly DiffLine[] = [
      { sign: ' ', text: 'f(`' },
      { sign: '-', text: '`); let a' },
      { sign: '+', text: 'let b' },
      { sign: ' ', text: '' },
      { sign: ' ', text: 'let c' },
      { sign: '+', text: '`);' },
    ];
    assert.deepEqual(colored(lines), [
      // What follows an open quote is text only where the quote is open: in the text after.
      'f(|s:`',
      's:`|); |k:let| a',
      's:let b',
      '',
      's:let c',
      's:`|);',
    ]);
  });

  test('keep their text, whatever it is', () => {
    const texts = ['', ' ', '\t{', '<b class="x">&amp;', '/*', '"', '`${', '*/ "'];
    const lines = texts.flatMap(text =>
      ([' ', '-', '+'] as const).map((sign): DiffLine => ({ sign, text })),
    );
    for (const language of ['typescript', 'html', 'yaml', 'diff', 'none']) {
      const shown = colorLines(lines, code => tokens(code, language));
      assert.deepEqual(
        lines.map((_, at) => (shown[at] ?? []).map(({ text }) => text).join('')),
        lines.map(({ text }) => text),
        language,
      );
    }
  });

  test('have the language of the file, where it is one of ours', () => {
    const known = { 'a/b.ts': 'ts', 'b.mjs': 'javascript', 'c.h': 'cpp', 'D.PY': 'py' };
    for (const [path, language] of Object.entries(known)) {
      assert.equal(languageOfFile(path), language);
      assert.ok(tokens('a', language), language);
    }
    for (const path of ['Makefile', 'a.constructor', 'b.unknown', 'a.ts/b']) {
      assert.equal(languageOfFile(path), undefined, path);
    }
  });
});

const lines = (count: number): DiffLine[] =>
  Array.from({ length: count }, (_, n) => ({ sign: '+', text: `const n${n} = ${n};` }));

async function showEdit(panel: Panel, shown: readonly DiffLine[], path?: string): Promise<void> {
  const place = { chatId: 'chat-1', agentName: AGENT, cwd: '/work/parcel-api', at: T0 };
  const diff = {
    ...WORDS_DIFF,
    ...(path !== undefined && { path }),
    hunks: [{ line: 1, lines: shown }],
  };
  const actions: readonly SessionAction[] = [
    ...connected(),
    ...asked(),
    tool('edit', { toolKind: 'edit', content: [{ kind: 'diff', diff }] }),
  ];
  await panel.panelState(stateNamed('streaming').panel);
  await panel.snapshot(actions.reduce(reduce, initialSession(place)), T0 + 42_000);
}

describe('a card', () => {
  test('colors what it shows, and the rest when that is shown', async () => {
    await withPanel({ width: 289 }, async panel => {
      await showEdit(panel, lines(300));
      await panel.page.locator('.diff .l .k').nth(7).waitFor();
      assert.equal(await panel.page.locator('.diff .l').count(), 8);
      await panel.page.getByRole('button', { name: 'Show 292 more lines' }).click();
      await panel.page.locator('.diff .l .k').nth(299).waitFor();
      assert.equal(
        await panel.page.locator('.diff .l').nth(299).textContent(),
        'const n299 = 299;',
      );
    });
  });

  test('marks what deceives the eye in full, in lines without colors', async () => {
    await withPanel({ width: 289 }, async panel => {
      await showEdit(panel, [
        { sign: '+', text: 'const a = 1;' },
        { sign: '+', text: 'const b = "\u202e";' },
      ]);
      await panel.page.locator('.diff .l .k').waitFor();
      const second = panel.page.locator('.diff .l').nth(1);
      assert.equal(await second.locator('.k').count(), 0);
      assert.equal(await second.textContent(), 'const b = "U+202E";');
    });
  });
});

describe('colors of code follow the theme', () => {
  for (const theme of THEMES) {
    test(`and tell the kinds of words apart on each ground, in ${theme}`, async () => {
      await withPanel({ theme, width: 289 }, async panel => {
        await panel.show(stateNamed('diff'));
        for (const line of ['.a', '.d', ':not(.a, .d)']) {
          const colors = await panel.page.locator(`.card .diff .l${line}`).evaluateAll(all =>
            ['k', 's', 'n', 'c'].map(kind => {
              const word = all.map(each => each.querySelector(`.${kind}`)).find(Boolean);
              return word ? getComputedStyle(word).color : '';
            }),
          );
          assert.ok(!colors.includes(''), line);
          // Of high contrast keywords and comments have the color of text.
          const kinds = theme.startsWith('hc') ? 3 : 4;
          assert.equal(new Set(colors).size, kinds, `${line}: ${colors.join('; ')}`);
        }
      });
    });
  }
});
