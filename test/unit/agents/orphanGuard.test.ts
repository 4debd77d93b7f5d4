import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '../../workbench/eventually';
import { runningHost, startHost } from './builtHost';
import { assertGone, browserIn, killAllWith, processesWith } from './support';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-guard-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [agent, ...prompt] of [
  ['good'],
  ['stubborn'],
  ['stubbornGrandchild'],
  ['leavesDaemons', 'leave'],
] as const) {
  test(`when the extension host is killed, ${agent} is gone within two seconds`, async () => {
    const id = randomUUID();
    const host = await runningHost(id, agent, ...prompt);
    assert.ok(processesWith(id).length >= 2);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await assertGone(id, 2000);
  });
}

test("when the extension host is killed, the user's browser lives on", async t => {
  const id = randomUUID();
  t.after(() => killAllWith(id));
  const host = await runningHost(id, 'leavesDaemons', `open ${browserIn(folder)}`);
  const browsers = () => processesWith(id).filter(pid => programOf(pid).endsWith('/firefox'));
  // A child that it has just made is it, too, until it becomes another program.
  await eventually('the browser runs', () => browsers().length === 1);
  const before = browsers();
  host.kill('SIGKILL');
  await once(host, 'exit');
  // The browser and its child, which may be made again.
  await eventually('all else is gone', () => processesWith(id).length <= 2);
  await eventually('it still runs', () => browsers().join() === before.join());
});

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    // It ended meanwhile.
    return '';
  }
}

test('the guard runs only while there is something to guard, and lets the host end', async () => {
  const id = randomUUID();
  const host = startHost(id, 'exitsAfterInitialize');
  const [code] = (await once(host, 'exit')) as [number];
  assert.equal(code, 0);
  await assertGone(id);
});
