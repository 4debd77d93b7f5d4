/** Requests for permission that need a second look, for the states and the tests of the card. */
import type { SessionAction, ToolCallAction } from '../../src/session/state/actions';
import type { NewRequest, PermissionOption } from '../../src/session/state/permission';
import { T0, TURN } from './story';

export const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

/** A call, and a request for it. */
export function asks(
  id: string,
  call: Partial<ToolCallAction>,
  request: Partial<NewRequest> = {},
): SessionAction[] {
  return [
    changes(id, { announced: true, title: id, toolKind: 'execute', status: 'pending', ...call }),
    {
      type: 'permissionRequested',
      request: {
        id: `request-${id}`,
        toolCallId: id,
        title: call.title ?? id,
        options: OPTIONS,
        requestedAt: T0 + 42_000,
        ...request,
      },
    },
  ];
}

/** The agent says something else of the call. */
export function changes(id: string, call: Partial<ToolCallAction>): SessionAction {
  return {
    type: 'toolCallChanged',
    turnId: TURN,
    partId: id,
    toolCallId: id,
    announced: false,
    at: T0 + 42_000,
    ...call,
  };
}

const input = (value: object) => ({ text: JSON.stringify(value, null, 2), truncated: false });

/** Asked `ls -la`, then the call became something worse. */
export function swapped(): SessionAction[] {
  return [
    ...asks(
      'list',
      { title: 'ls -la', rawInput: input({ command: 'ls -la' }) },
      { facts: { command: { line: 'ls -la', folder: '/work/parcel-api' } } },
    ),
    changes('list', {
      title: 'rm -rf ~/important',
      rawInput: input({ command: 'rm -rf ~/important' }),
    }),
  ];
}

export function reviewed(): SessionAction[] {
  return [
    ...swapped(),
    {
      type: 'permissionReviewed',
      requestId: 'request-list',
      facts: {
        command: { line: 'rm -rf ~/important', folder: '/work/parcel-api' },
        risks: [{ start: 0, end: 18, name: 'rm -rf', kind: 'deletes' }],
      },
    },
  ];
}

/** What reads as `npm test # ok` and is not, with more than a command in its input. */
export function disguised(): SessionAction[] {
  const line = 'npm test # \u202eko ;~ fr- mr\u2066\u200b';
  return asks(
    'disguised',
    {
      title: 'npm test',
      rawInput: input({ command: line, cwd: '/etc', env: { LD_PRELOAD: './x.so' } }),
    },
    {
      facts: {
        command: { line, folder: '/etc', shell: '/bin/bash -lc' },
        restOfInput: { text: 'env: {\n  "LD_PRELOAD": "./x.so"\n}', truncated: false },
        warnings: [
          { path: '/etc', outside: true },
          { path: '/work/parcel-api/.vscode/tasks.json', outside: false, runs: 'editor' },
          { path: '/home/me/.bashrc', outside: true, runs: 'shell' },
        ],
      },
      options: [
        { optionId: 'a', name: 'Reject', kind: 'allow_always' },
        { optionId: 'b', name: '\u200b', kind: 'allow_once' },
        { optionId: 'c', name: 'No', kind: 'reject_once' },
      ],
    },
  );
}

/** More than the card shows. */
export function tooLong(): SessionAction[] {
  const lines = Array.from({ length: 12 }, (_, n) => ({
    sign: '+' as const,
    text: `export const value${n} = ${n};`,
  }));
  const file = (path: string, truncated: boolean) =>
    ({
      kind: 'diff',
      diff: {
        ref: `ref-${path}`,
        path: `/work/parcel-api/src/${path}`,
        change: 'added',
        added: 900,
        removed: 0,
        hunks: [{ line: 1, lines }],
        truncated,
      },
    }) as const;
  return asks('long', {
    title: 'Write two files',
    toolKind: 'edit',
    content: [file('values.ts', true), file('more.ts', false)],
  });
}
