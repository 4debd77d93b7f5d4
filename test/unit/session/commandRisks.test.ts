import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { riskyPieces } from '../../../src/session/requests/commandRisks';

const risks = (command: string): string[] =>
  riskyPieces(command).map(({ start, end, kind }) => `${kind}: ${command.slice(start, end)}`);

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
      assert.equal(riskyPieces(command)[0]?.name, name);
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
        for (const { start, end } of riskyPieces(command)) {
          assert.ok(start >= behind && end > start && end <= command.length);
          behind = end;
        }
      }),
      { numRuns: 5_000, seed: 17 },
    );
  });
});
