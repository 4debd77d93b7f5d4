import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../src/acp/schema/schema';
import type { Attachment } from '../../../src/session/state/state';
import {
  inTurn,
  only,
  text,
  update,
  type ConformanceCase,
  type ConformanceGroup,
} from '../conformanceCase';
import { kindsOf } from '../enumerate';

const BLOCKS: Readonly<Record<string, ContentBlock>> = {
  text: { type: 'text', text: 'Hello' },
  image: { type: 'image', data: 'AAAA', mimeType: 'image/png', uri: 'file:///w/a.png' },
  audio: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  resource_link: {
    type: 'resource_link',
    uri: 'file:///w/a.ts',
    name: 'a.ts',
    title: 'A',
    description: 'The first',
    mimeType: 'text/x',
    size: 3,
  },
  resource: {
    type: 'resource',
    resource: { uri: 'file:///w/a.ts', text: 'let a', mimeType: 'text/x' },
  },
};

const annotations = { audience: ['user' as const], lastModified: '2026-01-31', priority: 0.5 };

const shown = (name: string, does: string, view: object): ConformanceCase =>
  inTurn(
    name,
    does,
    [update('agent_message_chunk', { content: { ...BLOCKS[name], annotations } })],
    state => assert.deepEqual(only(state, 'content').block, { ...view, annotations }),
  );

export const replies: ConformanceGroup = {
  title: 'Content in replies',
  all: kindsOf('ContentBlock'),
  cases: [
    inTurn(
      'text',
      'Markdown; what is meant for the model only is shown as a thought.',
      [
        update('agent_message_chunk', { content: text('Hello') }),
        update('agent_message_chunk', {
          content: { ...text('psst'), annotations: { audience: ['assistant'] } },
        }),
      ],
      state => {
        assert.equal(only(state, 'text').text, 'Hello');
        assert.equal(only(state, 'thought').text, 'psst');
      },
    ),
    shown('image', 'The image itself, if it is not larger than 1.5 MB.', {
      kind: 'image',
      mimeType: 'image/png',
      data: 'AAAA',
      uri: 'file:///w/a.png',
      bytes: 3,
    }),
    shown('audio', 'The sound, with its type and size.', {
      kind: 'audio',
      mimeType: 'audio/wav',
      data: 'AAAA',
      bytes: 3,
    }),
    shown('resource_link', 'A link with name, title, description and size.', {
      kind: 'link',
      uri: 'file:///w/a.ts',
      name: 'a.ts',
      title: 'A',
      description: 'The first',
      mimeType: 'text/x',
      bytes: 3,
    }),
    shown('resource', 'The text, folded; of other resources address, type and size.', {
      kind: 'resource',
      uri: 'file:///w/a.ts',
      mimeType: 'text/x',
      text: { text: 'let a', truncated: false },
    }),
  ],
};

const attachment: Attachment = { id: 'x', kind: 'file', label: 'x', title: 'x' };

const sent = (name: string, does: string): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const block = BLOCKS[name] as ContentBlock;
    const chat = await it.chat(
      { capabilities: { promptCapabilities: { image: true, audio: true, embeddedContext: true } } },
      { attachments: { resolve: () => Promise.resolve([block]) } },
    );
    chat.chat.controller.attach(attachment);
    await chat.run([]);
    assert.deepEqual(it.calls('session/prompt'), [
      { sessionId: 's1', prompt: [{ type: 'text', text: '[]' }, block] },
    ]);
  },
});

export const prompts: ConformanceGroup = {
  title: 'Content in prompts',
  all: kindsOf('ContentBlock'),
  cases: [
    sent('text', 'What was typed; also attachments for agents that take no embedded context.'),
    sent('image', 'Pasted or chosen images, if the agent takes images.'),
    sent('audio', 'Chosen sound files, if the agent takes audio.'),
    sent('resource_link', 'Large files, and files for agents that take no embedded context.'),
    sent('resource', 'Selections and small files, if the agent takes embedded context.'),
  ],
};

const inTool = (
  name: string,
  does: string,
  content: object,
  check: (content: unknown) => void,
): ConformanceCase =>
  inTurn(
    name,
    does,
    [update('tool_call', { toolCallId: 't', title: 'T', kind: 'edit', content: [content] })],
    state => check(only(state, 'tool').content[0]),
  );

export const toolContents: ConformanceGroup = {
  title: 'Content of tool calls',
  all: kindsOf('ToolCallContent'),
  cases: [
    inTool(
      'content',
      'Any of the blocks above.',
      { type: 'content', content: text('Out') },
      content =>
        assert.deepEqual(content, {
          kind: 'block',
          block: { kind: 'text', text: { text: 'Out', truncated: false } },
        }),
    ),
    inTool(
      'diff',
      'The change in lines, and in the diff editor.',
      { type: 'diff', path: '/w/a.ts', oldText: 'a\n', newText: 'b\n' },
      content => {
        const { kind, diff } = content as { kind: string; diff: { added: number; path: string } };
        assert.deepEqual([kind, diff.added, diff.path], ['diff', 1, '/w/a.ts']);
      },
    ),
    inTool(
      'terminal',
      'The output of the command as it comes.',
      { type: 'terminal', terminalId: 'x' },
      content => assert.deepEqual(content, { kind: 'terminal', terminalId: 'x' }),
    ),
  ],
};
