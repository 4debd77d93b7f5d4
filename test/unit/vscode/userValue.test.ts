import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event';
import { readMcpConfig } from '../../../src/agents/mcp/mcpConfig';
import { joined, userValues } from '../../../src/vscode/settings/userValue';
import { watchValue } from '../../../src/vscode/settings/watchValue';

const counted = (inspected: Parameters<typeof userValues>[0]) => joined(userValues(inspected));

test('user and remote values both count, the remote one first, each name as a whole', () => {
  const local = { mine: { command: 'a', args: ['--fast'] }, both: { command: 'b', args: ['x'] } };
  const remote = { both: { url: 'ws://there' }, there: { command: 'c' } };
  // As VS Code joins them: deeply, which makes an entry of a command and an address.
  const deep = { ...local, ...remote, both: { command: 'b', args: ['x'], url: 'ws://there' } };
  const inspected = {
    defaultValue: {},
    globalValue: deep,
    globalLocalValue: local,
    globalRemoteValue: remote,
  };
  assert.deepEqual(counted(inspected), {
    mine: local.mine,
    both: { url: 'ws://there' },
    there: { command: 'c' },
  });
});

test('one value alone counts, whichever it is; the default only without any', () => {
  assert.equal(counted({ defaultValue: 1, globalValue: 2, globalLocalValue: 2 }), 2);
  assert.equal(counted({ defaultValue: 1, globalValue: 3, globalRemoteValue: 3 }), 3);
  const both = { globalValue: 3, globalLocalValue: 2, globalRemoteValue: 3 };
  assert.equal(counted({ defaultValue: 1, ...both }), 3);
  assert.equal(counted({ defaultValue: 1 }), 1);
  assert.equal(counted(undefined), undefined);
});

test('an editor that does not tell both apart has one value', () => {
  assert.deepEqual(userValues({ defaultValue: 1, globalValue: 2 }), {
    local: 2,
    remote: undefined,
  });
});

test('a default is no MCP server', () => {
  const { local, remote } = userValues({ defaultValue: {} });
  assert.deepEqual(
    [local, remote].flatMap(value => readMcpConfig(value, 'x').servers),
    [],
  );
});

test('a change is seen by the value, whatever the event says, and nothing else is one', () => {
  const events = new Emitter<void>();
  let value: unknown;
  let changes = 0;
  const watched = watchValue(
    events.event,
    () => value,
    () => (changes += 1),
  );
  events.fire();
  assert.equal(changes, 0);
  value = { a: 1 };
  events.fire();
  assert.equal(changes, 1);
  value = { a: 1 };
  events.fire();
  assert.equal(changes, 1, 'an equal value');
  value = undefined;
  events.fire();
  assert.equal(changes, 2);
  watched.dispose();
  value = 1;
  events.fire();
  assert.equal(changes, 2);
});
