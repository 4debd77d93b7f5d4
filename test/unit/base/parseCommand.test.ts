import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { invocationOf, scriptOf } from '../../../src/base/invocation';
import { parseCommand } from '../../../src/base/parseCommand';
import type { SimpleCommand } from '../../../src/base/shellCommand';

/** `before words… >target`, a `^` for each command that it stands in. */
function shown(command: SimpleCommand): string {
  let depth = '';
  for (let outer = command.within; outer; outer = outer.within) depth += '^';
  const { before, assignments, words, redirections } = command;
  const parts = [
    ...assignments.map(({ value }) => value),
    ...words.map(({ value }) => `[${value}]`),
    ...redirections.map(({ operator, target }) => `${operator}${target?.value ?? ''}`),
  ];
  return `${depth}${before.replace('\n', 'NL')} ${parts.join(' ')}`.trim();
}

const CASES: readonly (readonly [string, readonly string[], 'incomplete'?])[] = [
  ['', []],
  ['ls -la', ['[ls] [-la]']],
  [`'r'm "-r"f a\\ b`, ['[rm] [-rf] [a b]']],
  ['\\rm x', ['[rm] [x]']],
  [`$'\\x72\\155' $"a"`, ['[rm] [a]']],
  ['r\\\nm x', ['[rm] [x]']],
  ['echo "$HOME" *.js {a,b}', ['[echo] [$HOME] [*.js] [{a,b}]']],
  [`echo '$(a)' "\\$(b)"`, ['[echo] [$(a)] [$(b)]']],
  ['a && b || c; d & e | f |& g', ['[a]', '&& [b]', '|| [c]', '; [d]', '& [e]', '| [f]', '|& [g]']],
  ['a\n\nb |\n c', ['[a]', 'NL [b]', '| [c]']],
  ['a # b; c\nd', ['[a]', 'NL [d]']],
  ['a#b', ['[a#b]']],
  ['X=1 Y="2 3" env', ['X=1 Y=2 3 [env]']],
  [`'X=1' a`, ['[X=1] [a]']],
  [`'LONGER_NAME=1 2 3' a`, ['[LONGER_NAME=1 2 3] [a]']],
  ['a > b 2>&1 <c >>"d e" &>f >|g', ['[a] >b >&1 <c >>d e &>f >|g']],
  ['> x', ['>x']],
  ['a 12 >b', ['[a] [12] >b']],
  ['a <<< "b c"', ['[a] <<<b c']],
  ['echo $(b $(c)) `d`', ['[echo] [$()] [$()]', '^ [b] [$()]', '^^ [c]', '^ [d]']],
  ['echo "x $(b "y z")"', ['[echo] [x $()]', '^ [b] [y z]']],
  ['a <(b | c) >(d)', ['[a] [$()] [$()]', '^ [b]', '^| [c]', '^ [d]']],
  ['a > >(b)', ['[a] >$()', '^ [b]']],
  ['echo ${x:-$(b)}', ['[echo] [$()]', '^ [b]']],
  ['(a; b) | c', ['[a]', '; [b]', '| [c]']],
  ['a | (b)\nc', ['[a]', '| [b]', 'NL [c]']],
  ['{ a; } | b', ['[a]', '| [b]']],
  ['if a; then b; else c; fi; d', ['[a]', '; [b]', '; [c]', '; [d]']],
  ['for x in 1 2; do a "$x"; done', ['[for] [x] [in] [1] [2]', '; [a] [$x]']],
  ['a | while read x; do b; done', ['[a]', '| [read] [x]', '; [b]']],
  ['! a', ['[a]']],
  ['[[ a > b && c < d ]] && e', ['[[[] [a] [b] [c] [d] []]]', '&& [e]']],
  ['echo $((1 + x * 2))', ['[echo] [$((1 + x * 2))]']],
  ['a <<E b\n$(c) rm\nE\nd', ['[a] [b] <<E', '^ [c]', 'NL [d]']],
  [`a <<'E'\n$(c)\nE\nd`, ['[a] <<E', 'NL [d]']],
  ['a <<$(b)\nc\n$(b)\nd', ['[a] <<$()', '^ [b]', 'NL [d]']],
  ['a <<-E\n\tx\n\tE\nd', ['[a] <<-E', 'NL [d]']],
  ['a <<E | b\nx\nE', ['[a] <<E', '| [b]']],
  ['a\r\nb\r\n', ['[a]', 'NL [b]']],
  // What a shell may read in another way is said to be.
  [`a 'b`, ['[a] [b]'], 'incomplete'],
  ['a "b', ['[a] [b]'], 'incomplete'],
  ['a $(b', ['[a] [$()]', '^ [b]'], 'incomplete'],
  ['a ${b', ['[a] [${b]'], 'incomplete'],
  ['a `b', ['[a] [$()]', '^ [b]'], 'incomplete'],
  ['a (', ['[a]'], 'incomplete'],
  ['a ) b', ['[a]', '; [b]'], 'incomplete'],
  ['a >', ['[a] >'], 'incomplete'],
  ['a \\', ['[a] [\\]'], 'incomplete'],
  ['f() { a; }; f', ['[f]', '; [a]', '; [f]'], 'incomplete'],
  ['case x in y) a;; esac', ['[case] [x] [in] [y]', '; [a]'], 'incomplete'],
  ['a <<E\nb', ['[a] <<E'], 'incomplete'],
  ['a <<E', ['[a] <<E'], 'incomplete'],
  ['echo $((1<<2))\nrm x', ['[echo] [$()]', '^ [1] [2]', 'NL [rm] [x]'], 'incomplete'],
  ['echo $((a); rm x)', ['[echo] [$()]', '^ [a]', '^; [rm] [x]'], 'incomplete'],
  ['echo `a \\`b\\``', ['[echo] [$()]', '^ [a] [`b`]'], 'incomplete'],
  ["echo ${x:-'}'}", ["[echo] [${x:-'}}]"], 'incomplete'],
];

