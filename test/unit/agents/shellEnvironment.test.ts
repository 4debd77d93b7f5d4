import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import { ShellEnvironment } from '../../../src/agents/process/shellEnvironment';
import { assertGone, marked, recordingLogger } from './support';

/** A login bash whose HOME has this `.bash_profile`. */
function shellWith(t: TestContext, profile: string, options: { timeoutMs?: number } = {}) {
  const home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
  const id = randomUUID();
  writeFileSync(path.join(home, '.bash_profile'), profile);
  t.after(async () => {
    await assertGone(id);
    rmSync(home, { recursive: true });
  });
  const { logger, log } = recordingLogger();
  const base = {
    ...marked(id),
    HOME: home,
    PATH: '/usr/bin:/bin:/editor/only',
    SHLVL: '4',
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_PID: '12',
  };
  const environment = new ShellEnvironment({
    logger,
    processes: new ProcessTracker(),
    shell: '/bin/bash',
    base,
    ...options,
  });
  return { environment, log, home };
}

test('what a profile sets is found, line breaks and all', async t => {
  const { environment } = shellWith(
    t,
    'export PATH="$HOME/.nvm/bin:/usr/bin:/bin"\nexport LINES_OF=$\'one\\ntwo=2\'\n',
  );
  const env = await environment.get();
  const [first, ...rest] = (env['PATH'] ?? '').split(':');
  assert.match(first ?? '', /\.nvm\/bin$/);
  // What the editor had in addition is not lost.
  assert.deepEqual(rest, ['/usr/bin', '/bin', '/editor/only']);
  assert.equal(env['LINES_OF'], 'one\ntwo=2');
});

test('nothing of the asking or of the editor is left in it', async t => {
  const { environment } = shellWith(t, '');
  const env = await environment.get();
  for (const name of ['ELECTRON_RUN_AS_NODE', 'VSCODE_PID', 'VSCODE_RESOLVING_ENVIRONMENT', '_']) {
    assert.equal(env[name], undefined, name);
  }
  assert.equal(env['SHLVL'], '4');
  assert.equal(env['PWD'], undefined);
});

test('a noisy profile does no harm', async t => {
  const { environment } = shellWith(
    t,
    'echo "Welcome {\\"PATH\\": 1}"; printf "\\033[31mred"; echo oops >&2; export OK=yes; yes | head -c 200000\n',
  );
  assert.equal((await environment.get())['OK'], 'yes');
});

test('a profile may know that it is only asked', async t => {
  const { environment } = shellWith(
    t,
    '[ -n "$VSCODE_RESOLVING_ENVIRONMENT" ] && export QUICK=1 || sleep 100\n',
  );
  assert.equal((await environment.get())['QUICK'], '1');
});

test('a profile that hangs is given up, with all it started', async t => {
  const { environment, log } = shellWith(t, 'sleep 1000\n', { timeoutMs: 500 });
  const env = await environment.get();
  assert.equal(env['PATH'], '/usr/bin:/bin:/editor/only');
  assert.equal(env['ELECTRON_RUN_AS_NODE'], undefined);
  assert.ok(log.some(line => line.startsWith('warn') && line.includes('no answer in 0.5 s')));
});

test('a profile that prints without end is given up', async t => {
  const { environment, log } = shellWith(t, 'yes\n');
  await environment.get();
  assert.ok(log.some(line => line.includes('prints without end')));
});

test('a profile that exits, and a shell that is missing, leave the own environment', async t => {
  const { environment, log } = shellWith(t, 'exit 3\n');
  assert.equal((await environment.get())['PATH'], '/usr/bin:/bin:/editor/only');
  assert.ok(log.some(line => line.includes('ended with code 3')));
  const { logger } = recordingLogger();
  const missing = new ShellEnvironment({
    logger,
    processes: new ProcessTracker(),
    shell: '/no/such/shell',
    base: { PATH: '/bin' },
  });
  assert.deepEqual(await missing.get(), { PATH: '/bin' });
});

test('the shell is asked once, and again when asked to', async t => {
  const { environment, home } = shellWith(
    t,
    'echo x >> "$HOME/asked"; export N=$(wc -l < "$HOME/asked")\n',
  );
  const [a, b] = await Promise.all([environment.get(), environment.get()]);
  assert.equal(a, b);
  assert.ok(existsSync(path.join(home, 'asked')));
  assert.equal(a['N'], '1');
  assert.equal((await environment.get(true))['N'], '2');
  assert.equal((await environment.get())['N'], '2');
});

for (const shell of ['/bin/sh', '/bin/zsh', '/usr/bin/fish', '/bin/tcsh']) {
  test(`${shell} is understood`, { skip: !existsSync(shell) && 'not installed' }, async () => {
    const { logger, log } = recordingLogger();
    const environment = new ShellEnvironment({
      logger,
      processes: new ProcessTracker(),
      shell,
      base: { PATH: '/usr/bin:/bin', HOME: tmpdir(), MARK: "it's" },
    });
    assert.equal((await environment.get())['MARK'], "it's");
    assert.deepEqual(
      log.filter(line => line.startsWith('warn')),
      [],
    );
  });
}
