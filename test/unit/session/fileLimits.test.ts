import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileLimits } from '../../../src/session/requests/fileLimits';
import type { FileLimitSettings } from '../../../src/session/requests/fileLimits';
import { FileError } from '../../../src/session/ports';
import { world } from './world';

const GENEROUS: FileLimitSettings = {
  fileBytes: 1000,
  readsPerMinute: 0,
  writesPerMinute: 0,
  readSeconds: 30,
  writeSeconds: 60,
};

function limits(settings: Partial<FileLimitSettings>) {
  const clock = { now: 0, tasks: [] as { readonly at: number; readonly task: () => void }[] };
  const made = new FileLimits(() => ({ ...GENEROUS, ...settings }), {
    now: () => clock.now,
    after: (milliseconds, task) => {
      const entry = { at: clock.now + milliseconds, task };
      clock.tasks.push(entry);
      return { dispose: () => void clock.tasks.splice(clock.tasks.indexOf(entry), 1) };
    },
  });
  return { clock, made };
}

const reason = (expected: string, words: RegExp) => (error: unknown) => {
  ok(error instanceof FileError);
  equal(error.reason, expected);
  match(error.message, words);
  return true;
};

test('any minute holds no more reads than allowed, and says when the next may come', () => {
  const { clock, made } = limits({ readsPerMinute: 2 });
  made.admitRead();
  clock.now = 20_000;
  made.admitRead();
  made.admitWrite('a write is another matter');
  throws(
    () => made.admitRead(),
    reason('tooMany', /parley\.limits\.readsPerMinute allows 2 a minute. Try again in 40 s/),
  );
  clock.now = 60_000;
  made.admitRead();
  throws(() => made.admitRead(), reason('tooMany', /Try again in 20 s/));
});

test('without a number there is no limit', () => {
  const { made } = limits({});
  for (let count = 0; count < 10_000; count++) made.admitRead();
});

test('sizes are bytes, not characters', () => {
  const { made } = limits({ fileBytes: 8 });
  made.admitWrite('12345678');
  made.admitWrite('éé€b');
  made.admitWrite('😀😀');
  throws(() => made.admitWrite('123456789'), reason('tooLarge', /is 9 bytes;.*fileBytes allows 8/));
  throws(() => made.admitWrite('😀😀b'), reason('tooLarge', /is 9 bytes/));
});

test('a file that does not answer is given up, and the agent is told that it may still be written', async () => {
  const { clock, made } = limits({});
  const never = new Promise<never>(() => undefined);
  const read = made.read('/a', never);
  const write = made.write('/a', never);
  deepEqual(
    clock.tasks.map(({ at }) => at),
    [30_000, 60_000],
  );
  for (const { task } of [...clock.tasks]) task();
  await rejects(read, reason('timedOut', /within 30 s \(parley\.timeouts\.readFile\): \/a$/));
  await rejects(
    write,
    reason('timedOut', /within 60 s \(parley\.timeouts\.writeFile\).*may still/),
  );
  equal(clock.tasks.length, 0);
});

test('a file that answers leaves no timer behind', async () => {
  const { clock, made } = limits({});
  equal(await made.read('/a', Promise.resolve('text')), 'text');
  const refused = Promise.reject(new FileError('readOnly', 'no'));
  await rejects(made.write('/a', refused), reason('readOnly', /no/));
  equal(clock.tasks.length, 0);
});

test('an agent over a limit is told so in words, and its turn and session go on', async t => {
  const { run, cwd } = await world(
    {},
    { fileLimits: () => ({ ...GENEROUS, readsPerMinute: 1 }) },
  ).then(opened => {
    t.after(() => opened.end());
    return opened;
  });
  const path = join(cwd, 'a.txt');
  writeFileSync(path, 'alpha');
  const read = { ask: { method: 'fs/read_text_file', params: { path } } };
  const big = { path, content: 'x'.repeat(1001) };
  const state = await run([
    read,
    read,
    { ask: { method: 'fs/write_text_file', params: big } },
    { ask: { method: 'fs/write_text_file', params: { path, content: 'beta' } } },
    { respond: { stopReason: 'end_turn' } },
  ]);
  equal(readFileSync(path, 'utf8'), 'beta');
  equal(state.connection.kind, 'ready');
  const told = JSON.stringify(state.turns.at(-1)?.parts);
  match(told, /alpha/);
  match(told, /parley\.limits\.readsPerMinute allows 1 a minute/);
  match(told, /parley\.limits\.fileBytes allows 1000/);
});