describe('a command is parsed', () => {
  for (const [text, expected, incomplete] of CASES) {
    test(JSON.stringify(text), () => {
      const { commands, complete } = parseCommand(text);
      assert.deepEqual(commands.map(shown), expected);
      assert.equal(complete, incomplete === undefined);
    });
  }

  test('with what a program reads of a here-document', () => {
    for (const [text, expected] of [
      ['a <<E\n$x \\$(b) \\"c\\" $(d e)\nE', '$x $(b) \\"c\\" $()\n'],
      [`a <<'E'\n$(b) \\$c\nE`, '$(b) \\$c\n'],
    ] as const) {
      assert.equal(parseCommand(text).commands[0]?.redirections[0]?.document?.value, expected);
    }
  });

  test('with the places of its parts', () => {
    const text = `x && a 'b c' 2> d <<E\nf\nE\n`;
    const [, command] = parseCommand(text).commands;
    const at = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    assert.ok(command);
    assert.equal(at(command), "a 'b c' 2> d <<E");
    assert.deepEqual(command.words.map(at), ['a', "'b c'"]);
    assert.deepEqual(command.redirections.map(at), ['2> d', '<<E']);
    assert.deepEqual(
      command.redirections.map(({ document }) => document && at(document)),
      [undefined, 'f\n'],
    );
  });
});

/** What a text consists of where a parser might get lost. */
const PIECES = [
  ...[
    'a',
    'rm',
    '1',
    ' ',
    '  ',
    '\n',
    '\t',
    '\r',
    "'",
    '"',
    '\\',
    '$',
    '`',
    '(',
    ')',
    '{',
    '}',
    '[[',
    ']]',
  ],
  ...[
    '<',
    '>',
    '&',
    '|',
    ';',
    '#',
    '=',
    '$(',
    '$((',
    '${',
    "$'",
    '<<E\n',
    '\nE\n',
    '<(',
    'case x in ',
    'if ',
    'é',
    '\ud800',
  ],
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })))
  .map(all => all.join(''));

/** Stands in for a string and counts the characters that are looked at. */
class CountedText {
  looks = 0;
  readonly length: number;

  constructor(private readonly text: string) {
    this.length = text.length;
  }

  charAt(at: number): string {
    this.looks += 1;
    return this.text.charAt(at);
  }

  slice(start: number, end: number): string {
    this.looks += Math.max(0, end - start);
    return this.text.slice(start, end);
  }

  startsWith(other: string, at: number): boolean {
    this.looks += other.length;
    return this.text.startsWith(other, at);
  }
}

function looksAt(text: string): number {
  const counted = new CountedText(text);
  parseCommand(counted as unknown as string);
  return counted.looks;
}

