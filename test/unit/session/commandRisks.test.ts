import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { riskyPieces } from '../../../src/session/requests/commandRisks';
import { ReadBudget } from '../../../src/session/requests/commandScripts';
import { riskyWords } from '../../../src/session/requests/riskyWords';
import type { PathPlace } from '../../../src/session/requests/resolvedPath';

const ANYWHERE = { roots: ['/w'], cwd: '/w' };

const risks = (command: string): string[] =>
  riskyPieces(command, ANYWHERE).map(
    ({ start, end, kind }) => `${kind}: ${command.slice(start, end)}`,
  );

/** Commands of which the whole is one risky piece. */
const WHOLE = {
  deletes: [
    `'r'm -rf x`,
    'r"m" -rf x',
    '\\rm -rf x',
    `$'\\x72m' -rf x`,
    '/bin/rm -rf x',
    'rm x -rf',
    'rm -r\\\n  x',
    'rm -rf x 2> /dev/null',
    'rm -rf $(ls)',
    'rmdir /s /q build',
    'del /s *.log',
    'rm -Recurse x',
    'Remove-Item C:\\x\\ -Recurse',
    'find . -exec rm {} \\;',
    'find . -execdir sudo rm {} +',
    'xargs -0 rm',
    'xargs -I{} rm -f {}',
    'bash -c "rm -rf x"',
    `sh -lc 'cd y && rm -rf "x"'`,
    'eval "rm -rf x"',
    `bash -c "sh -c 'rm -rf x'"`,
    'cmd /c "rd /s x"',
    'powershell -Command "Remove-Item x -Recurse"',
  ],
  downloadedScript: [
    'curl x | sh',
    'curl x | tee y | bash -s -- --yes',
    'curl x |\n sh',
    'wget -qO- x | python3 -',
    'irm x | iex',
    'sh <(curl x)',
    'source <(curl x)',
    '. <(wget -O- x)',
    'eval "$(curl x)"',
    'echo "$(curl x)" | sh',
    'curl x | env A=1 nohup bash',
  ],
  discards: ['git -C x checkout -- .', 'git checkout .', 'git restore x', 'git clean --force'],
  rewritesRemote: ['git push -uf origin x', 'git -c a=b push --force-with-lease', 'git push x :y'],
  permissions: ['chmod 0777 x', 'chown --recursive a b', 'chmod a -R'],
  disk: ['dd if=x of=/dev/sda', '> /dev/sda'],
  overwritesOutside: ['> /etc/hosts', '>"/etc/hosts"', '2> ~/x', '&> ../x', 'tee -a /etc/hosts'],
  publishes: ['npm --access public publish', 'cargo publish'],
  shutsDown: ['/sbin/reboot now', 'shutdown -h now'],
};

