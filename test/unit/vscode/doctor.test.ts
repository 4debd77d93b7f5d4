import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { endLeftovers, findLeftovers } from '../../../src/agents/process/leftovers';
import { HOST_MARK, MARK_VARIABLE } from '../../../src/agents/process/processMark';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import { parseDoctorIntent } from '../../../src/shared/doctorPage';
import { checkAgent } from '../../../src/vscode/doctor/checkAgent';
import { checkMachine } from '../../../src/vscode/doctor/checkMachine';
import { doctorReport } from '../../../src/vscode/doctor/doctorReport';
import { eventually } from '../../workbench/eventually';
import { rig } from '../agents/support';

const processes = new ProcessTracker();

test('the machine: PATH, tools with versions, a proxy without its password', async t => {
  const bin = mkdtempSync(path.join(tmpdir(), 'parley-doctor-'));
  t.after(() => rmSync(bin, { recursive: true, force: true }));
  const program = (name: string, script: string) => {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  };
  const findings = (env: Record<string, string> = {}, remote?: string, proxySetting = '') =>
    checkMachine({
      env: { PATH: `${bin}${path.delimiter}/no/such/folder`, ...env },
      home: bin,
      processes,
      remote,
      proxySetting,
      appRoot: '/nowhere',
    });
  const titles = async (...args: Parameters<typeof findings>) => {
    const list = await findings(...args);
    for (const { level, title, fix } of list) assert.ok(level !== 'problem' || fix, title);
    return list.map(({ level, title }) => `${level}: ${title}`);
  };

  const bare = await titles();
  assert.ok(bare.some(line => /^ok: .*2 folders.*1 of which do not exist/.test(line)));
  assert.ok(bare.some(line => line.startsWith('problem: Node.js is not on the PATH')));
  assert.ok(bare.some(line => line.startsWith('note: uvx is not on the PATH')));
  assert.ok(
    bare.some(line => /^note: Commands of agents run without a pseudo-terminal/.test(line)),
  );
  program('node', 'echo v22.1.0');
  program('npx', 'exit 3');
  program('git', 'echo git version 2.40.1');
  const some = await titles({}, 'ssh-remote');
  assert.deepEqual(
    some.filter(line => /node|npx|git/.test(line)),
    ['ok: node v22.1.0', 'problem: npx does not run.', 'ok: git 2.40.1'],
  );
  assert.ok(some.some(line => /remote side \(ssh-remote\)/.test(line)));
  program('node', 'echo v16.0.0');
  const old = await titles();
  assert.ok(
    old.some(line => line.startsWith('problem: Node.js v16.0.0 is older')),
    old.join('\n'),
  );

  const proxied = await findings(
    { HTTPS_PROXY: 'http://me:word@proxy.test:1' },
    undefined,
    'http://a:b@c.test',
  );
  const { detail = '', fix } = proxied.find(({ title }) => title === 'A proxy is set.') ?? {};
  assert.equal(fix, 'proxySettings');
  assert.equal(detail, 'HTTPS_PROXY=http://•••@proxy.test:1\nhttp.proxy=http://•••@c.test');
  for (const [address, shown] of [
    ['http://host:1', 'http://host:1'],
    ['host:8080', 'host:8080'],
    ['user:pw@host:8080', '•••@host:8080'],
    ['http://u:p@ss@host', 'http://•••@host'],
    ['http://u:p/w@host', 'http://•••@host'],
    ['http://u:a://b@host', 'http://•••@host'],
    ['//u:pw@host', '•••@host'],
  ] as const) {
    const list = await findings({ https_proxy: address });
    assert.equal(list.at(-1)?.detail, `https_proxy=${shown}`);
  }
});

