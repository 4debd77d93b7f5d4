import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionAction } from '../../src/session/state/actions';
import type { ConfigOption } from '../../src/session/state/config';
import { withPanel, type Panel, type PanelOptions } from './harness';
import { PANEL, told } from './states';
import {
  CONFIG,
  MANY_MODELS,
  MANY_OPTIONS,
  T0,
  TURN,
  asked,
  connected,
  ended,
  wantsCommand,
} from './story';

const WEB: ConfigOption = {
  type: 'boolean',
  id: 'web',
  name: 'Web Search',
  source: 'configOption',
  value: false,
};

const select = (id: string, name: string): ConfigOption => ({
  type: 'select',
  id,
  name,
  source: 'configOption',
  value: 'a',
  groups: [
    {
      choices: [
        { value: 'a', name: `${name} as before` },
        { value: 'b', name: 'Other' },
      ],
    },
  ],
});

async function withOptions(
  options: readonly ConfigOption[],
  run: (panel: Panel) => Promise<void>,
  where: PanelOptions = {},
): Promise<void> {
  await withPanel(where, async panel => {
    await panel.panelState(PANEL);
    await panel.snapshot(told(...connected(), { type: 'configChanged', options }), T0);
    await run(panel);
  });
}

const selector = (panel: Panel, name: string) =>
  panel.page.getByRole('combobox', { name, exact: true });

