/** What agents and their tools say is read for escape sequences wherever it is shown: all places, all kinds of sequences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as schema from '../../../src/acp/schema/schema';
import type { SessionAction } from '../../../src/session/state/actions';
import { initialSession } from '../../../src/session/state/initialSession';
import { reduce } from '../../../src/session/state/reducer';
import type { SessionState } from '../../../src/session/state/state';
import { noticeOf } from '../../../src/session/notices';
import { Contents } from '../../../src/session/translate/contents';
import { formOf } from '../../../src/session/translate/elicitationForm';
import { Translator } from '../../../src/session/translate/translate';
import { boundedUpdate } from '../../../src/session/translate/updateBounds';
import { withPanel, type Panel } from '../harness';
import { stateNamed } from '../states';
import { AGENT, T0, asked, connected } from '../story';

let ids = 0;
const environment = {
  now: () => T0 + 1000,
  newId: () => `id-${(ids += 1)}`,
  after: () => ({ dispose() {} }),
};

/** Each has the sequence between two words; what must not be seen of it. */
const SEQUENCES: readonly (readonly [name: string, sequence: string, remnant: RegExp])[] = [
  ['a colour', '\x1b[1;31m', /\[1;31m/],
  ['a colour of 24 bits', '\x1b[38;2;10;20;30m', /38;2/],
  ['the end of colours', '\x1b[0m', /\[0m/],
  ['a cursor that moves', '\x1b[2A\x1b[10;20H', /\[2A|10;20H/],
  ['the alternate screen', '\x1b[?1049h\x1b[?1049l', /1049/],
  ['a title', '\x1b]0;hidden title\x07', /hidden title|\]0;/],
  ['the clipboard', '\x1b]52;c;aGlkZGVu\x1b\\', /aGlkZGVu|\]52/],
  ['a link to a command', '\x1b]8;;command:workbench.action.quit\x07', /command:|\]8;/],
  ['a link to data', '\x1b]8;;data:text/html,hidden\x1b\\', /data:|\]8;/],
  ['a device control string', '\x1bPqhidden\x1b\\', /hidden/],
  ['CSI in one character', '\u009b31m', /31m/],
  ['OSC in one character', '\u009d0;hidden\u009c', /hidden/],
  ['what has no end', '\x1b]0;hidden', /hidden/],
  ['a reset', '\x1bc\x1b(B\x1b=', /\(B/],
];

/** Every place where an agent's text is shown, with the text. */
function everywhere(text: string): SessionState {
  const translator = new Translator(new Contents(), environment);
  let state = [...connected(), ...asked()].reduce(
    reduce,
    initialSession({ chatId: 'chat-1', agentName: AGENT, cwd: '/work/parcel-api', at: T0 }),
  );
  const apply = (...actions: readonly SessionAction[]): void => {
    state = actions.reduce(reduce, state);
  };
  const tell = (update: unknown): void =>
    apply(...translator.translate(state, boundedUpdate(update as schema.SessionUpdate)));
  const block = { type: 'text', text };
  tell({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: `Prose ${text}\n\n` },
  });
  const fence = `\`\`\`sh\n${text}\n\`\`\`\n\n- ${text}\n\n| a |\n| - |\n| ${text} |\n\n## ${text}\n`;
  tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: fence } });
  tell({ sessionUpdate: 'agent_thought_chunk', content: block });
  const kinds = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'fetch', 'think', 'other'];
  for (const kind of kinds) {
    for (const status of ['in_progress', 'completed', 'failed']) {
      tell({
        sessionUpdate: 'tool_call',
        toolCallId: `${kind} ${status}`,
        title: `Read ${text}`,
        kind,
        status,
        content: [
          { type: 'content', content: block },
          { type: 'content', content: { type: 'text', text: `\`\`\`\n${text}\n\`\`\`` } },
          {
            type: 'content',
            content: {
              type: 'resource_link',
              uri: 'file:///work/a',
              name: text,
              description: text,
            },
          },
          { type: 'content', content: { type: 'resource', resource: { uri: 'a://b', text } } },
        ],
        rawInput: { of: 'no interest' },
        rawOutput: { output: text, nested: [text] },
      });
    }
  }
  tell({
    sessionUpdate: 'tool_call',
    toolCallId: 'terminal',
    title: text,
    kind: 'execute',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId: 't' }],
    _meta: {
      terminal_info: { terminal_id: 't' },
      terminal_output: { terminal_id: 't', data: text },
    },
  });
  const entries = ['completed', 'in_progress', 'pending'].map(status => ({
    content: text,
    priority: 'high',
    status,
  }));
  tell({ sessionUpdate: 'plan', entries });
  tell({ sessionUpdate: 'session_info_update', title: text });
  tell({
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: 'go', description: text }],
  });
  apply(noticeOf(environment, 'error', text, text), noticeOf(environment, 'info', text));
  apply({
    type: 'elicitationRequested',
    elicitation: {
      id: 'question',
      message: 'A question',
      requestedAt: T0,
      ...formOf({
        type: 'object',
        title: text,
        properties: {
          one: { type: 'string', title: text, description: text },
          two: { type: 'string', enum: [text, 'b'] },
        },
      }),
    },
  });
  return state;
}

