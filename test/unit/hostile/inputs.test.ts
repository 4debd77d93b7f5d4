/** What agents, repositories and pages may send to do harm, a table for each kind: none acts. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { after, describe, test } from 'node:test';
import { parseAgents } from '../../../src/agents/definitions';
import { LineTail } from '../../../src/agents/process/lineTail';
import { visibleText } from '../../../src/base/visibleText';
import { isBelow } from '../../../src/git/isBelow';
import { FileError } from '../../../src/session/ports';
import { pathRisk } from '../../../src/session/requests/pathRisks';
import { readUnifiedDiff } from '../../../src/session/translate/edits/unifiedDiff';
import { parseIntent } from '../../../src/shared/intents';
import { parseLink } from '../../../src/shared/links';
import { refuseGitFolder, resolveInScope } from '../../../src/vscode/files/scopedPath';
import { temporaryFolder } from '../git/support';

let inputs = 0;
after(() => assert.ok(inputs >= 250, `only ${inputs} inputs`));

/** One test for each input. */
function each<T>(rows: readonly T[], check: (row: T) => void | Promise<void>): void {
  for (const row of rows) {
    inputs += 1;
    test(JSON.stringify(row)?.slice(0, 120) ?? String(row), async () => check(row));
  }
}

describe('URLs lead to the web, to a path, or nowhere', () => {
  const schemes = [
    'javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'command:workbench.action.terminal.new',
    'command:parley.allow?%5B%5D',
    'vscode://file/etc/passwd',
    'vscode-insiders://x',
    'vscode-webview://x/y',
    'vscode-resource:/etc/passwd',
    'blob:https://a/b',
    'about:blank',
    'chrome://settings',
    'ftp://host/file',
    'ssh://host',
    'git+ssh://host/x',
    'mailto:a@b',
    'tel:+123',
    'smb://host/share',
    'ms-msdt:/id',
    'search-ms:query=x',
    'ldap://host',
    'jar:file:///x!/y',
    'view-source:https://a',
    'file://host/share/x',
    'file://192.168.0.1/share',
    '//host/share',
    '\\\\host\\share\\x',
    '\\\\?\\UNC\\host\\share',
    '\\\\.\\pipe\\x',
  ];
  const spellings: readonly ((url: string) => string)[] = [
    url => url,
    url => ` \t${url}`,
    url => url.toUpperCase(),
    url => `${url.slice(0, 3)}\u0000\n${url.slice(3)}`,
  ];
  each(
    schemes.flatMap(url => spellings.map(spell => spell(url))),
    url => assert.deepEqual(parseLink(url), { kind: 'refused' }),
  );
});

describe('paths stay in the workspace', () => {
  const base = temporaryFolder();
  const root = path.join(base, 'root');
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(path.join(base, 'outside'));
  mkdirSync(path.join(base, 'root2'));
  writeFileSync(path.join(base, 'outside', 'secret'), '');
  symlinkSync(path.join(base, 'outside'), path.join(root, 'link'));
  symlinkSync('../..', path.join(root, 'src', 'up'));
  symlinkSync(path.join(root, 'b'), path.join(root, 'a'));
  symlinkSync(path.join(root, 'a'), path.join(root, 'b'));
  symlinkSync('/proc/self/root', path.join(root, 'proc'));
  symlinkSync('/nowhere/at/all', path.join(root, 'dangling'));
  const scope = { roots: [root] };
  each(
    [
      '/etc/passwd',
      '/etc/../etc/shadow',
      '/',
      '//etc/passwd',
      '/proc/self/environ',
      '/dev/tcp/host/80',
      `${root}/../outside/secret`,
      `${root}/src/../../outside/secret`,
      `${root}/src/./.././../outside/secret`,
      `${root}//..//outside//secret`,
      `${root}2/x`,
      `${base}/ROOT/x`,
      `${root}/link/secret`,
      `${root}/link/new/file`,
      `${root}/src/up/outside/secret`,
      `${root}/a/file`,
      `${root}/proc/etc/passwd`,
      `${root}/proc${base}/outside/secret`,
      `${root}/dangling`,
      `${root}/dangling/x`,
      `${root}/x\0.txt`,
      `${root}/../root2/\u202etxt`,
      'src/a.ts',
      './src/a.ts',
      '../outside/secret',
      '~/.ssh/id_rsa',
      'C:\\Windows\\win.ini',
      '\\\\?\\C:\\x',
      '\\\\host\\share\\x',
      '',
      '.',
      '..',
      'file:///etc/passwd',
    ],
    file => assert.rejects(resolveInScope(file, scope), FileError),
  );
  each(
    [
      `${root}/src/up/../outside`,
      `${root}/..%2foutside`,
      `${root}/%2e%2e/outside`,
      `${root}/..\u200b/outside`,
      `${root}/.. /outside`,
      `${root}/...//x`,
      `${root}/..env`,
      `${root}/\uff0e\uff0e/x`,
      `${root}/..\\outside`,
    ],
    async file => {
      const { real } = await resolveInScope(file, scope);
      assert.ok(isBelow(real, root), real);
    },
  );
  each(
    ['.git/config', '.git/hooks/pre-commit', '.GIT/config', 'sub/.git/config', 'sub/.Git/x'],
    async file => {
      const target = await resolveInScope(path.join(root, file), scope);
      assert.throws(() => refuseGitFolder(target), FileError);
    },
  );
});