test('an agent that starts: its time, protocol, MCP and sign-in; nothing of it is left', async t => {
  const { host } = rig(t, 'good');
  const { signal } = new AbortController();
  const found = await checkAgent({ agent: host, detail: 'run me', now: () => Date.now(), signal });
  assert.match(found[0]?.title ?? '', /^It was ready after \d+\.\d s\.$/);
  assert.ok(found.some(({ title }) => title === 'It speaks version 1 of the protocol.'));
  assert.ok(found.every(({ level }) => level !== 'problem'));
  assert.equal(host.status.kind, 'stopped');
});

for (const name of ['exitsWithStderr', 'wrongVersion', 'refusesInitialize', 'junkAndExit']) {
  test(`an agent that does not: ${name}`, async t => {
    const { host } = rig(t, name);
    const { signal } = new AbortController();
    const [finding, ...more] = await checkAgent({
      agent: host,
      detail: 'run me',
      now: () => 0,
      signal,
    });
    assert.deepEqual([finding?.level, finding?.fix, more], ['problem', 'editAgents', []]);
    assert.match(finding?.detail ?? '', /^run me\n/);
  });
}

test(
  'what an extension host that is gone has left is found, and ended',
  { skip: process.platform !== 'linux' },
  async () => {
    const RUN = 'console.log(process.pid); setInterval(() => {}, 1000)';
    const start = (mark: string, script = 'exec "$NODE" -e "$RUN"') =>
      spawn('/bin/sh', ['-c', script], {
        env: { [MARK_VARIABLE]: mark, NODE: process.execPath, RUN },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    // No process has this id.
    const gone = HOST_MARK.replace(/^\d+/, '999999999');
    assert.match(gone, /^999999999@\d+ $/);
    // It has left its parent: what is below this process is of the window.
    const shell = start(`${gone}Gone`, '"$NODE" -e "$RUN" &');
    const [below, own] = [start(`${gone}Window`), start(`${HOST_MARK}Here`)];
    // In a container, say, where its host has that id; and of a version that did not tell them apart.
    const others = [start('999999999@1 Elsewhere'), start('999999999 Older')];
    const all = [below, own, ...others];
    try {
      const [said] = await Promise.all(
        [shell, ...all].map(async child => String((await once(child.stdout, 'data'))[0])),
      );
      const left = Number(said);
      const pids = () => findLeftovers().map(({ pid }) => pid);
      await eventually('its shell is gone', () => pids().includes(left));
      const found = findLeftovers().filter(({ pid }) => pid === left);
      assert.equal(found.length, 1);
      for (const { pid = 0 } of all) assert.ok(!pids().includes(pid));
      endLeftovers(found.map(entry => ({ ...entry, started: 'another time' })));
      assert.ok(pids().includes(left), 'another process with its id is left alone');
      endLeftovers(found);
      await eventually('it is gone', () => !pids().includes(left));
    } finally {
      for (const child of all) child.kill('SIGKILL');
    }
  },
);

test('the report has no name of the user', () => {
  const report = doctorReport(
    '1.0.0',
    [
      {
        title: 'Agent',
        findings: [
          { level: 'ok', title: 'node v22', detail: '/home/janedoe/bin/node\n/srv/janedoe/x' },
          { level: 'problem', title: 'Failed‮' },
        ],
      },
    ],
    '/home/janedoe',
  );
  assert.match(report, /^# Parley 1\.0\.0\n/);
  assert.match(report, /- ✔ node v22\n {6}~\/bin\/node\n {6}\/srv\/…\/x\n- ✘ Failed/);
  assert.ok(!report.includes('janedoe') && !report.includes('‮'));
});

test('the page can ask for what is known, and nothing else', () => {
  assert.deepEqual(parseDoctorIntent({ type: 'fix', fix: 'trust', more: 1 }), {
    type: 'fix',
    fix: 'trust',
  });
  for (const bad of [
    null,
    7,
    {},
    { type: 'x' },
    { type: 'fix' },
    { type: 'fix', fix: 'workbench.action.quit' },
  ]) {
    assert.equal(parseDoctorIntent(bad), undefined, JSON.stringify(bad));
  }
});
