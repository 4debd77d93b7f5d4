import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPanel, type Panel } from '../harness';

/** What `window` has in the page once `prepare` ran. */
interface MarkdownElement extends HTMLElement {
  text: string;
  live: boolean;
  slow: number;
}
interface Tools {
  stream(chunks: readonly string[]): Promise<MarkdownElement>;
  html(element: Element): string;
  random(seed: number): () => number;
}
type PageWindow = Window & { readonly tools: Tools };

/** Puts helpers into the page that feed a `<parley-markdown>` as the transcript does. */
async function prepare(panel: Panel): Promise<void> {
  await panel.page.evaluate(() => {
    const tools: Tools = {
      async stream(chunks) {
        const element = document.createElement('parley-markdown') as MarkdownElement;
        element.className = 'md';
        element.slow = Infinity;
        document.body.append(element);
        let text = '';
        for (const chunk of chunks) {
          text += chunk;
          element.text = text;
          element.live = true;
          await Promise.resolve();
          await Promise.resolve();
        }
        element.text = text;
        element.live = false;
        await Promise.resolve();
        await Promise.resolve();
        return element;
      },
      // Colours come when the browser is idle; they are not what is compared here.
      html(element) {
        const copy = element.cloneNode(true) as Element;
        for (const code of copy.querySelectorAll('code[data-lang]')) {
          code.replaceChildren(code.textContent);
          code.removeAttribute('data-coloured');
        }
        return copy.innerHTML;
      },
      random(seed) {
        let state = seed;
        return () => {
          state = (state + 0x6d2b79f5) | 0;
          let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
          mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
          return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
        };
      },
    };
    (window as unknown as { tools: Tools }).tools = tools;
  });
}

test('whatever the chunks, a streamed message ends as the whole gives at once', async () => {
  await withPanel({}, async panel => {
    await prepare(panel);
    const differing = await panel.page.evaluate(async () => {
      const { tools } = window as unknown as PageWindow;
      const pieces = [
        ...[
          '# Head',
          '## Two `x`',
          'Para **bold** and *em* ~~gone~~.',
          'a\nb\nc',
          '===',
          '---',
          '***',
        ],
        ...[
          '- one',
          '- two\n  more',
          '  - nested',
          '* star',
          '1. first',
          '2. second',
          '2',
          '10) paren',
        ],
        ...['- [ ] open', '- [x] done', '> quote', '> - in quote', '> ```\n> code', '>', 'lazy'],
        ...[
          '```ts\nconst x = 1;',
          '```',
          '~~~',
          '````md\n```\ninner',
          '````',
          '    indented',
          '\ttab',
        ],
        ...[
          '| a | b |',
          '| --- | :-: |',
          '| 1 | `2` |',
          '|---|',
          'x | y',
          '<b>bold</b>',
          '<div>',
          '</div>',
        ],
        ...[
          '<!-- note',
          '-->',
          '<details>\n<summary>S</summary>',
          '</details>',
          '<script>x',
          '</script>',
        ],
        ...[
          '[link](https://example.com/a_b)',
          '[ref]',
          '[ref][r2]',
          '[ref]: https://example.com/ref',
        ],
        ...[
          '[r2]: src/a.ts:3 "T"',
          '![alt](https://example.com/i.png)',
          'https://example.com/x?y=1',
          '\\*no\\*',
        ],
        ...[
          '&amp; &lt;',
          '😀 é',
          '`tick',
          '**open',
          'a  \nb',
          '[foo]: <bar',
          '+ plus',
          '-',
          '=',
          '0. zero',
        ],
        ...[
          '\r\nwindows\r\n',
          '\r',
          '<pre>\nraw\n\n',
          '</pre>',
          '[^1]: foot',
          '#',
          '######## eight',
          'a | b\n-|-',
        ],
      ];
      const gaps = ['\n', '\n', '\n\n', '\n\n', '', ' ', '\n\n\n', '\n \n', '\n  ', '\n    '];
      const found: string[] = [];
      for (let seed = 1; seed <= 800 && found.length < 3; seed += 1) {
        const next = tools.random(seed);
        const pick = (list: readonly string[]): string =>
          list[Math.floor(next() * list.length)] ?? '';
        let text = '';
        for (let count = 2 + next() * 14; count > 0; count -= 1) text += pick(pieces) + pick(gaps);
        const chunks: string[] = [];
        const size = 1 + next() * 20;
        for (let at = 0; at < text.length;) {
          const length = 1 + Math.floor(next() * size);
          chunks.push(text.slice(at, at + length));
          at += length;
        }
        const whole = await tools.stream([text]);
        const streamed = await tools.stream(chunks);
        if (tools.html(whole) !== tools.html(streamed)) {
          found.push(
            JSON.stringify({
              seed,
              text,
              whole: tools.html(whole),
              streamed: tools.html(streamed),
            }),
          );
        }
        whole.remove();
        streamed.remove();
      }
      return found;
    });
    assert.deepEqual(differing, []);
  });
});