async function show(panel: Panel, state: SessionState): Promise<void> {
  await panel.panelState(stateNamed('streaming').panel);
  await panel.snapshot(state, T0 + 42_000);
  // What is folded is made when it is opened.
  for (let depth = 0; depth < 3; depth += 1) {
    await panel.page.evaluate(() => {
      for (const fold of document.querySelectorAll('details:not([open]) > summary'))
        (fold as HTMLElement).click();
      for (const turner of document.querySelectorAll('button[aria-expanded="false"].turner'))
        (turner as HTMLElement).click();
    });
    await panel.painted();
  }
}

/** All that can be read or heard on the page. */
function readable(panel: Panel): Promise<readonly string[]> {
  return panel.page.evaluate(() => {
    const texts = [document.body.textContent];
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['title', 'aria-label', 'aria-description', 'alt', 'placeholder']) {
        const value = element.getAttribute(name);
        if (value !== null) texts.push(value);
      }
    }
    return texts;
  });
}

for (const [name, sequence, remnant] of SEQUENCES) {
  test(`is nowhere shown raw: ${name}`, async () => {
    await withPanel({}, async panel => {
      await show(panel, everywhere(`before${sequence}behind`));
      await panel.page.locator('parley-markdown', { hasText: 'Prose before' }).first().waitFor();
      for (const text of await readable(panel)) {
        assert.doesNotMatch(text, /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
        const at = text.search(remnant);
        assert.ok(at < 0, `…${text.slice(Math.max(0, at - 80), at + 80)}…`);
      }
      assert.equal(await panel.page.locator('a[role="link"]').count(), 0);
    });
  });
}

test('the escape character as HTML writes it', async () => {
  await withPanel({}, async panel => {
    await show(panel, everywhere('before&#27;[31m&#x1B;]0;x&#27behind'));
    for (const text of await readable(panel)) assert.doesNotMatch(text, /[\x1b\x9b]/);
  });
});

test('a link to the web in the output of a command can be opened', async () => {
  await withPanel({}, async panel => {
    const link = '\x1b]8;;https://example.com/page\x1b\\the page\x1b]8;;\x1b\\';
    await show(panel, everywhere(link));
    const shown = panel.page.locator('pre.term a[role="link"]', { hasText: 'the page' }).first();
    await shown.click();
    assert.deepEqual(await panel.waitForIntent('openLink'), {
      type: 'openLink',
      href: 'https://example.com/page',
    });
  });
});

test('a request shows what cannot be seen', async () => {
  await withPanel({}, async panel => {
    const text = 'ls\x1b]0;rm -rf ~\x07 -l';
    const translator = new Translator(new Contents(), environment);
    let state = [...connected(), ...asked()].reduce(
      reduce,
      initialSession({ chatId: 'chat-1', agentName: AGENT, cwd: '/work/parcel-api', at: T0 }),
    );
    const call = { toolCallId: 'call', title: text, kind: 'execute', rawInput: { command: text } };
    state = translator
      .toolCall(state, call as unknown as schema.ToolCallUpdate, 'asked')
      .reduce(reduce, state);
    state = reduce(state, {
      type: 'permissionRequested',
      request: {
        id: 'request',
        toolCallId: 'call',
        title: text,
        options: [{ optionId: 'no', name: 'Reject', kind: 'reject_once' }],
        requestedAt: T0,
      },
    });
    await show(panel, state);
    const ask = panel.page.locator('.ask').first();
    await ask.waitFor();
    const seen = (await ask.textContent()) ?? '';
    assert.match(seen, /U\+001B.*rm -rf ~/s);
    for (const shown of await readable(panel)) {
      assert.doesNotMatch(shown, /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
    }
  });
});
