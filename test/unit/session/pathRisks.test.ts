import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { pathRisk } from '../../../src/session/requests/pathRisks';
import { riskyWords } from '../../../src/session/requests/riskyWords';
import type { PathPlace } from '../../../src/session/requests/resolvedPath';
import { RUNS_CODE } from '../../../src/session/requests/runsCode';
import type { RunsCode } from '../../../src/session/state/permission';

const POSIX: PathPlace = { roots: ['/ws', '/other/'], cwd: '/ws/app', home: '/home/u' };
const DRIVE: PathPlace = { roots: ['C:\\ws'], cwd: 'c:\\ws\\app', home: 'C:\\Users\\u' };
const SHARE: PathPlace = { roots: ['\\\\server\\share\\ws'], cwd: '\\\\server\\share\\ws' };

const PLACES: readonly (readonly [string, boolean, PathPlace])[] = [
  ['a.ts', false, POSIX],
  ['', false, POSIX],
  ['/ws', false, POSIX],
  ['/ws/', false, POSIX],
  ['//ws//a', false, POSIX],
  ['/ws/./b/../a', false, POSIX],
  ['/other/a', false, POSIX],
  ['..', false, POSIX],
  ['..env', false, POSIX],
  ['...', false, POSIX],
  ['../..', true, POSIX],
  ['../../ws/a', false, POSIX],
  ['../../../../../etc/x', true, POSIX],
  ['..\\..\\etc', true, POSIX],
  ['x/../../../etc', true, POSIX],
  ['.. /.. /etc', true, POSIX],
  ['/wsx', true, POSIX],
  ['/WS/a', true, POSIX],
  ['/ws\u200b/a', true, POSIX],
  ['/ws/a\u200b', false, POSIX],
  ['/w\u200bs/a', true, POSIX],
  ['~/a', true, POSIX],
  ['~', true, POSIX],
  ['~root/a', true, POSIX],
  ['$HOME/a', true, POSIX],
  ['~/a', false, { ...POSIX, roots: ['/home/u'] }],
  ['~/a', true, { roots: ['/ws'], cwd: '/ws' }],
  ['file:///ws/a', false, POSIX],
  ['file:///etc/a', true, POSIX],
  ['C:\\x', true, POSIX],
  ['\\\\server\\share', true, POSIX],
  ['/cafe\u0301/a', false, { roots: ['/caf\u00e9'], cwd: '/' }],
  ['C:\\ws\\a', false, DRIVE],
  ['c:/WS/a', false, DRIVE],
  ['\\\\?\\C:\\ws\\a', false, DRIVE],
  ['\\\\.\\c:\\ws\\a', false, DRIVE],
  ['file:///c:/ws/a', false, DRIVE],
  ['C:\\ws.\\a', true, DRIVE],
  ['D:\\ws\\a', true, DRIVE],
  ['a', false, DRIVE],
  ['..\\..\\x', true, DRIVE],
  ['C:\\ws\\.. \\x', true, DRIVE],
  ['/ws/a', true, DRIVE],
  ['\\\\server\\share\\ws\\a', false, SHARE],
  ['\\\\?\\UNC\\SERVER\\share\\ws\\a', false, SHARE],
  ['\\\\server\\share\\x', true, SHARE],
  ['\\\\server\\share\\ws\\a', true, DRIVE],
  ['a', true, { roots: [], cwd: '/ws' }],
];

test('what is outside', () => {
  for (const [path, outside, place] of PLACES) {
    assert.equal(pathRisk(path, place).outside, outside, `${JSON.stringify(path)} in ${place.cwd}`);
  }
});

const RUNS: Readonly<Record<Exclude<RunsCode, 'listed'>, readonly string[]>> = {
  editor: [
    '.vscode/tasks.json',
    '.vscode',
    'x/my.code-workspace',
    '.devcontainer/a/Dockerfile',
    '.idea/x',
    '~/.config/Code/User/settings.json',
    '~/.config/Code - Insiders/User/mcp.json',
    'eslint.config.mjs',
    '~/.vimrc',
  ],
  git: [
    '.git',
    '.git/config',
    '.git/hooks/pre-commit',
    '.gitmodules',
    'x/.gitattributes',
    '~/.gitconfig',
    '.husky/pre-push',
    '.pre-commit-config.yaml',
    'lefthook.yml',
  ],
  scripts: [
    'package.json',
    'packages/a/package.json',
    '.npmrc',
    'Makefile',
    'justfile',
    'pyproject.toml',
    'conftest.py',
    'build.gradle.kts',
    'gradle/wrapper/gradle-wrapper.properties',
    'build.rs',
    '.cargo/config.toml',
    'composer.json',
    'Directory.Build.props',
  ],
  ci: [
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    'azure-pipelines.yml',
    'azure-pipelines-x.yaml',
    '.circleci/config.yml',
  ],
  shell: [
    '~/.bashrc',
    '.envrc',
    '~/.zshrc',
    '~/.profile',
    '~/.config/fish/config.fish',
    '/etc/profile.d/x.sh',
    '/private/etc/zshrc',
    '~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1',
  ],
  ssh: ['~/.ssh/config', '/root/.ssh/authorized_keys', 'authorized_keys', '$HOME/.ssh/rc'],
  agents: [
    '.claude/settings.json',
    '.mcp.json',
    '.cursor/mcp.json',
    '.gemini/settings.json',
    '~/.codex/config.toml',
  ],
  startup: [
    '/etc/crontab',
    '/etc/cron.d/x',
    '~/.config/systemd/user/x.service',
    '~/Library/LaunchAgents/x.plist',
    '~/.config/autostart/x.desktop',
    '/etc/ld.so.preload',
    'C:\\Users\\u\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.bat',
  ],
};

