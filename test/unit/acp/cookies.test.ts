import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cookies } from '../../../src/acp/transport/cookies';

test('cookies are kept, replaced and taken back; those of the user stand', () => {
  const cookies = new Cookies();
  assert.deepEqual(cookies.addTo({ a: 'b' }), { a: 'b' });
  cookies.store(['one=1; Path=/; Secure', 'two="2=2"', 'three=3', '=nothing', 'no pair', '']);
  assert.deepEqual(cookies.addTo({}), { cookie: 'one=1; two="2=2"; three=3' });
  cookies.store(undefined);
  cookies.store(['one=11', 'two=; Max-Age=0', 'three=; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
  assert.deepEqual(cookies.addTo({}), { cookie: 'one=11' });
  const later = new Date(Date.now() + 60_000).toUTCString();
  cookies.store([`four=4; Expires=${later}; Max-Age=60`]);
  assert.deepEqual(cookies.addTo({ Cookie: 'one=own; own=1' }), {
    Cookie: 'one=own; own=1; four=4',
  });
});
