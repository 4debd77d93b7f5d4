import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nullLogger } from '../../../src/base/logger';
import { LazyTracking } from '../../../src/vscode/tracking/lazyTracking';

test('what is not known to be reviewed counts as pending, and is logged', async () => {
  const errors: string[] = [];
  const tracking = new LazyTracking({
    get folder(): string {
      throw new Error('It cannot be loaded.');
    },
    own: [],
    logger: { ...nullLogger, error: message => void errors.push(message) },
    processes: { children: () => new Set<string>() },
    now: () => 0,
  });
  assert.equal(await tracking.isPending('/w/mcp.json'), true);
  assert.ok(errors.includes('It is not known whether /w/mcp.json was reviewed'));
  tracking.dispose();
});
