import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PersistentMap } from '../../../src/base/persistentMap';

const KEY = fc.oneof(fc.constantFrom('a', 'b', '/w/a.txt'), fc.string());
const STEP = fc.record({ key: KEY, value: fc.option(fc.integer(), { nil: undefined }) });

test('is what a map is, and each version stays as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(KEY, fc.integer())), fc.array(STEP), (entries, steps) => {
      let map = PersistentMap.from(entries);
      let model = new Map(entries);
      const versions = [{ map, model }];
      for (const { key, value } of steps) {
        map = value === undefined ? map.without(key) : map.with(key, value);
        model = new Map(model);
        if (value === undefined) model.delete(key);
        else model.set(key, value);
        versions.push({ map, model });
      }
      for (const version of versions) {
        assert.deepEqual(new Map(version.map), version.model);
        assert.deepEqual(new Set(version.map.keys()), new Set(version.model.keys()));
        assert.equal(version.map.size, version.model.size);
        for (const { key } of steps) {
          assert.equal(version.map.get(key), version.model.get(key));
          assert.equal(version.map.has(key), version.model.has(key));
        }
      }
    }),
  );
});

test('a change copies a small part: versions share the others', () => {
  const entries = Array.from({ length: 10_000 }, (_, index) => [`/w/${index}`, index] as const);
  const map = PersistentMap.from(entries);
  const next = map.with('/w/new', 1);
  const copied = next.buckets.filter(bucket => !map.buckets.includes(bucket));
  assert.equal(copied.length, 1);
  const largest = Math.max(...map.buckets.map(({ size }) => size));
  assert.ok(largest < 100, `${largest} keys in one of the parts`);
});