describe('paths that run code or are elsewhere are said to be', () => {
  const place = { roots: ['/ws'], cwd: '/ws', home: '/home/u' };
  each(
    [
      '~/.bashrc',
      '$HOME/.profile',
      '/home/u/.ssh/authorized_keys',
      '.git/hooks/pre-commit',
      '.vscode/tasks.json',
      '.vscode/settings.json',
      '.vscode/launch.json',
      '.vscode/mcp.json',
      '.envrc',
      '.husky/pre-commit',
      'package.json',
      '.devcontainer/devcontainer.json',
      '.github/workflows/ci.yml',
      '/etc/crontab',
      '../other/x',
      '/ws/../x',
      '.VSCODE/TASKS.JSON',
      '.vscode\\tasks.json',
      './.vscode/./tasks.json',
      'a/../.vscode/tasks.json',
      'file:///etc/passwd',
      '\\\\host\\share\\x',
    ],
    file => {
      const { outside, runs } = pathRisk(file, place);
      assert.ok(outside || runs !== undefined);
    },
  );
});

describe('what is shown of a text has nothing in it that acts or hides', () => {
  const escapes = [
    '\u001b[31mred',
    '\u001b]0;title\u0007',
    '\u001b]8;;command:x\u001b\\link\u001b]8;;\u001b\\',
    '\u001b]52;c;cm0gLXJm\u0007',
    '\u001b]1337;File=:x\u0007',
    '\u001b[2J\u001b[H',
    '\u001b[?1049h',
    '\u001bP$q"p\u001b\\',
    '\u001b_payload\u001b\\',
    '\u001b^x\u001b\\',
    '\u009b31m',
    '\u009d0;x\u009c',
    '\u001b[6n',
    '\u001b[c',
    '\u001b[5i',
    '\u001bc',
    'rm -rf /\rls     ',
    'good\b\b\b\bevil',
    '\u0000hidden',
    '\u007f',
    '\u202egnp.exe',
    '\u2066x\u2069',
    '\u200b',
    'a\u200db',
    '\ufeffx',
    '\u00adx',
    '\u{e0041}\u{e0042}',
    '\u2028x',
    '\u2029x',
    '\u0085x',
  ];
  each(escapes, text => {
    assert.doesNotMatch(
      visibleText(text),
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff\u00ad]|[\u{e0000}-\u{e007f}]/u,
    );
  });
  each(
    escapes.filter(text => text.includes('\u001b[') || text.includes('\u001b]')),
    text => {
      const tail = new LineTail(1);
      tail.push(`x${text}`);
      assert.doesNotMatch(tail.toArray().join(), /\u001b/);
    },
  );
});