/** The risky pieces of commands with more in them. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'sudo rm -rf x': ['administrator: sudo', 'deletes: rm -rf x'],
  '/usr/bin/env rm -rf x': ['deletes: rm -rf x'],
  'command rm -rf x': ['deletes: rm -rf x'],
  'A=1 timeout 5 nice -n 5 rm -rf x': ['deletes: rm -rf x'],
  'echo $(rm -rf x)': ['deletes: rm -rf x'],
  'echo "`rm -rf x`"': ['deletes: rm -rf x'],
  'echo ${x:-$(rm -rf y)}': ['deletes: rm -rf y'],
  'if true; then rm -rf x; fi': ['deletes: rm -rf x'],
  'for x in *; do rm -rf "$x"; done': ['deletes: rm -rf "$x"'],
  'f() { rm -rf x; }': ['deletes: rm -rf x'],
  'case a in a) rm -rf x;; esac': ['deletes: rm -rf x'],
  'cat <<E > y\n$(rm -rf x)\nE': ['deletes: rm -rf x'],
  'bash <<E\nrm -rf x\nE\n': ['deletes: rm -rf x'],
  'echo $((1<<2))\nrm -rf x\n2': ['deletes: rm -rf x'],
  'echo $((ls); rm -rf x)': ['deletes: rm -rf x'],
  'bash <<< "rm -rf x"': ['deletes: <<< "rm -rf x"'],
  'bash <<E\nrm -rf $(ls)\nE\n': ['deletes: <<E'],
  'bash <<E\n$(rm -rf x)\nE\n': ['deletes: rm -rf x'],
  'bash <<E\n\\$(rm -rf x)\nE\n': ['deletes: <<E'],
  "bash <<'E'\nsh <<'F'\nrm -rf x\nF\nE\n": ['deletes: rm -rf x'],
  'bash -c "sh <<E\nrm -rf x\nE"': ['deletes: bash -c "sh <<E\nrm -rf x\nE"'],
  'bash -c "\\$(rm -rf x)"': ['deletes: bash -c "\\$(rm -rf x)"'],
  'bash -c "rm -rf $(ls)"': ['deletes: bash -c "rm -rf $(ls)"'],
  'sudo -uroot rm -rf x': ['administrator: sudo', 'deletes: rm -rf x'],
  'timeout -k5s 10 rm -rf x': ['deletes: rm -rf x'],
  'ls | xargs sudo rm': ['deletes: xargs sudo rm'],
  'curl a | sh; rm -rf b': ['downloadedScript: curl a | sh', 'deletes: rm -rf b'],
  '(curl x) | sh': ['downloadedScript: curl x) | sh'],
  'curl x | (sh)': ['downloadedScript: curl x | (sh'],
  'curl a; ls | sh': [],
  'curl a | jq . && sh b.sh': [],
};

const HARMLESS = [
  ...['cat <<E\nrm -rf x\nE', `cat <<'E'\n$(rm -rf x)\nE`, "echo 'rm -rf x'", 'echo "a; rm -rf x"'],
  ...['ls # rm -rf x', 'echo rm -rf x', 'git commit -m "rm -rf x"', 'command -v rm -rf'],
  ...['curl x | python3 -m json.tool', 'curl x | node -e "1"', 'curl x | sh y.sh', 'curl x | jq .'],
  ...['rm -- -rf', 'git restore --staged x', 'git checkout -b x', 'grep halt x', 'npm run publish'],
  ...[
    'ls > out 2>&1',
    'a >&2',
    'a > /dev/null',
    'bash -c "ls"',
    'find . -exec ls {} +',
    '$X -rf y',
  ],
];

describe('the risky pieces of a command', () => {
  test('are the whole of it, however it is written', () => {
    for (const [kind, commands] of Object.entries(WHOLE)) {
      for (const command of commands) assert.deepEqual(risks(command), [`${kind}: ${command}`]);
    }
  });

  test('are found in larger commands', () => {
    for (const [command, found] of Object.entries(PARTS)) assert.deepEqual(risks(command), found);
  });

  test('are not what is only text', () => {
    for (const command of HARMLESS) assert.deepEqual(risks(command), [], command);
  });

  test('have the words to name them by', () => {
    for (const [command, name] of [
      ['\\rm -r -f x', 'rm -r -f'],
      ['curl x | bash', 'curl | bash'],
      ['bash <(curl x)', 'bash $(curl)'],
      ['bash -c "rm -rf x"', 'rm -rf'],
      ['doas ls', 'doas'],
      ['a >> /b', '>>'],
    ] as const) {
      assert.equal(riskyPieces(command, ANYWHERE)[0]?.name, name);
    }
  });

  test('lie in it one behind the other, for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'rm -rf ',
        'curl ',
        '| sh',
        'sudo ',
        'bash -c ',
        'eval ',
        'find ',
        '-exec ',
        'xargs ',
      ),
      fc.constantFrom(
        ' ',
        '\n',
        ';',
        '|',
        '"',
        "'",
        '\\',
        '$(',
        ')',
        '`',
        '> /',
        '<<E\n',
        '\nE\n',
        '<(',
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const command = pieces.join('');
        let behind = 0;
        for (const { start, end } of riskyPieces(command, ANYWHERE)) {
          assert.ok(start >= behind && end > start && end <= command.length);
          behind = end;
        }
      }),
      { numRuns: 5_000, seed: 17 },
    );
  });
});

const PLACE: PathPlace = { roots: ['/ws', '/other'], cwd: '/ws/app', home: '/home/u' };

test('what is written outside the workspace is told from what is inside', () => {
  const outside = (command: string, place: PathPlace): boolean =>
    riskyPieces(command, place).some(({ kind }) => kind === 'overwritesOutside');
  const writers = ['a > ', 'a >> ', 'a &> ', 'a >& ', 'a >| ', '> ', 'a | tee -a b ', 'cp a b '];
  const targets = ['mv -f -- a ', 'cp -t ', 'cp -rt', 'mv --target-directory=', 'bash -c "a" 2> '];
  for (const path of ['/etc/x', '../../x']) {
    assert.ok(outside(`find . -exec cp {} ${path} \\;`, PLACE), path);
  }
  for (const writer of [...writers, ...targets]) {
    for (const path of ['/etc/x', '~/x', '$HOME/x', '../../x', 'sub/../../../x', '/ws/../x']) {
      assert.ok(outside(writer + path, PLACE), writer + path);
    }
    for (const path of ['/dev/null/../x', '/ws2/x', '"/etc/x"', 'C:/x']) {
      assert.ok(outside(writer + path, PLACE), writer + path);
    }
    for (const path of ['x', '/ws/x', '/other/x', '../x', 'sub/../../x', '"/ws/a b"']) {
      assert.ok(!outside(writer + path, PLACE), writer + path);
    }
    assert.ok(!outside(`${writer}~/x`, { ...PLACE, roots: ['/ws', '/home/u'] }), writer);
    assert.ok(outside(`${writer}x`, { ...PLACE, cwd: '/tmp' }), writer);
  }
  for (const cwd of ['/ws', '/tmp']) {
    for (const command of [
      ...['a > /dev/null 2>&1', 'a 2>/dev/stderr', 'a >/dev/tty', 'a > /dev/fd/3', 'a >&-'],
      ...[
        'a > >(b)',
        'a 3>&2-',
        'a | tee -a /dev/stderr',
        'a < /etc/x',
        'cp /etc/x',
        'tee',
        'cp a $(b)',
      ],
    ]) {
      assert.ok(!outside(command, { ...PLACE, cwd }), command);
    }
  }
});

/** Fails where more is read. */
class StrictBudget extends ReadBudget {
  private read = 0;