const NOTHING = [
  ...[
    'src/main.ts',
    'README.md',
    'AGENTS.md',
    'CLAUDE.md',
    '.gitignore',
    '.env',
    'git/config',
    'x.git',
  ],
  ...[
    'package.jsonc',
    'my-package.json',
    '.github/ISSUE_TEMPLATE.md',
    'vscode/tasks.json',
    'etc/profile',
    'bashrc',
    'a.git/x',
  ],
];

/** The same file, spelled otherwise. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  path => path,
  path => path.toUpperCase().replace('$HOME', '$HOME'),
  path => path.replaceAll('/', '\\'),
  path => path.replaceAll('/', '//'),
  path => `${path}/`,
  path => `${path} `,
  path => `${path}.`,
  path => `${path}. .`,
  path => `${path}\u200b`,
  path => `${path}::$DATA`,
  path => path.replace(/([a-z])(?=[^/\\]*$)/i, '$1\u200d'),
  path => path.replace(/\/(?=[^/]+$)/, ' /'),
  path => path.replace(/\/(?=[^/]+$)/, '/x/../'),
  path => path.replace(/\/(?=[^/]+$)/, '/x/.. /'),
  path => path.replace(/s(?=[^/\\]*$)/, '\u017f'),
];

describe('what code is run from', () => {
  for (const [code, paths] of Object.entries(RUNS)) {
    test(code, () => {
      for (const path of paths) {
        for (const spell of SPELLINGS) {
          const given = spell(path);
          assert.equal(pathRisk(given, POSIX).runs, code, JSON.stringify(given));
        }
      }
    });
  }

  test('has one star a name at most: with two the work for a long name would be quadratic', () => {
    for (const pattern of Object.values(RUNS_CODE).flatMap(patterns => patterns.split(/\s+/))) {
      for (const name of pattern.replace(/\/\*\*$/, '').split('/')) {
        assert.ok(name.split('*').length <= 2, pattern);
      }
    }
  });

  test('is named where Windows and Git find it', () => {
    for (const path of [
      'C:\\ws\\.git\\config',
      'c:/ws/GIT~1/config',
      '\\\\?\\C:\\ws\\.git:x\\config',
    ]) {
      assert.equal(pathRisk(path, DRIVE).runs, 'git', path);
    }
  });

  test('is not what people and agents write all day', () => {
    for (const path of NOTHING) assert.equal(pathRisk(path, POSIX).runs, undefined, path);
  });
});

const name = fc.constantFrom(
  'a',
  '..',
  '.',
  '.git',
  'ws',
  '.vscode',
  'tasks.json',
  'package.json',
  ' ',
  'x.',
  '.. ',
  '~',
  '...',
  'C:',
  'é',
  '\u200b',
);
const path = fc
  .tuple(
    fc.constantFrom('', '/', '/ws/', '~/', 'C:\\', '\\\\?\\C:\\', '\\\\s\\x\\', '../'),
    fc.array(name, { maxLength: 6 }),
    fc.constantFrom('/', '\\'),
  )
  .map(([start, names, slash]) => start + names.join(slash));

describe('any path', () => {
  test('is judged the same with steps that lead nowhere', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('/ws/', '', '~/', '/', 'C:\\'),
        fc.array(
          name.filter(each => each !== '~' && each !== 'C:'),
          { minLength: 1, maxLength: 6 },
        ),
        fc.constantFrom('./', '/', 'x/../', 'x/y/../../', '.\\'),
        fc.nat({ max: 6 }),
        fc.constantFrom(POSIX, DRIVE),
        (start, names, step, at, place) => {
          const plain = start + names.join('/');
          const index = Math.min(at, names.length - 1);
          // At the very start of a relative path a slash would make it another one.
          fc.pre(step !== '/' || index > 0);
          const changed = names.map((each, i) => (i === index ? step + each : each));
          assert.deepEqual(pathRisk(start + changed.join('/'), place), pathRisk(plain, place));
        },
      ),
      { numRuns: 5_000, seed: 19 },
    );
  });

  test('is judged without an error', () => {
    fc.assert(
      fc.property(
        fc.oneof(path, fc.string()),
        fc.constantFrom(POSIX, DRIVE, SHARE),
        (given, place) => {
          assert.equal(typeof pathRisk(given, place).outside, 'boolean');
        },
      ),
      { numRuns: 5_000, seed: 19 },
    );
  });
});

test('files that a command names', () => {
  for (const [command, expected] of [
    ['echo x >> ~/.bashrc', ['~/.bashrc']],
    ['cp a "/ws/My Files/.envrc"; cat /ws/My\\ Files/.envrc', ['/ws/My Files/.envrc']],
    [`bash -c "echo x > '.git/hooks/pre commit'"`, ['.git/hooks/pre commit']],
    ['dd of=.vscode/tasks.json', ['.vscode/tasks.json']],
    ['tool --config=package.json', ['package.json']],
    ['F=$HOME/.ssh/config; tee "$HOME/.ssh/rc" < a', ['$HOME/.ssh/config', '$HOME/.ssh/rc']],
    ['echo $(cat .git/config)', ['.git/config']],
    ["'.g'it/config", ['.git/config']],
    ['git clone https://example.com/a.git && npm test', []],
    ['cat <<E\n.bashrc\nE', []],
    ['bash <<E\ncat .bashrc\nE', ['.bashrc']],
    [`bash -c 'bash -c "cat .bashrc"' <<< .bashrc`, ['.bashrc']],
    ['cat $(a b)/.bashrc', ['$()/.bashrc']],
  ] as const) {
    assert.deepEqual(
      riskyWords(command, POSIX).map(({ path }) => path),
      expected,
      command,
    );
  }
});