test('blocks before the last two are never touched again', async () => {
  await withPanel({}, async panel => {
    await prepare(panel);
    const result = await panel.page.evaluate(async () => {
      const { tools } = window as unknown as PageWindow;
      const blocks = Array.from(
        { length: 40 },
        (_, index) => `Paragraph ${index} with \`code\`.\n\n`,
      );
      const element = await tools.stream([]);
      let text = '';
      const kept: boolean[] = [];
      for (const block of blocks) {
        const before = [...element.children].slice(0, -2);
        let touched = 0;
        const observer = new MutationObserver(records => (touched += records.length));
        for (const node of before) {
          observer.observe(node, {
            subtree: true,
            childList: true,
            characterData: true,
            attributes: true,
          });
        }
        for (const word of block.split(/(?<= )/)) {
          text += word;
          element.text = text;
          element.live = true;
          await new Promise(resolve => setTimeout(resolve));
        }
        touched += observer.takeRecords().length;
        const after = [...element.children];
        kept.push(touched === 0 && before.every((node, index) => node === after[index]));
      }
      return { kept, count: element.querySelectorAll('p').length };
    });
    assert.equal(result.count, 40);
    assert.ok(result.kept.every(Boolean));
  });
});

const ATTACKS = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked=1">',
  '<svg onload="window.hacked=1"><script>window.hacked=1</script></svg>',
  '<svg><style><img src=x onerror=window.hacked=1></style></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.hacked=1>',
  '<a href="javascript:window.hacked=1">x</a>',
  '[x](javascript:window.hacked=1)',
  '[x](java\tscript:window.hacked=1)',
  '[x](&#106;avascript:window.hacked=1)',
  '[x](JaVaScRiPt:window.hacked=1 "t")',
  '[x](vbscript:msgbox)',
  '[x](data:text/html,<script>window.hacked=1</script>)',
  '[x](command:workbench.action.quit)',
  '[x](vscode://evil)',
  '<a data-href="javascript:window.hacked=1" onclick="window.hacked=1">x</a>',
  '![x](https://evil.example/pixel.png)',
  '<img src="https://evil.example/pixel.png">',
  '<iframe src="https://evil.example"></iframe>',
  '<object data="x"></object><embed src="x">',
  '<form action="https://evil.example"><input name=a><button>go</button></form>',
  '<div style="position:fixed;inset:0;background:url(https://evil.example)">x</div>',
  '<style>* { display: none }</style>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href="https://evil.example">',
  '<p id="__posts" name="tools" class="ask" slot=x>clobber</p>',
  '<details ontoggle="window.hacked=1" open><summary>x</summary></details>',
  '<p data-note="1" data-reference="1" data-math="block" data-formula="x">x</p>',
  '<noscript><p title="</noscript><img src=x onerror=window.hacked=1>">',
  '```html\n<img src=x onerror=window.hacked=1>\n```',
  '`<img src=x onerror=window.hacked=1>`',
  '```"><img src=x onerror=window.hacked=1>\ncode\n```',
  '<xmp><img src=x onerror=window.hacked=1></xmp>',
  '<!--><img src=x onerror=window.hacked=1>-->',
  '<span data-task="done" data-lang="x" data-act="insert" onmouseover="window.hacked=1">x</span>',
  '<button data-act="insert">press</button><parley-app></parley-app><parley-markdown></parley-markdown>',
  '| a |\n|---|\n| <img src=x onerror=window.hacked=1> |',
  '- <video src=x onerror=window.hacked=1>\n- <audio src=x onerror=window.hacked=1>',
];

