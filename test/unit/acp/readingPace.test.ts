import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadingPace } from '../../../src/acp/transport/readingPace';

function pace(perMinute = 0) {
  let now = 0;
  const slowed: string[] = [];
  const made = new ReadingPace({
    perMinute: () => perMinute,
    now: () => now,
    onSlowed: sessionId => void slowed.push(sessionId),
  });
  /** Reads so many updates as fast as it may. @returns milliseconds that it takes */
  const read = (count: number, isPiece: boolean) => {
    const before = now;
    for (let n = 0; n < count; n++) now += made.took('s', isPiece);
    return now - before;
  };
  return { made, slowed, read, pass: (milliseconds: number) => (now += milliseconds) };
}

test('pieces of a message are read as fast as they come', () => {
  assert.equal(pace().read(1_000_000, true), 0);
});

test('of what begins something new so much is read at once, and the rest over time', () => {
  const { read, slowed, pass } = pace();
  assert.equal(read(1_999, false), 0);
  const took = read(8_500, false);
  assert.ok(took >= 16_000 && took <= 18_000, `${took} ms`);
  assert.deepEqual(slowed, [], 'nothing that the user has set');
  pass(10_000);
  assert.equal(read(1_999, false), 0, 'who rests may tell much again');
});

test('what is waited for is read at once, whatever it is', () => {
  const { read, made } = pace(60);
  const hurried = made.hurry();
  assert.equal(read(100_000, false), 0);
  hurried.dispose();
});

test('a limit of the user counts pieces as well, and says so', () => {
  const { read, slowed } = pace(600);
  assert.ok(read(600, true) > 0);
  assert.ok(slowed.length > 0);
});
