import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as esbuild from 'esbuild';
import { assertGone, FIXTURES, marked, processesWith } from './support';

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

for (const agent of ['good', 'stubborn', 'stubbornGrandchild']) {
  test(`when the extension host is killed, ${agent} is gone within two seconds`, async () => {
    const id = randomUUID();
    const host = spawn(process.execPath, [program, path.join(FIXTURES, `${agent}.mjs`)], {
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
