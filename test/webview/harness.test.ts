import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPanel } from './harness';
import { stateNamed } from './states';

test('the page starts under the content security policy and tells its host', async () => {
  await withPanel({}, async panel => {
    await panel.show(stateNamed('ready'));
    const [ready] = await panel.posts();
    assert.equal(ready?.type, 'ready');
    assert.match(ready.viewId, /^[0-9a-f-]{36}$/);
  });
});
