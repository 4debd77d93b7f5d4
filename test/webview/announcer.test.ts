import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../src/session/state/actions';
import { eventually } from '../workbench/eventually';
import { withPanel, type Panel } from './harness';
import { PANEL, stateNamed, told } from './states';
import { T0, TURN, asked, connected, edited, ended, looked, said, wantsCommand } from './story';

interface Spoken {
  readonly text: string;
  /** Milliseconds on the page's clock. */
  readonly at: number;
}
interface Ears {
  readonly __heard: { readonly polite: Spoken[]; readonly urgent: Spoken[] };
}

/** Listens to the two live regions of the chat that `actions` tell. */
async function listening(
  actions: readonly SessionAction[],
  run: (panel: Panel, heard: (region: 'polite' | 'urgent') => Promise<string[]>) => Promise<void>,
): Promise<void> {
  await withPanel({}, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(told(...connected(), ...actions), T0);
    await panel.page.evaluate(() => {
      const heard = { polite: [] as Spoken[], urgent: [] as Spoken[] };
      (window as unknown as { __heard: typeof heard }).__heard = heard;
      for (const name of ['polite', 'urgent'] as const) {
        const region = document.querySelector(`[data-announcer="${name}"]`);
        new MutationObserver(() =>
          heard[name].push({ text: region?.textContent ?? '', at: performance.now() }),
        ).observe(region as Element, { childList: true, characterData: true, subtree: true });
      }
    });
    await run(panel, name =>
      panel.page.evaluate(
        region =>
          (window as unknown as Ears).__heard[region].map(({ text }) =>
            text.replaceAll('\u00a0', ' ').trim(),
          ),
        name,
      ),
    );
  });
}

const toolFails: SessionAction = {
  type: 'toolCallChanged',
  turnId: TURN,
  partId: 'bad',
  toolCallId: 'bad',
  announced: true,
  title: 'npm run lint',
  toolKind: 'execute',
  status: 'failed',
  at: T0 + 30_000,
};