describe('selectors', () => {
  test("stand in the agent's order, under the agent's names", async () => {
    await withOptions([...CONFIG, WEB], async panel => {
      const names = await panel.page
        .locator('.choices :is([role="combobox"], vscode-checkbox)')
        .evaluateAll(items => items.map(item => item.getAttribute('aria-label')));
      assert.deepEqual(names, ['Mode', 'Model', 'Thought Level', 'Web Search']);
      assert.equal((await selector(panel, 'Model').textContent())?.trim(), 'Sonnet 4.5');
    });
  });

  test('the list opens in groups, arrows move, Enter chooses, the focus stays on the selector', async () => {
    await withOptions(CONFIG, async panel => {
      const model = selector(panel, 'Model');
      await model.focus();
      await panel.page.keyboard.press('ArrowDown');
      const list = panel.page.getByRole('listbox', { name: 'Model' });
      assert.equal(await list.getByRole('group', { name: 'Current' }).count(), 1);
      assert.equal(await list.getByRole('group', { name: 'Earlier' }).count(), 1);
      const here = async () => {
        const id = await model.getAttribute('aria-activedescendant');
        return (await panel.page.locator(`[id="${id}"]`).innerText()).split('\n')[0];
      };
      assert.equal(await here(), 'Sonnet 4.5', 'the list opens at what is chosen');
      await panel.page.keyboard.press('Home');
      assert.equal(await here(), 'Opus 4.1');
      await panel.page.keyboard.press('End');
      assert.equal(await here(), 'Haiku 3.5');
      await panel.page.keyboard.press('ArrowUp');
      await panel.page.keyboard.press('ArrowUp');
      assert.equal(await here(), 'Opus 4.1');
      assert.equal(await model.evaluate(button => button === document.activeElement), true);
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.waitForIntent('setConfig'), {
        type: 'setConfig',
        optionId: 'model',
        value: 'opus',
      });
      assert.equal(await list.count(), 0);
    });
  });

  test('letters find a choice, also in a closed selector; Esc leaves it as it was', async () => {
    await withOptions(CONFIG, async panel => {
      const level = selector(panel, 'Thought Level');
      await level.focus();
      await panel.page.keyboard.type('me');
      const id = await level.getAttribute('aria-activedescendant');
      assert.match(await panel.page.locator(`[id="${id}"]`).innerText(), /Medium/);
      await panel.page.keyboard.press('Escape');
      assert.equal(await panel.page.getByRole('listbox').count(), 0);
      assert.deepEqual(await panel.intents(), []);
      assert.equal(await level.getAttribute('aria-expanded'), 'false');
    });
  });

  test('choosing what is chosen tells nothing; a click elsewhere closes the list', async () => {
    await withOptions(CONFIG, async panel => {
      await selector(panel, 'Mode').click();
      await panel.page.getByRole('option', { name: /Default/ }).click();
      await selector(panel, 'Mode').click();
      await panel.page.getByRole('heading', { level: 1 }).click();
      assert.equal(await panel.page.getByRole('listbox').count(), 0);
      assert.deepEqual(
        (await panel.intents()).filter(({ type }) => type === 'setConfig'),
        [],
      );
    });
  });

  test('an option that is on or off is a checkbox', async () => {
    await withOptions([WEB], async panel => {
      const box = panel.page.getByRole('checkbox', { name: 'Web Search' });
      assert.equal(await box.getAttribute('aria-checked'), 'false');
      await box.focus();
      await panel.page.keyboard.press('Space');
      assert.deepEqual(await panel.waitForIntent('setConfig'), {
        type: 'setConfig',
        optionId: 'web',
        value: true,
      });
      await panel.clearPosts();
      await panel.actions([{ type: 'configChanged', options: [{ ...WEB, value: true }] }]);
      assert.equal(await box.getAttribute('aria-checked'), 'true');
      assert.deepEqual(await panel.intents(), [], 'what the agent says is not told back');
    });
  });

  test('a checkbox is whole in the row, or behind "…"', async () => {
    await withOptions([...CONFIG, { ...WEB, name: 'Suggest next steps' }], async panel => {
      for (const width of [900, 380, 300, 260, 220]) {
        await panel.page.setViewportSize({ width, height: 760 });
        await panel.painted();
        const [box] = await panel.page.locator('.choices > vscode-checkbox').evaluateAll(boxes =>
          boxes.map(item => ({
            height: item.getBoundingClientRect().height,
            over:
              item.getBoundingClientRect().right -
              (item.parentElement?.getBoundingClientRect().right ?? 0),
          })),
        );
        const more = await panel.page.getByRole('button', { name: 'More options' }).count();
        assert.equal(more, box ? 0 : 1, `${width} px`);
        if (box) assert.ok(box.height <= 20 && box.over <= 0.5, JSON.stringify({ width, ...box }));
        if (width === 900) assert.ok(box, 'a wide panel shows it');
        if (width === 220) assert.equal(box, undefined, 'a narrow one has no room for it');
      }
    });
  });

  test('what does not fit goes behind "…", where it works as well', async () => {
    const many = ['Mode', 'Model', 'Thought', 'Profile', 'Sandbox', 'Persona'].map((name, index) =>
      select(`option-${index}`, name),
    );
    const run = async (panel: Panel) => {
      const more = panel.page.getByRole('button', { name: 'More options' });
      await more.waitFor();
      await more.focus();
      await panel.page.keyboard.press('Enter');
      const rest = panel.page.getByRole('group', { name: 'More options' });
      const inRow = await panel.page.locator('.choices [role="combobox"]').count();
      const behind = await rest.getByRole('combobox').count();
      assert.ok(inRow > 0, 'some stay in the row');
      assert.equal(inRow + behind, many.length, 'none is lost');
      const last = rest.getByRole('combobox', { name: 'Persona' });
      await last.focus();
      await panel.page.keyboard.press('ArrowDown');
      await panel.page.keyboard.press('End');
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.waitForIntent('setConfig'), {
        type: 'setConfig',
        optionId: 'option-5',
        value: 'b',
      });
      await panel.page.keyboard.press('Escape');
      assert.equal(await rest.count(), 0);
      assert.equal(await more.evaluate(button => button === document.activeElement), true);
    };
    await withOptions(many, run, { width: 220 });
  });
});