test('what is selected in a growing paragraph stays selected', async () => {
  await withPanel({}, async panel => {
    await prepare(panel);
    const pieces = [
      ' and',
      ' more **bo',
      'ld** and `co',
      'de`, [a li',
      'nk](a.ts)',
      ', *and',
      '* so on.\n\n',
    ];
    const kept = await panel.page.evaluate(async all => {
      const element = document.createElement('parley-markdown') as MarkdownElement;
      element.slow = Infinity;
      document.body.append(element);
      const show = async (text: string): Promise<void> => {
        element.text = text;
        element.live = true;
        await Promise.resolve();
        await Promise.resolve();
      };
      let text = 'Some words with **strong** ones that somebody selects';
      await show(text);
      const strong = element.querySelector('strong')?.firstChild;
      const first = element.querySelector('p')?.firstChild;
      if (!strong || !first) return [];
      getSelection()?.setBaseAndExtent(first, 5, strong, 4);
      const seen: string[] = [];
      for (const piece of all) {
        text += piece;
        await show(text);
        seen.push(String(getSelection()));
      }
      return seen;
    }, pieces);
    assert.deepEqual(
      kept,
      pieces.map(() => 'words with stro'),
    );
  });
});

test('nothing an agent writes becomes more than prose', async () => {
  await withPanel({}, async panel => {
    const requests: string[] = [];
    panel.page.on('request', request => requests.push(request.url()));
    await prepare(panel);
    const found = await panel.page.evaluate(async attacks => {
      const { tools } = window as unknown as PageWindow;
      const allowed =
        /^(P|BR|HR|H[3-6]|BLOCKQUOTE|UL|OL|LI|PRE|CODE|SPAN|STRONG|B|EM|I|DEL|S|INS|U|MARK|SUB|SUP|KBD|A|TABLE|THEAD|TBODY|TR|TH|TD|DIV|FIGURE|BUTTON|DETAILS|SUMMARY)$/;
      const attributes =
        /^(class|data-href|data-lang|data-info|data-coloured|data-act|title|role|tabindex|aria-(label|hidden|haspopup|expanded)|type|start|align|open)$/;
      const bad: string[] = [];
      for (const attack of attacks) {
        for (const size of [Infinity, 1, 5]) {
          const text = `before\n\n${attack}\n\nafter`;
          const chunks =
            size === Infinity ? [text] : (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []);
          const element = await tools.stream(chunks);
          for (const node of element.querySelectorAll('*')) {
            if (!allowed.test(node.tagName)) bad.push(`${attack} → <${node.tagName}>`);
            for (const { name, value } of node.attributes) {
              if (!attributes.test(name)) bad.push(`${attack} → ${name}`);
              if (name === 'data-href' && !/^https?:/.test(value)) bad.push(`${attack} → ${value}`);
              if (name === 'class' && /\bask\b/.test(value)) bad.push(`${attack} → class ${value}`);
            }
            if (node.tagName === 'BUTTON' && !node.closest('figure.block > .bar'))
              bad.push(`${attack} → button`);
          }
          element.remove();
        }
      }
      if ('hacked' in window) bad.push('a script ran');
      return bad;
    }, ATTACKS);
    assert.deepEqual(found, []);
    assert.deepEqual(
      requests.filter(url => url.includes('evil')),
      [],
    );
  });
});

/** What agents write in angle brackets outside code, and what is to be read of it. */
const WRITTEN = [
  'It returns a Vec<String> and a List<Map<K, V>>.',
  'A Box<A> of Map<I, U> or <P extends Q>.',
  'Put <MyComponent size="2">here</MyComponent>.',
  '<thinking>\nWhat now?\n</thinking>',
  '<!-- a remark -->',
  '<script>let x = 1;</script>',
  '<style>p { color: red }</style>',
  '<?xml version="1.0"?>\n<note to="you">Hello</note>',
  '<!DOCTYPE html>\n<html><body class="x">Hello</body></html>',
  'if (a <b && c> d)',
  '- an <input> in a list\n- <T extends U>',
  '| a |\n|---|\n| Set<number> |',
];

test('tags that format nothing are shown as they are written', async () => {
  await withPanel({}, async panel => {
    await prepare(panel);
    const lost = await panel.page.evaluate(async texts => {
      const { tools } = window as unknown as PageWindow;
      const words = (text: string): string => text.replaceAll(/[|\s-]+/g, '');
      const found: { text: string; shown: string | null }[] = [];
      for (const text of texts) {
        for (const chunks of [[text], [...text]]) {
          const element = await tools.stream(chunks);
          const shown = element.textContent;
          if (!words(shown).includes(words(text))) found.push({ text, shown });
          element.remove();
        }
      }
      return found;
    }, WRITTEN);
    assert.deepEqual(lost, []);
  });
});

