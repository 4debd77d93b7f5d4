/** Rules as they are written: read from a setting, suggested for a request, and added to a list. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decide } from '../../../src/session/rules/decide';
import { readRules } from '../../../src/session/rules/readRules';
import { NO_RULES, type PermissionRule } from '../../../src/session/rules/rule';
import { subjectOf } from '../../../src/session/rules/subjectOf';
import { suggestRules } from '../../../src/session/rules/suggestRules';
import { withRules } from '../../../src/session/rules/withRules';
import type { AskedCall } from '../../../src/session/state/permission';
import { Contents } from '../../../src/session/translate/contents';

const PLACE = { roots: ['/ws'], cwd: '/ws/app', home: '/home/u' };
const subject = (asked: Partial<AskedCall> & { command?: string }) =>
  subjectOf(
    {
      ...{ title: 'Do it', toolKind: 'execute', content: [], locations: [] },
      ...(asked.command !== undefined && {
        rawInput: { text: JSON.stringify({ command: asked.command }), truncated: false },
      }),
      ...asked,
    },
    new Contents(),
    PLACE,
    path => [path],
  );
const suggested = (asked: Parameters<typeof subject>[0], decision: 'allow' | 'reject' = 'allow') =>
  suggestRules(subject(asked), decision, NO_RULES, PLACE).map(({ scope, rules }) => [scope, rules]);

describe('a setting', () => {
  const good = { command: 'npm test', decision: 'allow' } as const;
  const no = { path: '.env', decision: 'reject' } as const;

  test('that is no list, or has entries that are no rules, says so', () => {
    assert.equal(readRules('npm test'), undefined);
    assert.deepEqual(readRules(undefined), { rules: [], bad: [] });
    for (const bad of [
      null,
      'npm test',
      {},
      { command: 'npm test' },
      { command: 'npm test', decision: 'yes' },
      { comand: 'npm test', decision: 'allow' },
      { command: 7, decision: 'allow' },
      { command: '', decision: 'allow' },
      { decision: 'allow' },
    ]) {
      assert.deepEqual(readRules([bad]), { rules: [], bad: [1] }, JSON.stringify(bad));
    }
    assert.deepEqual(readRules([good, { decision: 'reject' }])?.bad, []);
  });

  test('allows nothing behind an entry that cannot be read', () => {
    const { rules, bad } = readRules([good, { typo: 1 }, good, no]) ?? {};
    assert.deepEqual(rules, [good, no]);
    assert.deepEqual(bad, [2]);
  });
});

describe('a suggestion', () => {
  test('for a command: in this folder, everywhere, with any arguments', () => {
    assert.deepEqual(suggested({ command: 'npm run test -- -x' }), [
      ['here', [{ command: 'npm run test -- -x', path: '/ws/**', decision: 'allow' }]],
      ['everywhere', [{ command: 'npm run test -- -x', decision: 'allow' }]],
      ['anyArguments', [{ command: 'npm run *', decision: 'allow' }]],
    ]);
  });

  test('that allows any arguments is none for what runs them', () => {
    for (const command of [
      ...['bash -c ls', 'sh x.sh', '/bin/zsh x', 'python3 x.py', 'python -m http.server'],
      ...['node x.mjs', 'ruby x', 'perl x', 'php x', 'deno run x', 'bun run -e x', 'npx x'],
      ...[
        'sudo ls',
        'env A=1 ls',
        'env',
        'xargs ls',
        'timeout 5 ls',
        'command ls',
        'npm t; node x',
      ],
    ]) {
      const scopes = suggested({ command }).map(([scope]) => scope);
      assert.deepEqual(scopes, ['here', 'everywhere'], command);
    }
    const scopes = suggested({ command: 'node x.mjs' }, 'reject').map(([scope]) => scope);
    assert.deepEqual(scopes, ['here', 'everywhere', 'anyArguments']);
  });

  test('for a list has a rule for each part, and for the file that it writes', () => {
    assert.deepEqual(suggested({ command: 'npm test && npm test | tee x > log.txt' })[1], [
      'everywhere',
      [
        { command: 'npm test', decision: 'allow' },
        { command: 'tee x', decision: 'allow' },
        { kind: 'edit', path: 'app/log.txt', decision: 'allow' },
      ],
    ]);
  });

  test('for a file: it, its folder, its kind', () => {
    assert.deepEqual(suggested({ toolKind: 'edit', locations: [{ path: '/ws/src/a.ts' }] }), [
      ['file', [{ kind: 'edit', path: 'src/a.ts', decision: 'allow' }]],
      ['folder', [{ kind: 'edit', path: 'src/**', decision: 'allow' }]],
      ['kind', [{ kind: 'edit', decision: 'allow' }]],
    ]);
    assert.deepEqual(suggested({ toolKind: 'edit', locations: [{ path: '/ws/package.json' }] }), [
      ['file', [{ kind: 'edit', path: 'package.json', decision: 'allow' }]],
    ]);
  });

  test('is none for what is not understood', () => {
    assert.deepEqual(suggested({ command: 'npm test "' }), []);
    assert.deepEqual(suggested({ command: '$X' }), []);
    assert.deepEqual(suggested({ cut: ['locations'] }), []);
  });

  test('whatever the command is, decides as it says, and an exact one allows nothing else', () => {
    const word = fc.constantFrom('npm', 'test', '*.o', "'a b'", '$X', '>', 'x', '|', '&&', '-rf');
    const line = fc.array(word, { minLength: 1, maxLength: 6 }).map(words => words.join(' '));
    const decision = fc.constantFrom('allow', 'reject');
    fc.assert(
      fc.property(line, line, decision, (command, other, wanted) => {
        for (const { scope, rules } of suggestRules(
          subject({ command }),
          wanted,
          NO_RULES,
          PLACE,
        )) {
          const made = (text: string) =>
            decide(subject({ command: text }), { ...NO_RULES, user: rules }, PLACE).decision;
          assert.equal(made(command), wanted);
          if (wanted === 'reject' || scope === 'anyArguments') continue;
          assert.equal(made(`${command} && evil`), 'ask');
          assert.equal(made(`evil ${other}`), 'ask');
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a rule that is added', () => {
  const rule = fc.record({
    command: fc.constantFrom('a', 'b', 'c'),
    decision: fc.constantFrom('allow', 'ask', 'reject'),
  }) as fc.Arbitrary<PermissionRule>;
  const list = fc.uniqueArray(rule, { maxLength: 6, selector: each => JSON.stringify(each) });

  test('leaves the others in their order, and is there once', () => {
    fc.assert(
      fc.property(list, list, list, (before, added, against) => {
        const after = withRules(before, added, against) as readonly PermissionRule[];
        const texts = before.map(each => JSON.stringify(each));
        const kept = after.map(each => JSON.stringify(each)).filter(each => texts.includes(each));
        assert.deepEqual(kept, texts);
        assert.equal(new Set(after.map(each => JSON.stringify(each))).size, after.length);
        for (const each of added)
          assert.ok(after.some(it => JSON.stringify(it) === JSON.stringify(each)));
      }),
    );
  });

  test('stands before those that are against it, and behind all that are not', () => {
    const secret = { path: '.env', decision: 'reject' } as const;
    const ask = { kind: 'edit', decision: 'ask' } as const;
    const allow = { path: 'src/**', decision: 'allow' } as const;
    assert.deepEqual(withRules([secret, ask], [allow], [ask]), [secret, allow, ask]);
    assert.deepEqual(withRules([secret], [allow]), [secret, allow]);
    assert.deepEqual(withRules([allow], [secret]), [secret, allow]);
    // What the user wrote is left as it is, whatever it is.
    assert.deepEqual(withRules(['odd', null], [allow]), ['odd', null, allow]);
  });
});
