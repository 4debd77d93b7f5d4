import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withPanel, type Panel } from './harness';
import { CHANGES } from './questionStory';
import { PANEL, stateNamed } from './states';
import { asked, wantsCommand } from './story';

const region = (panel: Panel) => panel.page.getByRole('region', { name: 'Changes' });
const button = (panel: Panel, name: string) =>
  region(panel).getByRole('button', { name, exact: true });
const isFilled = async (panel: Panel, name: string) =>
  (await button(panel, name).getAttribute('class'))?.includes('primary') === true;

describe('the Changes bar', () => {
  test('is there only while there are changes', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('finished'));
      assert.equal(await region(panel).count(), 0);
      await panel.panelState({ ...PANEL, changes: CHANGES });
      assert.match((await region(panel).innerText()).replace(/\s+/g, ' '), /^5 files \+71 −12/);
      await panel.panelState(PANEL);
      assert.equal(await region(panel).count(), 0);
    });
  });

  test('reviews, keeps and undoes everything', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      const buttons = [
        ['Review', 'reviewChanges'],
        ['Keep all', 'keepAllChanges'],
        ['Undo all', 'undoAllChanges'],
      ] as const;
      for (const [name, type] of buttons) {
        await button(panel, name).click();
        assert.deepEqual(await panel.waitForIntent(type), { type });
      }
    });
  });

  test('names what may be run by itself', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      const files = CHANGES.files.map(file =>
        file.id === 'f-3' ? { ...file, runs: 'editor' as const } : file,
      );
      await panel.panelState({ ...PANEL, changes: { ...CHANGES, files } });
      const names = region(panel).locator('.name');
      const warned = names.filter({ hasText: 'can make the editor run programs' });
      await warned.filter({ hasText: 'delay.ts' }).waitFor();
      assert.equal(await warned.count(), 1);
      await region(panel).getByTitle('can make the editor run programs').waitFor();
    });
  });

  test('opens to a row for each file, with its own Keep and Undo', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      const rows = region(panel).getByRole('listitem');
      assert.equal(await rows.count(), 5);
      const deleted = region(panel).getByRole('listitem').filter({ hasText: 'parse-retry' });
      await deleted
        .getByRole('button', { name: /^parse-retry.*Deleted, 10 lines removed$/ })
        .click();
      assert.deepEqual(await panel.waitForIntent('openChange'), { type: 'openChange', id: 'f-4' });
      await button(panel, 'Undo All Changes in File: delay.ts').click();
      assert.equal((await panel.waitForIntent('undoFileChanges')).id, 'f-3');
      await button(panel, 'Keep All Changes in File: retry.ts').click();
      assert.equal((await panel.waitForIntent('keepFileChanges')).id, 'f-1');
      await region(panel)
        .getByRole('button', { name: /^5 files/ })
        .click();
      assert.equal(await rows.count(), 0);
    });
  });

  test('has Keep before Undo, for all and for a file', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      const names = (await region(panel).getByRole('button').all()).map(each =>
        each.evaluate(node => node.ariaLabel ?? node.textContent ?? ''),
      );
      const decisions = (await Promise.all(names)).flatMap(
        name => /\b(?:Keep|Undo)\b/.exec(name)?.[0] ?? [],
      );
      assert.equal(decisions.length, 2 * 6);
      assert.ok(decisions.every((word, at) => word === (at % 2 === 0 ? 'Keep' : 'Undo')));
    });
  });

  test('has a group of what nothing says an agent changed', async () => {
    await withPanel({ width: 289 }, async panel => {
      await panel.show(stateNamed('changesUnclaimed'));
      const rows = region(panel).getByRole('listitem');
      const texts = (await rows.allInnerTexts()).map(text => text.trim().split('\n')[0]);
      assert.deepEqual(texts.slice(2), [
        'logo.png',
        'Changed while Claude Code worked',
        'retry.test.ts',
        'parse-retry-after-header.ts',
      ]);
      await button(panel, "Not the Agent's").click();
      assert.deepEqual(await panel.waitForIntent('notTheAgents'), { type: 'notTheAgents' });
      await panel.clearPosts();
      await button(panel, "Not the Agent's: retry.test.ts").click();
      assert.equal((await panel.waitForIntent('notTheAgents')).id, 'f-2');
      await button(panel, 'Undo All Changes in File: logo.png').focus();
      await panel.page.keyboard.press('ArrowDown');
      assert.equal(await focusedName(panel), 'Undo All Changes in File: retry.test.ts');
      const bounds = await region(panel).boundingBox();
      const box = await button(panel, "Not the Agent's").boundingBox();
      assert.ok(bounds && box && box.x + box.width <= bounds.x + bounds.width);
      const name = await button(panel, 'Undo All Changes in File: logo.png').boundingBox();
      assert.ok(name && box.height <= name.height + 4, 'one line of words');
    });
  });

  test('says where only line endings changed', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      const endings = 'LF → CRLF';
      const [file] = CHANGES.files.map(other => ({ ...other, added: 0, removed: 0, endings }));
      assert.ok(file);
      await panel.panelState({ ...PANEL, changes: { files: [file], added: 0, removed: 0 } });
      const row = region(panel).getByRole('listitem');
      assert.match((await row.innerText()).replace(/\s+/g, ' '), /retry\.ts .*LF → CRLF/);
      await row.getByRole('button', { name: /Line endings only \(LF → CRLF\)$/ }).waitFor();
    });
  });

  test('Keep all is filled only when it is the next step', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      assert.equal(await isFilled(panel, 'Keep all'), true);
      await panel.actions([{ type: 'draftReplaced', text: 'more', attachments: [] }]);
      assert.equal(await isFilled(panel, 'Keep all'), false);
      await panel.actions([{ type: 'draftReplaced', text: '', attachments: [] }]);
      assert.equal(await isFilled(panel, 'Keep all'), true);
      await panel.actions(asked('next', 'turn-2'));
      assert.equal(await isFilled(panel, 'Keep all'), false);
      await panel.actions(wantsCommand());
      assert.equal(await isFilled(panel, 'Keep all'), false);
    });
  });

  test('its files are one stop of Tab: arrows move between them and keep the button', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      await region(panel)
        .getByRole('button', { name: /^5 files/ })
        .focus();
      for (let count = 0; count < 4; count += 1) await panel.page.keyboard.press('Tab');
      assert.match(await focusedName(panel), /^retry\.ts/);
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('ArrowDown');
      assert.equal(await focusedName(panel), 'Keep All Changes in File: retry.test.ts');
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Tab');
      assert.equal(await focusedName(panel), 'Message');
    });
  });

  test('the focus goes on to the next file, and to Message after the last', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('changes'));
      await button(panel, 'Keep All Changes in File: retry.test.ts').focus();
      const left = CHANGES.files.filter(({ id }) => id !== 'f-2');
      await panel.panelState({ ...PANEL, changes: { ...CHANGES, files: left } });
      assert.equal(await focusedName(panel), 'Keep All Changes in File: delay.ts');
      await panel.panelState(PANEL);
      await panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    });
  });

  for (const width of [220, 300, 340, 380]) {
    test(`every button is whole at ${width} px`, async () => {
      await withPanel({ width }, async panel => {
        await panel.show(stateNamed('changes'));
        const bounds = await region(panel).boundingBox();
        for (const name of ['Review', 'Keep all', 'Undo all']) {
          const box = await button(panel, name).boundingBox();
          assert.ok(bounds && box && box.x >= bounds.x, name);
          assert.ok(box.x + box.width <= bounds.x + bounds.width, name);
        }
      });
    });
  }
});

