/** Two subagents at work: one that has looked around, and one that wants to write. */
import type { SessionAction } from '../../src/session/state/actions';
import { T0, TURN } from './story';

const AT = T0 + 5000;

function call(
  toolCallId: string,
  title: string,
  fields: Partial<Extract<SessionAction, { type: 'toolCallChanged' }>> = {},
): SessionAction {
  return {
    type: 'toolCallChanged',
    turnId: TURN,
    partId: `part-${toolCallId}`,
    toolCallId,
    announced: true,
    title,
    toolKind: 'think',
    status: 'running',
    at: AT,
    ...fields,
  };
}

function says(text: string, parentToolCallId: string): SessionAction {
  return {
    type: 'chunkReceived',
    stream: 'text',
    turnId: TURN,
    partId: `says-${parentToolCallId}`,
    parentToolCallId,
    text,
    at: AT,
  };
}

/** The input of a call that begins a subagent. */
const task = (description: string, prompt: string) => ({
  text: JSON.stringify({ description, prompt, subagent_type: 'general-purpose' }),
  truncated: false,
});

const read = (file: string): SessionAction =>
  call(`read-${file}`, `Read ${file}`, {
    toolKind: 'read',
    status: 'completed',
    parentToolCallId: 'explore',
    locations: [{ path: `/work/parcel-api/src/http/${file}` }],
  });

/** One has finished, the other runs. */
export function subagents(): SessionAction[] {
  return [
    call('explore', 'Find every place that reads Retry-After', {
      rawInput: task(
        'Find every place that reads Retry-After',
        'Which files read the header `Retry-After`? Name each with its line.',
      ),
    }),
    call('tests', 'Write a test for dates', {
      rawInput: task(
        'Write a test for dates',
        'Write a test in `retry.test.ts` for a `Retry-After` that is a date, and run it.',
      ),
    }),
    says('Two places ', 'explore'),
    says('I add a case to `retry.test.ts`.', 'tests'),
    says('read it.', 'explore'),
    read('client.ts'),
    read('retry.ts'),
    call('grep', 'Search Retry-After', {
      toolKind: 'search',
      status: 'completed',
      parentToolCallId: 'explore',
    }),
    call('explore', 'Find every place that reads Retry-After', {
      status: 'completed',
      content: [
        {
          kind: 'block',
          block: { kind: 'text', text: { text: 'client.ts and retry.ts.', truncated: false } },
        },
      ],
    }),
    call('run', 'npm test', { toolKind: 'execute', parentToolCallId: 'tests' }),
  ];
}

/** The second one wants to run a command. */
export function subagentAsks(): SessionAction[] {
  return [
    {
      type: 'permissionRequested',
      request: {
        id: 'ask-run',
        toolCallId: 'run',
        title: 'npm test',
        options: [
          { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
          { optionId: 'no', name: 'Reject', kind: 'reject_once' },
        ],
        requestedAt: AT,
      },
    },
  ];
}

/** What the page tells when that is allowed. */
export const ALLOWED = {
  type: 'answerPermission',
  requestId: 'ask-run',
  revision: 0,
  option: 0,
} as const;

/** The host says so. */
export function subagentAllowed(): SessionAction[] {
  return [{ type: 'permissionAnswered', requestId: 'ask-run', outcome: 'allowed', at: 1 }];
}

/** The second one has the work checked by one of its own. */
export function nestedSubagent(): SessionAction[] {
  return [
    call('check', 'Check the time zones', { parentToolCallId: 'tests' }),
    says('Both are UTC.', 'check'),
    call('zones', 'date -u', {
      toolKind: 'execute',
      status: 'completed',
      parentToolCallId: 'check',
    }),
  ];
}