describe('an option with many choices', () => {
  const field = ({ page }: Panel) => page.getByRole('combobox', { name: 'Search Model' });
  const list = ({ page }: Panel) => page.getByRole('listbox', { name: 'Model' });
  const names = async (panel: Panel) =>
    (await list(panel).getByRole('option').allInnerTexts()).map(text => text.split('\n')[0]);

  test('is searched by name and description, in its groups; the best is taken', async () => {
    await withOptions(MANY_MODELS, async panel => {
      await selector(panel, 'Model').click();
      await field(panel).waitFor();
      assert.equal((await names(panel)).length, 10);
      await panel.page.keyboard.type('gpt');
      assert.deepEqual(await names(panel), ['GPT-5', 'GPT-5 mini']);
      assert.equal(await list(panel).getByRole('group', { name: 'Elsewhere' }).count(), 1);
      await field(panel).fill('most able');
      assert.deepEqual(await names(panel), ['Opus 4.1']);
      await field(panel).fill('nothing like it');
      await panel.page.getByText('Nothing found').waitFor();
      await panel.page.keyboard.press('Enter');
      assert.deepEqual(await panel.intents(), []);
      await selector(panel, 'Model').click();
      await field(panel).fill('kimi');
      await panel.page.keyboard.press('Enter');
      assert.equal((await panel.waitForIntent('setConfig')).value, 'elsewhere/Kimi K2');
      assert.ok(
        await selector(panel, 'Model').evaluate(button => button === document.activeElement),
        'the focus goes back to the selector',
      );
    });
  });

  test('begins with what was chosen lately, also after a reload', async () => {
    await withOptions(MANY_MODELS, async panel => {
      const choose = async (name: string, value: string) => {
        await selector(panel, 'Model').click();
        await field(panel).fill(name);
        await panel.page.keyboard.press('Enter');
        await panel.actions([{ type: 'configValueChanged', optionId: 'model', value }]);
      };
      await choose('kimi', 'elsewhere/Kimi K2');
      await choose('deepseek', 'elsewhere/DeepSeek V3.1');
      await panel.page.reload();
      await panel.waitForPost('ready');
      await panel.panelState(PANEL);
      await panel.snapshot(
        told(...connected(), { type: 'configChanged', options: MANY_MODELS }),
        T0,
      );
      await selector(panel, 'Model').press('d');
      await field(panel).waitFor();
      assert.equal(await field(panel).inputValue(), 'd', 'the letter that opens it counts');
      await field(panel).fill('');
      const recent = list(panel).getByRole('group', { name: 'Recent' }).getByRole('option');
      assert.deepEqual(
        (await recent.allInnerTexts()).map(text => text.split('\n')[0]),
        ['DeepSeek V3.1', 'Kimi K2'],
      );
      assert.equal((await names(panel)).length, 10, 'none is there twice');
      await panel.page.keyboard.press('Escape');
      await list(panel).waitFor({ state: 'detached' });
    });
  });
});

test('names in the row are whole, and what has no room is in one menu', async () => {
  await withOptions(
    MANY_OPTIONS,
    async panel => {
      const cut = await panel.page
        .locator('.choices > parley-choice .cut')
        .evaluateAll(
          all => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        );
      assert.equal(cut, 0);
      await panel.page.getByRole('button', { name: 'More options' }).click();
      const menu = panel.page.getByRole('group', { name: 'More options' });
      await menu.getByRole('combobox', { name: 'Persona' }).click();
      const choices = menu.getByRole('listbox', { name: 'Persona' });
      await choices.waitFor();
      const [inside, around] = [await choices.boundingBox(), await menu.boundingBox()];
      assert.ok(inside && around && inside.y >= around.y, 'the choices stand in the menu');
      assert.equal(await menu.getByRole('combobox', { name: 'Profile' }).isVisible(), false);
      await panel.page.keyboard.press('Escape');
      await menu.getByRole('combobox', { name: 'Profile' }).waitFor();
      await menu.getByRole('checkbox', { name: 'Web Search' }).waitFor();
      await panel.page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    },
    { width: 289 },
  );
});

