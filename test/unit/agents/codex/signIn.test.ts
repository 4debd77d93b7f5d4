import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../workbench/eventually';
import { agentWith, InMemoryServer } from './inMemoryServer';

const PAGE = {
  loginId: 'l1',
  verificationUrl: 'https://example.com/device',
  userCode: 'ABCD-1234',
};

test('a code is shown with its page, and the sign-in is done when the server says so', async () => {
  const server = new InMemoryServer({ 'account/login/start': PAGE });
  let shown: Readonly<Record<string, unknown>> = {};
  const { ask, notified } = agentWith([server], (_method, params) => {
    shown = params;
    return { action: 'accept' };
  });
  const done = ask('authenticate', { methodId: 'chatgpt-device-code' });
  await eventually('the page', () => shown['url']);
  assert.equal(shown['url'], PAGE.verificationUrl);
  assert.match(String(shown['message']), /ABCD-1234/);
  server.say({ method: 'account/login/completed', params: { loginId: 'l1', success: true } });
  assert.deepEqual(await done, {});
  assert.deepEqual(notified, ['elicitation/complete']);
});

test('who does not want the page gives the sign-in up', async () => {
  const page = { loginId: 'l1', authUrl: 'https://example.com/' };
  const server = new InMemoryServer({ 'account/login/start': page });
  const { ask } = agentWith([server], () => ({ action: 'decline' }));
  await assert.rejects(ask('authenticate', { methodId: 'chatgpt' }), /not completed/);
  assert.deepEqual(server.received('account/login/cancel'), { loginId: 'l1' });
});

test('why a sign-in failed is said', async () => {
  const server = new InMemoryServer({ 'account/login/start': new Error('no network') });
  const { ask } = agentWith([server]);
  await assert.rejects(ask('authenticate', { methodId: 'chatgpt' }), /no network/);
});

test('a key goes to Codex, which keeps it', async () => {
  const server = new InMemoryServer();
  const { ask } = agentWith([server]);
  await ask('authenticate', { methodId: 'api-key', _meta: { apiKey: 'sk-1' } });
  assert.deepEqual(server.received('account/login/start'), { type: 'apiKey', apiKey: 'sk-1' });
});
