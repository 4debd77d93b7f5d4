import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RequestError } from '../../../src/acp/rpc/errors';
import { SessionRouter } from '../../../src/agents/backends/acp/sessionRouter';
import { Masker } from '../../../src/agents/masker';
import { nullLogger } from '../../../src/base/logger';
import { problemOf, rig, statusOf, Chat, prompt } from './support';

const SECRET = 'sk-ant/api+03 "q" ÄÖ=';

/** How secrets come into what programs print. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  plain: secret => secret,
  'in JSON': secret => JSON.stringify({ key: secret }),
  'in a URL': secret => `https://host/?key=${encodeURIComponent(secret)}`,
  'in a URL, in small letters': secret =>
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
  'in a form': secret => new URLSearchParams({ key: secret }).toString(),
  'in Base64': secret => Buffer.from(secret).toString('base64'),
  'in a Basic header': secret => `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`,
  'in Base64 of JSON': secret => Buffer.from(`{"a":"${secret}"}`).toString('base64'),
  'in Base64 for URLs': secret => Buffer.from(`x${secret}`).toString('base64url'),
  'in hexadecimal digits': secret => Buffer.from(secret).toString('hex'),
};

describe('a masker', () => {
  for (const [what, form] of Object.entries(FORMS)) {
    test(`masks a secret ${what}`, () => {
      const alphabet = fc.string({ minLength: 8, maxLength: 40 });
      fc.assert(
        fc.property(fc.oneof(fc.constant(SECRET), alphabet), secret => {
          // What a form leaves of these is another text.
          fc.pre(!/["\\]/.test(secret) || what !== 'in Base64 of JSON');
          fc.pre(what !== 'in a form' || /^[\w .*-]+$/.test(secret));
          const masker = new Masker();
          masker.add([secret]);
          const masked = masker.mask(`before ${form(secret)} after`);
          assert.ok(masked.includes('•••'), masked);
          assert.ok(!masked.includes(secret), masked);
        }),
        { numRuns: 200, seed: 3 },
      );
    });
  }

  test('leaves short values, and everything without a secret', () => {
    const masker = new Masker();
    masker.add(['1', 'true', 's3cret-token']);
    assert.equal(masker.mask('1 is true, s3cret'), '1 is true, s3cret');
  });

  test('masks each line of a key', () => {
    const masker = new Masker();
    masker.add(['-----BEGIN KEY-----\nabcdefghijklmnopqrstuvwxyz\n-----END KEY-----']);
    assert.equal(masker.mask('abcdefghijklmnopqrstuvwxyz'), '•••');
  });
});

for (const [when, isReady] of [
  ['at its start', false],
  ['in a turn', true],
] as const) {
  test(`the card of an agent that ends ${when} shows no secret`, async t => {
    const masker = new Masker();
    masker.add([SECRET]);
    const { host } = rig(t, 'printsSecret', {
      mask: masker.mask,
      definition: { env: { SECRET, WHEN: isReady ? 'prompt' : 'start' } },
    });
    let problem;
    if (isReady) {
      const link = await host.connect();
      const { sessionId } = await Chat.open(link);
      problem = await problemOf(link.prompt(prompt(sessionId, 'hello')));
      const failed = await statusOf(host, 'failed');
      assert.equal(failed.problem.output.length, 3);
      assert.doesNotMatch(JSON.stringify(failed.problem), /sk-ant|c2stYW50|%2Fapi/);
    } else problem = await problemOf(host.connect());
    assert.doesNotMatch(JSON.stringify(problem), /sk-ant|c2stYW50|%2Fapi/);
    assert.match(JSON.stringify(problem), /•••/);
  });
}

for (const method of ['session/new', 'session/prompt', 'authenticate'] as const) {
  test(`what an agent answers "${method}" with when that fails shows no secret`, async t => {
    const masker = new Masker();
    masker.add([SECRET]);
    const { host } = rig(t, 'printsSecret', {
      mask: masker.mask,
      definition: { env: { SECRET, WHEN: method } },
    });
    const link = await host.connect();
    const asked = {
      'session/new': () => Chat.open(link),
      'session/prompt': async () => link.prompt(prompt((await Chat.open(link)).sessionId, 'hello')),
      authenticate: () => link.authenticate({ methodId: 'key' }),
    };
    const error: unknown = await asked[method]().catch((cause: unknown) => cause);
    assert.ok(error instanceof RequestError);
    const shown = JSON.stringify([error.message, error.data]);
    assert.equal(shown.match(/•••/g)?.length, 6);
    assert.doesNotMatch(shown, /sk-ant|c2stYW50|%2Fapi/);
  });
}

test('nor does an update that says that a turn has failed', async () => {
  const masker = new Masker();
  masker.add([SECRET]);
  const router = new SessionRouter(nullLogger, masker.mask);
  const chat = new Chat();
  router.attach('s', chat);
  const error = { code: -32603, message: `key ${SECRET}`, data: [SECRET] };
  const update = { sessionUpdate: 'state_update', state: 'idle', stopReason: 'error', error };
  router.sessionUpdate({ sessionId: 's', update: update as never });
  assert.deepEqual(chat.updates, [
    { ...update, error: { code: -32603, message: 'key •••', data: ['•••'] } },
  ]);
});