describe('messages of a page are intents, or nothing', () => {
  each<unknown>(
    [
      undefined,
      null,
      0,
      '',
      'stop',
      [],
      [{ type: 'stop' }],
      {},
      { type: '' },
      { type: 'eval', text: 'x' },
      { type: 'executeCommand', command: 'x' },
      { type: '__proto__' },
      { type: 'constructor' },
      { type: 'toString' },
      { type: 'hasOwnProperty' },
      { type: ['stop'] },
      { type: { toString: 'stop' } },
      { type: 'send' },
      { type: 'send', text: 1 },
      { type: 'send', text: { toString: 1 } },
      { type: 'send', text: null },
      { type: 'answerPermission', requestId: 'x' },
      { type: 'answerPermission', requestId: 'x', revision: '1', option: 0 },
      { type: 'answerPermission', requestId: 'x', revision: 1, option: 'allow' },
      { type: 'answerPermission', requestId: 1, revision: 1, option: 0 },
      { type: 'answerPermission', requestId: ['x'], revision: 1, option: 0 },
      { type: 'openLocation', toolCallId: 'x', index: '0' },
      { type: 'openLocation', toolCallId: {}, index: 0 },
      { type: 'openLink' },
      { type: 'openLink', href: ['javascript:x'] },
      { type: 'openDiff', ref: 7 },
      { type: 'setConfig', optionId: 'x', value: {} },
      { type: 'setConfig', optionId: 'x', value: ['a'] },
      { type: 'openChange', id: null },
      { type: 'notTheAgents', id: 4 },
      { type: 'restorePrompt' },
      { type: 'deleteChat', chatId: 1 },
      { type: 'attachImage', name: 'x', mimeType: 'y' },
      { type: 'signIn', methodId: undefined },
      { type: 'newChat', agentName: 3 },
    ],
    message => assert.equal(parseIntent(message), undefined),
  );
  each<unknown>(
    [
      { type: 'stop', command: 'rm' },
      { type: 'openLink', href: 'x', trusted: true },
      JSON.parse('{"type":"stop","__proto__":{"polluted":1}}'),
      { type: 'send', text: 'x', agentName: 'other', cwd: '/etc' },
    ],
    message => {
      const { type, href, text } = message as Record<string, unknown>;
      const rest = { ...(href !== undefined && { href }), ...(text !== undefined && { text }) };
      assert.deepEqual(parseIntent(message), { type, ...rest });
    },
  );
});

describe('settings that are none start nothing', () => {
  each<unknown>(
    [
      1,
      'x',
      [],
      { a: 1 },
      { a: null },
      { a: [] },
      { a: {} },
      { a: { command: 1 } },
      { a: { command: ['sh'] } },
      { a: { command: {} } },
      { a: { command: 'sh', args: 'x' } },
      { a: { command: 'sh', args: [{}] } },
      { a: { command: 'sh', args: [['x']] } },
      { a: { command: 'sh', env: 'x' } },
      { a: { command: 'sh', env: [] } },
      { a: { command: 'sh', cwd: 1 } },
      { a: { command: 'sh', url: 'wss://x' } },
      { a: { type: 'registry', command: 'x' } },
      { a: { url: 1 } },
      { a: { url: 'ftp://x' } },
      { a: { url: 'javascript:x' } },
      { a: { url: 'file:///x' } },
      { a: { url: 'nothing' } },
      { a: { url: 'wss://x', headers: 'x' } },
      { a: { url: 'wss://x', headers: [] } },
    ],
    setting => {
      const parsed = parseAgents(setting);
      assert.ok(parsed.every(({ kind }) => kind === 'unusable'));
    },
  );
});

describe('patches are read as a whole, or say that they are not', () => {
  const header = '--- a/x\n+++ b/x\n';
  each(
    [
      '',
      'nothing',
      header,
      `${header}@@ -1 +1 @@\n`,
      `${header}@@ -1,99999999 +1 @@\n-x\n+y\n`,
      `${header}@@ -x +y @@\n-x\n+y\n`,
      `${header}@@ -1 +1 @@\n-x\n+y\n!evil\n`,
      `${header}@@ -1 +1 @@\n-x\n+y\nrm -rf /\n`,
      '--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+x\n',
      'diff --git a/x b/y\nrename from x\n',
      'diff --git a/x b/x\nGIT binary patch\nliteral 10\nxxxx\n',
      'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n',
      'diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc/passwd\n',
      `${header}@@ -1 +1 @@\n-x\n+y\n\\ No newline\n\\ again\n\\ again\n`,
      `${header}@@ -4294967296 +4294967296 @@\n-x\n+y\n`,
      '*** Begin Patch\n*** Delete File: x\n',
    ],
    patch => {
      const { changes, complete, rest } = readUnifiedDiff(patch);
      const shown = changes.map(({ path: file, oldText, newText }) =>
        [file, oldText, newText].join(),
      );
      // Each line is in a change, is one of a patch's own, or is told as not understood.
      assert.ok(complete || rest !== '' || changes.length === 0, shown.join());
    },
  );
});