describe('what the chat uses', () => {
  test('context is a meter in words, in the warning colour from 80 percent', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(told(...connected(), ...asked(), ...ended()), T0 + 72_000);
      const meter = panel.page.getByRole('meter', { name: 'Context' });
      assert.equal(await meter.getAttribute('aria-valuenow'), '38');
      assert.equal(await meter.getAttribute('aria-valuetext'), '38 percent, 76k of 200k tokens');
      const isHigh = () => meter.evaluate(element => element.classList.contains('high'));
      assert.equal(await isHigh(), false);
      await panel.actions([{ type: 'usageChanged', usage: { used: 160_000, size: 200_000 } }]);
      assert.equal(await isHigh(), true);
    });
  });

  test('time stands while the user is asked, and goes on without what that took', async () => {
    await withPanel({}, async panel => {
      const begin = [...connected(), ...asked(), ...wantsCommand(T0 + 10_000)];
      const time = panel.page.getByTitle('Working time');
      await panel.panelState(PANEL);
      await panel.snapshot(told(...begin), T0 + 60_000);
      assert.equal(await time.textContent(), '0:10');
      const answer: SessionAction = {
        type: 'permissionAnswered',
        requestId: 'request-1',
        outcome: 'allowed',
        at: T0 + 50_000,
      };
      await panel.snapshot(told(...begin, answer), T0 + 60_000);
      assert.match((await time.textContent()) ?? '', /^0:2\d$/);
      await panel.snapshot(told(...begin, answer, ...ended('end_turn', T0 + 60_000)), T0 + 60_000);
      await panel.conversation.getByText(/\b20 s\b/).waitFor();
    });
  });

  test('time shows while a turn runs, cost when the agent tells it', async () => {
    await withPanel({}, async panel => {
      await panel.panelState(PANEL);
      await panel.snapshot(told(...connected()), T0);
      const foot = panel.page.locator('.use');
      assert.equal(await foot.count(), 0);
      await panel.snapshot(told(...connected(), ...asked()), T0 + 42_000);
      assert.match((await foot.innerText()).replace(/\s+/g, ' '), /^38% \$0\.42 0:4\d$/);
      await panel.actions(ended());
      assert.match((await foot.innerText()).replace(/\s+/g, ' '), /^38% \$0\.42$/);
    });
  });
});

describe('the message box stays where it is', () => {
  for (const width of [220, 289, 380]) {
    test(`when the clock starts and when usage is reported, at ${width} px`, async () => {
      await withPanel({ width }, async panel => {
        await panel.panelState({
          ...PANEL,
          activeEditor: { label: 'retry.ts', hasSelection: false },
        });
        await panel.snapshot(told(...connected()), T0);
        const top = async () => (await panel.message.boundingBox())?.y;
        const before = await top();
        const begin = { id: 'p', text: 'Go', attachments: [] };
        await panel.actions([{ type: 'turnStarted', turnId: TURN, prompt: begin, at: T0 }]);
        await panel.page.locator('.use').waitFor();
        assert.equal(await top(), before);
        await panel.actions([
          {
            type: 'usageChanged',
            usage: {
              used: 160_000,
              size: 200_000,
              cost: { amount: 12.42, currency: 'USD' },
            },
          },
        ]);
        await panel.page.getByRole('meter', { name: 'Context' }).waitFor();
        assert.equal(await top(), before);
        await panel.actions(ended());
        await panel.page.getByText('1:12').waitFor({ state: 'detached' });
        assert.equal(await top(), before);
      });
    });
  }
});

describe('a budget', () => {
  const left = { percent: 15, text: '15% left', title: "Today's budget: 85 of 100 minutes used" };
  const chats = PANEL.chats.map(chat => ({ ...chat, budget: left }));

  test('shows what is left of it', async () => {
    await withPanel({}, async panel => {
      await panel.panelState({ ...PANEL, chats });
      await panel.snapshot(told(...connected()), T0);
      const meter = panel.page.getByRole('meter', { name: 'Budget' });
      await meter.getByText('15% left').waitFor();
      assert.equal(await meter.getAttribute('title'), left.title);
      await panel.panelState(PANEL);
      assert.equal(await meter.count(), 0);
    });
  });

  test('that is used up asks, and both answers reach the host', async () => {
    await withPanel({}, async panel => {
      await panel.panelState({ ...PANEL, chats });
      await panel.snapshot(
        told(...connected(), ...asked(), {
          type: 'noticeAdded',
          turnId: TURN,
          partId: 'notice-1',
          level: 'warning',
          text: "Today's budget is used up: 100 of 100 minutes. Continue?",
          actions: ['goOn', 'stop'],
          at: T0,
        }),
        T0,
      );
      await panel.page.getByRole('button', { name: 'Continue' }).click();
      await panel.waitForIntent('goOn');
      await panel.conversation.getByRole('button', { name: 'Stop' }).click();
      await panel.waitForIntent('stop');
    });
  });
});
