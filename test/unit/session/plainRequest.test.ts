/** What a notification or a row may let a user allow: only what it shows whole, as it is. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  AskedCall,
  AskedFacts,
  PermissionRequest,
} from '../../../src/session/state/permission';
import { onceOption, plainCommand } from '../../../src/session/state/plainRequest';

const CWD = '/work';
const command = (line: string, more: object = {}) => ({ line, folder: CWD, ...more });

function request(
  facts: AskedFacts,
  asked: Partial<AskedCall> = {},
  more: Partial<PermissionRequest> = {},
): PermissionRequest {
  return {
    id: 'r',
    toolCallId: 'c',
    title: 'Run',
    requestedAt: 0,
    revision: 1,
    options: [],
    asked: { title: 'Run', toolKind: 'execute', content: [], locations: [], ...asked },
    facts,
    ...more,
  };
}

const text = { text: '{}', truncated: false };
const block = { kind: 'block', block: { kind: 'text', text } } as const;

describe('a request is answered in a line', () => {
  const WHOLE: readonly (readonly [string, PermissionRequest, string])[] = [
    ['a command', request({ command: command('npm test') }), 'npm test'],
    [
      'with its shell',
      request({ command: command('npm test', { shell: 'bash -lc' }) }),
      'bash -lc npm test',
    ],
    [
      'in its own terminal',
      request({ command: command('ls') }, { content: [{ kind: 'terminal', terminalId: 't' }] }),
      'ls',
    ],
  ];
  for (const [name, asked, line] of WHOLE) {
    test(`${name}`, () => assert.equal(plainCommand(asked, CWD), line));
  }

  const risk = { start: 0, end: 2, name: 'rm', kind: 'deletes' } as const;
  const NOT: readonly (readonly [string, PermissionRequest])[] = [
    ['that names no command', request({})],
    ['that is risky', request({ command: command('rm a'), risks: [risk] })],
    [
      'that is about files outside',
      request({ command: command('ls'), warnings: [{ path: '/etc', outside: true }] }),
    ],
    ['that has more to see', request({ command: command('ls'), restOfInput: text })],
    ['that shows a text beside it', request({ command: command('ls') }, { content: [block] })],
    ['in another folder', request({ command: command('ls', { folder: '/etc' }) })],
    ['that names places', request({ command: command('ls') }, { locations: [{ path: '/a' }] })],
    ['that its agent changed', request({ command: command('ls') }, {}, { changed: ['input'] })],
    [
      'that was something else before',
      request({ command: command('ls') }, {}, { before: request({ command: command('pwd') }) }),
    ],
    ['that is cut', request({ command: command('ls') }, { title: 'Go', cut: ['title'] })],
    ...(
      [
        ['of several lines', 'ls\nrm -rf .'],
        ['with a tab', 'ls\t-la'],
        ['with room to hide something', 'ls  && true'],
        ['that is long', `echo ${'a'.repeat(100)}`],
        ['that looks like a link', 'echo [a](command:b)'],
        ['that looks like an icon', 'echo $(trash)'],
        ['with hidden characters', 'ls \u202e-la'],
        ['with letters that look like others', 'cаt notes'],
        ['with an unusual blank', 'ls\u00a0-la'],
      ] as const
    ).map(([name, line]) => [name, request({ command: command(line) })] as const),
  ];
  for (const [name, asked] of NOT) {
    test(`but not one ${name}`, () => assert.equal(plainCommand(asked, CWD), undefined));
  }

  test('with an answer for this once that is the only one', () => {
    const option = (kind: PermissionRequest['options'][number]['kind']) => ({
      optionId: kind,
      name: kind,
      kind,
    });
    const both = [option('allow_always'), option('allow_once'), option('reject_once')];
    assert.equal(onceOption(both, 'allow'), 1);
    assert.equal(onceOption(both, 'reject'), 2);
    assert.equal(onceOption([...both, option('allow_once')], 'allow'), undefined);
    assert.equal(onceOption([option('allow_always')], 'allow'), undefined);
  });
});