test('tags, footnotes and dollars are not spoken', async () => {
  await listening([...asked()], async (panel, heard) => {
    const text =
      '<details>\n<summary>Why `Vec<String>`?</summary>\n\nSo $x^2$ grows[^1].\n\n</details>\n\n';
    await panel.actions([...said(text, 'text-1'), ...ended()]);
    await eventually('all is said', async () => {
      const words = (await heard('polite')).join(' ');
      return words.includes('Why Vec<String>?') && words.includes('So x^2 grows.');
    });
    assert.doesNotMatch((await heard('polite')).join(' '), /details|summary|\$|\[/);
  });
});

describe('what a screen reader hears', () => {
  test('the regions: one polite, one an alert, and a conversation that is silent itself', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('streaming'));
      assert.equal(
        await panel.page.locator('[data-announcer="polite"][aria-live="polite"]').count(),
        1,
      );
      assert.equal(await panel.page.locator('[data-announcer="urgent"][role="alert"]').count(), 1);
      assert.equal(await panel.conversation.getAttribute('aria-live'), 'off');
    });
  });

  test('a turn: Working, then what came of it', async () => {
    await listening([], async (panel, heard) => {
      await panel.actions(asked());
      assert.deepEqual(await heard('polite'), ['Working']);
      await panel.actions([...looked(), ...edited()]);
      assert.deepEqual(await heard('polite'), ['Working'], 'tools that succeed are silent');
      await panel.actions(ended());
      assert.deepEqual(await heard('polite'), ['Working', 'Done, 6 tools, 1 file changed']);
      await panel.actions(asked('Again', 'turn-2'));
      await panel.actions(ended('cancelled'));
      assert.equal((await heard('polite')).at(-1), 'Stopped');
    });
  });

  test('a change that was not made is none of those that the turn has made', async () => {
    const diff = {
      ref: 'r',
      path: '/w/other.ts',
      change: 'modified',
      added: 1,
      removed: 0,
      hunks: [],
      truncated: false,
    } as const;
    const refused = { ...toolFails, toolKind: 'edit', status: 'cancelled' } as const;
    await listening(asked(), async (panel, heard) => {
      await panel.actions([{ ...refused, content: [{ kind: 'diff', diff }] }]);
      await panel.actions(ended());
      assert.equal((await heard('polite')).at(-1), 'Done, 1 tool');
    });
  });

  test('a tool that fails says so', async () => {
    await listening(asked(), async (panel, heard) => {
      await panel.actions([toolFails]);
      assert.deepEqual(await heard('polite'), ['npm run lint failed']);
    });
  });

  test('whole paragraphs, without the signs of Markdown, and no chunks', async () => {
    await listening(asked(), async (panel, heard) => {
      await panel.actions(said('The header has **two', 'text'));
      await panel.actions(said(' forms**, see [retry.ts](src/retry.ts).', 'text'));
      assert.deepEqual(await heard('polite'), []);
      await panel.actions(said('\n\nOnly', 'text'));
      assert.deepEqual(await heard('polite'), ['The header has two forms, see retry.ts.']);
    });
  });

  test('names as they are written', async () => {
    await listening(asked(), async (panel, heard) => {
      await panel.actions(
        said('Set API_KEY and `__init__`, then run `npm_config_x`: *now*.\n\nOnly', 'text'),
      );
      assert.deepEqual(await heard('polite'), [
        'Set API_KEY and __init__, then run npm_config_x: now.',
      ]);
    });
  });

  test('at most one every two seconds; what came meanwhile follows in one', async () => {
    await listening(asked(), async (panel, heard) => {
      for (const paragraph of ['One.\n\n', 'Two.\n\n', 'Three.\n\n', 'Four']) {
        await panel.actions(said(paragraph, 'text'));
      }
      await panel.page.waitForFunction(() =>
        (window as unknown as Ears).__heard.polite.some(({ text }) => text.includes('Three.')),
      );
      assert.deepEqual(await heard('polite'), ['One.', 'Two. Three.']);
      const [first, second] = await panel.page.evaluate(() =>
        (window as unknown as Ears).__heard.polite.map(({ at }) => at),
      );
      assert.ok((second ?? 0) - (first ?? 0) >= 1950, `${(second ?? 0) - (first ?? 0)} ms`);
    });
  });

  test('a request interrupts, also when it asks the same again', async () => {
    await listening(asked(), async (panel, heard) => {
      const words = 'Waiting for you: npm test -- retry --coverage && rm -rf coverage/old';
      await panel.actions(wantsCommand());
      assert.deepEqual(await heard('urgent'), [words]);
      await panel.actions([
        { type: 'permissionAnswered', requestId: 'request-1', outcome: 'allowed', at: T0 + 50_000 },
      ]);
      await panel.actions(wantsCommand());
      assert.deepEqual(await heard('urgent'), [words, words]);
    });
  });

  test('an agent that stops working is an alert with the cause', async () => {
    const { session } = stateNamed('crashed');
    assert.equal(session?.connection.kind, 'failed');
    await listening(asked(), async (panel, heard) => {
      await panel.actions([
        ...ended('interrupted'),
        { type: 'connectionChanged', connection: session.connection },
      ]);
      const [alert, ...more] = await heard('urgent');
      assert.match(
        alert ?? '',
        /^Claude Code stopped working: The process ended with exit code 134/,
      );
      assert.deepEqual(more, []);
      assert.deepEqual(await heard('polite'), []);
      assert.equal(await panel.page.getByRole('alert').count(), 1, 'it is said once');
    });
  });

  test('opening a chat says nothing of what happened before', async () => {
    await listening([], async (panel, heard) => {
      await panel.snapshot(told(...connected(), ...asked(), ...looked(), ...ended()), T0 + 72_000);
      const other = told(...connected(), ...asked(), ...wantsCommand());
      await panel.snapshot({ ...other, chatId: 'chat-2' }, T0 + 72_000);
      assert.deepEqual(await heard('urgent'), []);
    });
  });
});