describe('Restore to Before This Prompt', () => {
  test('is on a prompt that is pointed at, and reached with the keyboard', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('finished'));
      const restore = panel.page.getByRole('button', { name: /^Restore to Before This Prompt/ });
      const shows = () =>
        restore.evaluate(element => element.checkVisibility({ opacityProperty: true }));
      assert.equal(await shows(), false);
      await panel.page.locator('.prompt').hover();
      assert.equal(await shows(), true);
      await restore.click();
      assert.deepEqual(await panel.waitForIntent('restorePrompt'), {
        type: 'restorePrompt',
        turnId: 'turn-1',
      });
      await panel.clearPosts();
      await panel.conversation.focus();
      await panel.page.keyboard.press('Home');
      // Past what is attached, Copy and Edit.
      for (let tabs = 0; tabs < 4; tabs += 1) await panel.page.keyboard.press('Tab');
      assert.match(await focusedName(panel), /^Restore/);
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.waitForIntent('restorePrompt')).turnId, 'turn-1');
    });
  });

  test('is not on the prompt that runs', async () => {
    await withPanel({}, async panel => {
      await panel.show(stateNamed('streaming'));
      assert.equal(await panel.page.getByRole('button', { name: /^Restore/ }).count(), 0);
    });
  });
});

function focusedName(panel: Panel): Promise<string> {
  return panel.page.evaluate(() => {
    const element = document.activeElement;
    return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
  });
}
