import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as esbuild from 'esbuild';
import { eventually } from '../../workbench/eventually';
import { assertGone, browserIn, FIXTURES, killAllWith, marked, processesWith } from './support';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-guard-'));
const program = path.join(folder, 'host.cjs');

before(async () => {
  await esbuild.build({
    entryPoints: [path.join(import.meta.dirname, 'hostProgram.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: program,
    logLevel: 'warning',
  });
});
after(() => rmSync(folder, { recursive: true }));

for (const [agent, ...prompt] of [
  ['good'],
  ['stubborn'],
  ['stubbornGrandchild'],
  ['leavesDaemons', 'leave'],
] as const) {
  test(`when the extension host is killed, ${agent} is gone within two seconds`, async () => {
    const id = randomUUID();
    const fixture = path.join(FIXTURES, `${agent}.mjs`);
    const host = spawn(process.execPath, [program, fixture, ...prompt], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...marked(id) },
    });
    await once(host.stdout, 'data');
    assert.ok(processesWith(id).length >= 2);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await assertGone(id, 2000);
  });
}

test("when the extension host is killed, the user's browser lives on", async t => {
  const id = randomUUID();
  t.after(() => killAllWith(id));
  const fixture = path.join(FIXTURES, 'leavesDaemons.mjs');
  const host = spawn(process.execPath, [program, fixture, `open ${browserIn(folder)}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...marked(id) },
  });
  await once(host.stdout, 'data');
  const browsers = () =>
    processesWith(id).filter(pid => readlinkSync(`/proc/${pid}/exe`).endsWith('/firefox'));
  const before = browsers();
  assert.equal(before.length, 1);
  host.kill('SIGKILL');
  await once(host, 'exit');
  // The browser and its child, which may be made anew.
  await eventually('all else is gone', () => processesWith(id).length <= 2);
  assert.deepEqual(browsers(), before);
});

test('the guard runs only while there is something to guard, and lets the host end', async () => {
  const id = randomUUID();
  const host = spawn(process.execPath, [program, path.join(FIXTURES, 'exitsAfterInitialize.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...marked(id) },
  });
  const [code] = (await once(host, 'exit')) as [number];
  assert.equal(code, 0);
  await assertGone(id);
});
