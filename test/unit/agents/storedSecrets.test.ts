import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { StoredSecrets } from '../../../src/vscode/signIn/storedSecrets';

function secrets(kept: Record<string, string> = {}) {
  const entries = new Map(Object.entries(kept));
  const stored = new StoredSecrets({
    get: key => Promise.resolve(entries.get(key)),
    store: (key, value) => Promise.resolve(void entries.set(key, value)),
    delete: key => Promise.resolve(void entries.delete(key)),
    keys: () => Promise.resolve([...entries.keys()]),
    onDidChange: () => ({ dispose: () => undefined }),
  });
  return { entries, stored };
}

test('agents have an entry each; variables add up, and are forgotten together', async () => {
  const { entries, stored } = secrets();
  await stored.add('one', { KEY: 'a' });
  await stored.add('one', { TOKEN: 'b', KEY: 'c' });
  await stored.add('two', { KEY: 'd' });
  deepEqual(await stored.get('one'), { KEY: 'c', TOKEN: 'b' });
  await stored.forget('one');
  deepEqual(await stored.get('one'), {});
  deepEqual([...entries.values()], ['{"KEY":"d"}']);
});

for (const broken of ['', '{', 'null', '"KEY"', '{"KEY":1,"TOKEN":null}']) {
  test(`an entry that cannot be used (${broken}) keeps no agent from starting`, async () => {
    const { stored } = secrets({ 'parley.agent.one': broken });
    deepEqual(await stored.get('one'), {});
    await stored.add('one', { KEY: 'new' });
    deepEqual(await stored.get('one'), { KEY: 'new' });
  });
}