test('tags that format text do, and are not shown', async () => {
  await withPanel({}, async panel => {
    await prepare(panel);
    const shown = await panel.page.evaluate(async () => {
      const { tools } = window as unknown as PageWindow;
      const element = await tools.stream([
        'H<sub>2</sub>O and <kbd class="x">Esc</kbd><br>\n\n<details open><summary>More</summary>inside</details>',
      ]);
      return element.innerHTML.replaceAll(/<!--.*?-->/g, '');
    });
    assert.match(shown, /H<sub>2<\/sub>O and <kbd>Esc<\/kbd><br>/);
    assert.match(shown, /<details open=""><summary[^>]*>More<\/summary><p>inside<\/p>/);
    assert.doesNotMatch(shown, /&lt;/);
  });
});

test('links and code leave as intents', async () => {
  await withPanel({}, async panel => {
    await prepare(panel);
    await panel.page.evaluate(async () => {
      const { tools } = window as unknown as PageWindow;
      const element = await tools.stream([
        'See [retry](src/http/retry.ts:24) and <https://example.com/>.\n\n```ts\nlet a = 1;\n```\n',
      ]);
      element.addEventListener('parley-intent', event => {
        const list = ((window as unknown as { told?: unknown[] }).told ??= []);
        list.push((event as CustomEvent).detail);
      });
      document.body.prepend(element);
      element.style.cssText = 'position:fixed;inset:0 0 auto;z-index:9;background:black';
    });
    await panel.page.getByRole('link', { name: 'retry' }).click();
    await panel.page.getByRole('link', { name: 'https://example.com/' }).press('Enter');
    await panel.page.getByRole('button', { name: 'Insert at Cursor' }).click();
    const told = await panel.page.evaluate(() => (window as unknown as { told: unknown[] }).told);
    assert.deepEqual(told, [
      { type: 'openLink', href: 'src/http/retry.ts:24' },
      { type: 'openLink', href: 'https://example.com/' },
      { type: 'insertAtCursor', text: 'let a = 1;' },
    ]);
  });
});

test('finished code is coloured with the theme, once', async () => {
  await withPanel({}, async panel => {
    await prepare(panel);
    await panel.page.evaluate(async () => {
      const { tools } = window as unknown as PageWindow;
      const element = await tools.stream(['```typescript\nconst answer = 42; // "<b>"\n```\n']);
      element.id = 'coloured';
    });
    await panel.page.waitForSelector('#coloured code .k');
    const shown = await panel.page.evaluate(() => ({
      text: document.querySelector('#coloured code')?.textContent,
      spans: [...document.querySelectorAll('#coloured code span')].map(
        span => `${span.className}:${span.textContent}`,
      ),
      label: document.querySelector('#coloured figure')?.getAttribute('aria-label'),
    }));
    assert.deepEqual(shown, {
      text: 'const answer = 42; // "<b>"',
      spans: ['k:const', 'n:42', 'c:// "<b>"'],
      label: 'Code, TypeScript',
    });
  });
});

/** Texts that make careless renderers hang. */
const HEAVY: Readonly<Record<string, string>> = {
  'one line of 1 MB': 'word '.repeat(200_000),
  'one word of 1 MB': 'x'.repeat(1_000_000),
  'open brackets': '['.repeat(50_000),
  stars: '*a '.repeat(30_000),
  backticks: '`a'.repeat(30_000),
  'nested quotes': `${'>'.repeat(5000)} deep`,
  'nested lists': Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join(
    '\n',
  ),
  'a long list': '- item with `code` and **bold**\n'.repeat(5000),
  'a huge table': `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(5000)}`,
  'angle brackets': '<a '.repeat(30_000),
  'an open fence': `\`\`\`ts\n${'const x = 1;\n'.repeat(60_000)}`,
  'many definitions': Array.from(
    { length: 1000 },
    (_, index) => `[l${index}]: https://example.com/${index}\n\n[l${index}] x\n\n`,
  ).join(''),
};

for (const [name, text] of Object.entries(HEAVY)) {
  // What grows with the square of its length would take many minutes.
  test(`does not hang on ${name}`, { timeout: 120_000 }, async () => {
    await withPanel({}, async panel => {
      await prepare(panel);
      const isEmpty = await panel.page.evaluate(async heavy => {
        const { tools } = window as unknown as PageWindow;
        const element = await tools.stream([heavy]);
        const { childElementCount } = element;
        element.remove();
        return childElementCount === 0;
      }, text);
      assert.equal(isEmpty, false);
    });
  });
}