describe('any text', () => {
  test('is parsed without an error, into spans of it', () => {
    fc.assert(
      fc.property(text, given => {
        let behind = 0;
        for (const command of parseCommand(given).commands) {
          assert.ok(command.start >= 0 && command.start <= command.end);
          assert.ok(command.end <= given.length);
          for (const { start, end } of [...command.words, ...command.redirections]) {
            assert.ok(command.start <= start && start < end && end <= command.end);
          }
          if (!command.within) {
            assert.ok(command.start >= behind);
            behind = command.end;
          }
        }
      }),
      { numRuns: 5_000, seed: 13 },
    );
  });

  test('costs in proportion to its length, whatever repeats in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }),
        (opening, closing) => {
          const given = (times: number) =>
            opening.join('').repeat(times) + closing.join('').repeat(times);
          const once = looksAt(given(400));
          // With twice the text quadratic work would be four times as much.
          assert.ok(looksAt(given(800)) <= 2.5 * once + 5_000);
        },
      ),
      { numRuns: 400, seed: 13 },
    );
  });

  test('stands in the values of all words once at most', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 60 }), (given, times) => {
        const whole = given.repeat(times);
        const words = parseCommand(whole).commands.flatMap(command => [
          ...command.assignments,
          ...command.words,
          ...command.redirections.flatMap(({ target }) => target ?? []),
        ]);
        const length = words.reduce((sum, { value }) => sum + value.length, 0);
        // A substitution without an end, or of one character, is shorter than what stands for it.
        assert.ok(length <= 2 * whole.length + 3, `${length} of ${whole.length}`);
      }),
      { numRuns: 2_000, seed: 13 },
    );
  });

  test('shows every command of a list', () => {
    const name = fc.stringMatching(/^[b-z]{9}$/);
    fc.assert(
      fc.property(
        fc.array(name),
        fc.constantFrom(';', '\n', '&&', '|', ' || ', '&'),
        (all, operator) => {
          const { commands, complete } = parseCommand(all.join(operator));
          assert.deepEqual(
            commands.map(({ words }) => words[0]?.value),
            all,
          );
          assert.ok(complete);
        },
      ),
      { seed: 13 },
    );
  });
});

test('what runs in the end is found behind what runs it', () => {
  for (const [given, expected] of [
    ['rm x', 'rm x'],
    ['/bin/rm x', '/bin/rm x'],
    ['sudo -u root -E rm x', 'rm x'],
    ['sudo -uroot rm x', 'rm x'],
    ['sudo -Euroot rm x', 'rm x'],
    ['sudo -Eu root rm x', 'rm x'],
    ['sudo -uu rm x', 'rm x'],
    ['sudo --user root rm x', 'rm x'],
    ['sudo --other-user=root --close-from 3 rm x', 'rm x'],
    ['env -uA -C/ rm x', 'rm x'],
    ['nice -n5 ionice -c2 -n 7 stdbuf -oL rm x', 'rm x'],
    ['timeout -k5s 10 rm x', 'rm x'],
    ['timeout -sks -k 5s 10 rm x', 'rm x'],
    ['xargs -I{} -P4 -0n1 rm {}', 'rm {}'],
    ['xargs --replace rm {}', 'rm {}'],
    ['exec -cla name rm x', 'rm x'],
    ['/usr/bin/env -i A=1 rm x', 'rm x'],
    ['command -- rm x', 'rm x'],
    ['command -v rm', 'command -v rm'],
    ['nice -n 5 timeout -k 1 10 nohup rm x', 'rm x'],
    ['xargs -0 -n 1 rm -f', 'rm -f'],
    ['exec -a name rm x', 'rm x'],
    ['sudo', 'sudo'],
    ['$CMD x', undefined],
    ['env $CMD x', undefined],
  ] as const) {
    const [command] = parseCommand(given).commands;
    const run = invocationOf(command?.words ?? []);
    assert.equal(run?.words.map(({ value }) => value).join(' '), expected, given);
  }
});

test('scripts in words are found', () => {
  for (const [given, expected] of [
    ['bash -c "a b"', 'a b'],
    ["sh -lc 'a'", 'a'],
    ['eval "a b" c', 'a b c'],
    ['cmd.exe /c "a"', 'a'],
    ['powershell -NoProfile -Command "a"', 'a'],
    ['bash a -x', undefined],
    ['grep -c a', undefined],
  ] as const) {
    const [command] = parseCommand(given).commands;
    const run = invocationOf(command?.words ?? []);
    assert.equal(run && scriptOf(run), expected, given);
  }
});