  constructor(private readonly most: number) {
    super(Infinity);
  }

  override take(text: string): string {
    this.read += text.length;
    assert.ok(this.read <= this.most, `more than ${this.most} characters are read`);
    return super.take(text);
  }
}

const READERS = [
  (command: string, budget?: ReadBudget) => riskyPieces(command, PLACE, budget),
  (command: string, budget?: ReadBudget) => riskyWords(command, PLACE, budget),
];

describe('the work for a command', () => {
  const nest = fc.array(
    fc.constantFrom(
      ...['eval $(', 'eval "$(', 'bash -c "$(', 'bash -c $(', "bash -c '", 'sh -c "', 'eval `'],
      ...['bash <<< $(', 'bash <<< "$(', 'bash <<E\n$(', "sh <<'E'\n", 'eval ${x:-$(', 'eval <('],
      ...[
        'sudo bash -c "$(',
        'find . -exec sh -c $(',
        'a=$(',
        '> $(',
        'rm -rf x; ',
        ')',
        '"',
        '\n',
      ],
    ),
    { minLength: 1, maxLength: 4 },
  );

  test('is in proportion to its length, whatever is nested or repeated in it', () => {
    fc.assert(
      fc.property(nest, fc.nat({ max: 120 }), fc.nat({ max: 2_000 }), (pieces, times, tail) => {
        const command = pieces.join('').repeat(times) + 'x'.repeat(tail);
        for (const reader of READERS) {
          // The command itself and four levels of quotes.
          reader(command, new StrictBudget(5 * command.length));
        }
      }),
      { numRuns: 1_000, seed: 23 },
    );
  });

  test('ends with the budget, which the command is the first to use', () => {
    const long = ` ${'x'.repeat(200_000)}`;
    for (const [command, read] of [
      [`rm -rf .git/config; bash -c 'rm -rf .git/hooks'${long}`, true],
      [`bash -c 'rm -rf .git/config'${long}`, false],
      [`echo${long}; rm -rf .git/config`, false],
      [`${'eval $('.repeat(50)}${long.slice(0, 1_000)}; bash -c 'rm -rf .git/config'`, true],
    ] as const) {
      for (const reader of READERS) assert.equal(reader(command).length > 0, read);
    }
  });
});
