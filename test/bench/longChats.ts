import type { SessionAction } from '../../src/session/state/actions';
import type { DiffLine } from '../../src/session/state/content';
import type { SessionState, ToolContent } from '../../src/session/state/state';
import { chatOf } from './page';

const READY: readonly SessionAction[] = [
  { type: 'sessionStarted', sessionId: 's' },
  { type: 'connectionChanged', connection: { kind: 'ready' } },
];

export const ENDED: SessionAction = {
  type: 'turnEnded',
  end: { reason: 'end_turn' },
  planPartId: 'plan',
  at: 1,
};

export function prompted(turnId: string): SessionAction {
  const prompt = { id: `prompt-${turnId}`, text: `Prompt of ${turnId}`, attachments: [] };
  return { type: 'turnStarted', turnId, prompt, at: 0 };
}

/** A chat in which one turn runs and has done these things. */
export function running(turnId: string, actions: readonly SessionAction[]): SessionState {
  return chatOf([...READY, prompted(turnId), ...actions]);
}

/** Actions of one step: a message, a tool call and its result. */
export const ACTIONS_OF_STEP = 4;

/** What an agent does in a long turn. */
export function steps(turnId: string, from: number, to: number): readonly SessionAction[] {
  return Array.from({ length: to - from }, (_, index) => step(turnId, from + index)).flat();
}

function step(turnId: string, n: number): readonly SessionAction[] {
  const [text, call] = [`${turnId}-text-${n}`, `${turnId}-call-${n}`];
  const chunk = { type: 'chunkReceived', stream: 'text', turnId, partId: text, at: n } as const;
  const tool = { type: 'toolCallChanged', turnId, partId: call, toolCallId: call, at: n } as const;
  return [
    { ...chunk, text: `Step ${n}: the header \`Retry-After\` is ` },
    { ...chunk, text: 'either seconds **or** a date, see src/http/retry.ts.' },
    { ...tool, announced: true, title: `Search for ${n}`, toolKind: 'search', status: 'running' },
    { ...tool, announced: false, status: 'completed', content: [block(`${n} results in 3 files`)] },
  ];
}

function block(text: string) {
  return {
    kind: 'block',
    block: { kind: 'text', text: { text, truncated: false } },
  } as const;
}

/** A chat of so many messages, prompts and answers, with tools, diffs and images. */
export function longChat(messages: number): SessionState {
  const actions: SessionAction[] = [...READY];
  for (let n = 0; n < messages / 2; n += 1) {
    const turnId = `turn-${n}`;
    actions.push(prompted(turnId), ...steps(turnId, 0, 2));
    if (n % 3 === 0) actions.push(tool(turnId, 'edit', 'edit', [diff(20)]));
    if (n % 20 === 0) actions.push(image(turnId, 0));
    actions.push(ENDED);
  }
  return chatOf(actions);
}

/** What is large by itself, by name, with a small one of its kind. */
export const LARGE: Readonly<Record<string, (isSmall: boolean) => readonly SessionAction[]>> = {
  'a diff of 20,000 lines': isSmall => [tool('large', 'e', 'edit', [diff(isSmall ? 20 : 20_000)])],
  'a result of 5 MB': isSmall => [
    tool('large', 'r', 'fetch', [block('A line of a result.\n'.repeat(isSmall ? 20 : 250_000))]),
  ],
  '200 images': isSmall => Array.from({ length: isSmall ? 1 : 200 }, (_, n) => image('large', n)),
};

/** Output of a command, so many bytes of it. */
export function output(bytes: number): SessionAction {
  const line = 'a line of output, with \u001b[32mgreen\u001b[0m in it\r\n';
  const data = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
  return { type: 'terminalOutput', terminalId: 't', data, at: 1 };
}

export const COMMAND: readonly SessionAction[] = [
  tool('large', 'run', 'execute', [{ kind: 'terminal', terminalId: 't' }], 'running'),
  { type: 'terminalStarted', terminalId: 't', command: 'make', cwd: '/w', owned: true, at: 0 },
];

function tool(
  turnId: string,
  name: string,
  toolKind: string,
  content: NonNullable<Extract<SessionAction, { type: 'toolCallChanged' }>['content']>,
  status: 'running' | 'completed' = 'completed',
): SessionAction {
  const toolCallId = `${turnId}-${name}`;
  const ids = { turnId, partId: toolCallId, toolCallId };
  return {
    type: 'toolCallChanged',
    ...ids,
    announced: true,
    title: name,
    toolKind,
    status,
    content,
    at: 1,
  };
}

function diff(lines: number): ToolContent {
  return {
    kind: 'diff',
    diff: {
      ref: 'diff',
      path: '/w/src/retry.ts',
      change: 'modified',
      added: lines / 2,
      removed: lines / 2,
      truncated: false,
      hunks: [
        {
          line: 1,
          lines: Array.from({ length: lines }, (_, n): DiffLine => ({
            sign: n % 2 === 0 ? '-' : '+',
            text: `  const at${n} = Date.parse(value);`,
          })),
        },
      ],
    },
  };
}

/** Sixteen by sixteen, gray. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAADklEQVR4nGNoQAMMQwEAAKdHP8GyVU4AAAAASUVORK5CYII=';

function image(turnId: string, n: number): SessionAction {
  const block = { kind: 'image', mimeType: 'image/png', data: PNG, bytes: 70 } as const;
  return { type: 'contentReceived', turnId, partId: `${turnId}-image-${n}`, block, at: 1 };
}
