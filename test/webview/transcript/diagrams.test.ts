import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel, type Panel } from '../harness';
import { PANEL, told } from '../states';
import { asked, connected, ended, said } from '../story';

const FLOW =
  'flowchart TD\n  accTitle: How a retry is decided\n  A[Request] --> B{Failed?}\n  B -->|yes| C[Wait]';

const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n`;

async function show(panel: Panel, text: string): Promise<void> {
  await panel.panelState(PANEL);
  await panel.snapshot(told(...connected(), ...asked(), ...said(text, 'text-1'), ...ended()));
}

const drawing = (panel: Panel) => panel.page.locator('.drawing > img');

/** How much of the drawing is not its ground: the image is painted, and not empty. */
const painted = (panel: Panel): Promise<{ readonly width: number; readonly isLoaded: boolean }> =>
  drawing(panel).evaluate(async image => {
    await (image as HTMLImageElement).decode();
    const { naturalWidth, complete } = image as HTMLImageElement;
    return { width: naturalWidth, isLoaded: complete };
  });

describe('a diagram', () => {
  for (const [kind, source] of Object.entries({
    flowchart: FLOW,
    sequence: 'sequenceDiagram\n  A->>B: Hello\n  Note over A,B: a note',
    class: 'classDiagram\n  class A { +int x\n +go() }\n  A <|-- B',
    state: 'stateDiagram-v2\n  [*] --> On\n  On --> [*]',
    pie: 'pie title Pets\n  "Dogs" : 3\n  "Cats" : 4',
    gitGraph: 'gitGraph\n  commit\n  branch b\n  commit',
    gantt: 'gantt\n  dateFormat YYYY-MM-DD\n  section S\n  A :a, 2026-01-01, 3d',
    er: 'erDiagram\n  A ||--o{ B : has',
    mindmap: 'mindmap\n  root\n    one\n    two',
  })) {
    test(`of the kind ${kind} is drawn as an image`, async () => {
      await withPanel({ width: 289 }, async panel => {
        await show(panel, `Look:\n\n${fenced(source)}\nThat is it.`);
        const { width, isLoaded } = await painted(panel);
        assert.ok(isLoaded && width > 20, `${width} px`);
        assert.match((await drawing(panel).getAttribute('alt')) ?? '', /\S/);
        assert.equal(await panel.page.locator('.log svg, .diagram-stage').count(), 0);
      });
    });
  }

  test('is shown as source until its fence closes, and its source can be copied and shown', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await panel.panelState(PANEL);
      await panel.snapshot(told(...connected(), ...asked()));
      await panel.actions(said(`\`\`\`mermaid\n${FLOW}`, 'text-1'));
      const source = panel.page.locator('figure.block pre');
      assert.ok(await source.isVisible());
      assert.equal(await drawing(panel).count(), 0);
      await panel.actions(said('\n```\n\nOne.\n\nTwo.\n\nThree.', 'text-1'));
      assert.equal(await drawing(panel).getAttribute('alt'), 'How a retry is decided');
      assert.equal(await source.isVisible(), false);
      const figure = panel.page.locator('figure.diagram');
      await figure.hover();
      await figure.getByRole('button', { name: 'Copy' }).click();
      assert.equal(await panel.page.evaluate(() => navigator.clipboard.readText()), FLOW);
      await figure.getByRole('button', { name: 'Show Source' }).click();
      assert.ok(await source.isVisible());
      assert.equal(await drawing(panel).isVisible(), false);
    });
  });

  test('that cannot be read says why, in a line', async () => {
    await withPanel({ width: 289 }, async panel => {
      await show(panel, fenced('sequenceDiagram\n  A->B\n  B-->>A: Yes'));
      await panel.page.getByText('Not drawn: Parse error on line 2').waitFor();
      assert.ok(await panel.page.locator('figure.block pre').isVisible());
      await show(panel, fenced(`flowchart TD\n${'  A --> B\n'.repeat(10_000)}`));
      await panel.page.getByText('Not drawn: the diagram is too large').waitFor();
      await show(panel, fenced('flowchart TD\n  A -->'));
      await panel.page.getByText('Not drawn: it ends too early').waitFor();
      await show(panel, fenced('no such diagram'));
      await panel.page.getByText('Not drawn: the kind of diagram is not known').waitFor();
    });
  });

  test('does nothing but show, whatever is written in it', async () => {
    const hostile = [
      'flowchart TD\n  A[x] --> B\n  click A href "javascript:window.hit=1"\n  click B call hit()',
      'flowchart TD\n  A["<img src=x onerror=window.hit=1>"] --> B["<script>window.hit=1</script>"]',
      '%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}, "themeCSS": "* { display: none !important }"}}%%\nflowchart TD\n  A["<b onclick=window.hit=1>x</b>"] --> B',
      'flowchart TD\n  A --> B\n  classDef x fill:red;} body{display:none}\n  class A x',
      'flowchart TD\n  A:::x --> B\n  classDef x fill:red;}}} body{display:none}',
      'flowchart TD\n  A:::x --> B\n  classDef x fill:red}} body{display:none} a{b',
      'flowchart TD\n  A["<svg onload=window.hit=1 style=display:none>"] --> B["<svg id=diagram-1 onload=window.hit=1>"]',
      'flowchart TD\n  A --> B\n  style A fill:url(https://example.com/x),background:url(https://example.com/y)',
      'sequenceDiagram\n  participant A\n  link A: go @ javascript:window.hit=1\n  A->>A: <iframe src="https://example.com">',
      '---\nconfig:\n  securityLevel: loose\n  themeCSS: "@import url(https://example.com/x.css)"\n---\nflowchart TD\n  A --> B',
    ];
    await withPanel({ width: 289 }, async panel => {
      const asked_: string[] = [];
      panel.page.on('request', request => asked_.push(request.url()));
      for (const source of hostile) {
        await show(panel, `${fenced(source)}\nAfter.`);
        await panel.page.locator('.drawing > img, .block > .problem').first().waitFor();
        const state = await panel.page.evaluate(() => ({
          hit: 'hit' in window,
          svg: document.querySelectorAll('.log svg, .log iframe, .log script').length,
          isShown: document.body.checkVisibility(),
          stage: document.querySelectorAll('.diagram-stage, style').length,
          rules: [...document.querySelectorAll<HTMLImageElement>('.drawing > img')]
            .flatMap(({ src }) => [...decodeURIComponent(src).matchAll(/([^{}]*)\{/g)])
            .filter(([, selector = '']) => /^\s*body/.test(selector)).length,
        }));
        assert.deepEqual(state, { hit: false, svg: 0, isShown: true, stage: 0, rules: 0 }, source);
      }
      assert.deepEqual(
        asked_.filter(url => !/^(?:data:|http:\/\/127\.0\.0\.1)/.test(url)),
        [],
      );
    });
  });

  test('follows the theme', async () => {
    await withPanel({ width: 289, theme: 'dark-2026' }, async panel => {
      await show(panel, fenced(FLOW));
      const before = await drawing(panel).getAttribute('src');
      await panel.page.evaluate(async () => {
        const link = document.querySelector<HTMLLinkElement>('#theme');
        if (!link) return;
        await new Promise(resolve => {
          link.onload = resolve;
          link.href = '/themes/light-2026.css';
        });
        document.body.classList.replace('vscode-dark', 'vscode-light');
      });
      await panel.page.waitForFunction(
        url => document.querySelector('.drawing > img')?.getAttribute('src') !== url,
        before,
      );
    });
  });
});
