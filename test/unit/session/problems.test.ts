import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, RequestError } from '../../../src/acp/rpc/errors';
import {
  isAuthRequired,
  isCredentialsRefused,
  isUnknownSession,
  promptFailure,
  signInFailure,
  signInHint,
} from '../../../src/session/lifecycle/problems';

const detail = (code: number, message: string, data?: unknown): string =>
  promptFailure('Agent', new RequestError(code, message, data)).detail;

test('codes of agents become a sentence with a next step', () => {
  const cases: [code: number, message: string, step: RegExp][] = [
    [-31900, 'Session not found', /Start a new one/],
    [-31901, 'Session expired', /Start a new one/],
    [-31902, 'Session locked', /Close it there/],
    [-31800, 'Tool not found', /another approach/],
    [-31801, 'Tool disabled', /Enable it/],
    [-31802, 'Tool timeout', /took too long/],
    [-31700, 'File not found', /Check its name/],
    [-31701, 'Permission denied', /Check its permissions/],
    [-31702, 'File too large', /only the part/],
    [-31600, 'MCP server error', /MCP server/],
    [-31601, 'MCP server unavailable', /MCP server/],
    [-32000, 'Connection lost', /Check the network/],
    [-32001, 'Timeout', /took too long/],
    [-32001, 'Unsupported protocol version', /Update the agent/],
    [-32601, 'Method not found', /newer version/],
    [400, 'Bad request', /Try another model/],
    [401, 'Unauthorized', /Sign in to the agent again/],
    [402, 'Payment required', /balance/],
    [403, 'Forbidden', /permissions of your account/],
    [404, 'Not found', /Choose another model/],
    [413, 'Too large', /Attach less/],
    [429, 'Too many requests', /Wait, or choose/],
    [500, 'Internal server error', /Try again in a moment/],
    [503, 'Unavailable', /overloaded/],
    [529, 'Overloaded', /overloaded/],
    [599, 'Strange', /Try again in a moment/],
  ];
  for (const [code, message, step] of cases) {
    const text = detail(code, message);
    assert.ok(text.startsWith(`${message}. `), text);
    assert.match(text, step, `${code} ${message}`);
  }
});

test('a code that says nothing adds nothing; a status in the data counts', () => {
  assert.equal(
    detail(ErrorCode.internal, 'Internal error', { details: 'why' }),
    'Internal error: why.',
  );
  assert.match(detail(ErrorCode.internal, 'Internal error', { status: 429 }), /Wait, or choose/);
});

test('an answer of a service, passed on as JSON, is read for its message', () => {
  const message = JSON.stringify({ type: 'error', error: { message: 'bad key', status: 'X' } });
  assert.match(detail(401, message), /^bad key\. The service rejected/);
  assert.match(detail(401, '{not json'), /^\{not json\. /);
});

test('an internal error is known by what it says', () => {
  const cases: [message: string, data: unknown, step: RegExp][] = [
    // Qwen Code.
    ['Internal error', { details: '401 Incorrect API key provided' }, /Sign in to the agent again/],
    ['Internal error', { details: '429 slow down' }, /Wait, or choose/],
    // Claude Code, an older version.
    [
      'Internal error: API Error: 400 {"type":"error","error":{"message":"too odd"}}',
      undefined,
      /API Error: 400 too odd\. .*Try another model/,
    ],
    // Factory Droid.
    [
      'Internal error: API key authentication failed',
      'No authentication available. Set FACTORY_API_KEY or login.',
      /Sign in to the agent again/,
    ],
    ['Request failed with status code 503', undefined, /overloaded/],
    ['connect ECONNREFUSED 127.0.0.1:1', undefined, /Check the network/],
    ['Rate limit reached for requests', undefined, /Wait, or choose/],
    ['The command timed out', undefined, /took too long/],
  ];
  for (const [message, data, step] of cases) {
    assert.match(detail(ErrorCode.internal, message, data), step, message);
  }
  // Numbers and words that are no cause.
  for (const message of [
    'Wrote 500 lines',
    'Line 401 is odd',
    'The key is too long',
    'It failed',
  ]) {
    assert.equal(detail(ErrorCode.internal, message), `${message}.`);
  }
  assert.ok(isCredentialsRefused(new RequestError(ErrorCode.internal, 'Not logged in')));
});

test('what an agent says about signing in is kept, where it says anything', () => {
  const hint = (message: string) => signInHint(new RequestError(-32000, message));
  // What Auggie, Factory Droid, Gemini CLI, Qoder and Cline say.
  assert.equal(
    hint('Authentication required: Please run `auggie login` from your terminal then try again.'),
    'Please run `auggie login` from your terminal then try again.',
  );
  assert.equal(
    hint('Authentication required: Set a FACTORY_API_KEY environment variable.'),
    'Set a FACTORY_API_KEY environment variable. FACTORY_API_KEY can be set under "env" of the agent in the setting parley.agents.',
  );
  assert.equal(hint('Gemini API key is missing.'), 'Gemini API key is missing.');
  for (const nothing of [
    'Authentication required',
    'Authentication required: Authentication is required.',
    'Authentication required: Call authenticate before starting a session',
    'Unauthorized',
  ]) {
    assert.equal(hint(nothing), undefined, nothing);
  }
  const failure = signInFailure(
    new RequestError(ErrorCode.internal, 'Internal error', { details: 'Set OPENAI_API_KEY' }),
  );
  assert.match(failure, /^Internal error: Set OPENAI_API_KEY\. .*parley\.agents/);
});

test('a session that is gone is known by the words where the code says nothing', () => {
  const internal = (message: string, data?: unknown) =>
    isUnknownSession(new RequestError(ErrorCode.internal, message, data));
  assert.ok(
    internal('Internal error', { details: 'No previous sessions found for this project.' }),
  );
  assert.ok(internal('Session abc not found'));
  assert.ok(internal('Internal error', 'unknown session'));
  assert.ok(!internal('Internal error', { details: 'The session could not be read: disk full' }));
  assert.ok(!internal('Out of order'));
});

test('what asks for a sign-in, and what means that a session is gone', () => {
  assert.ok(isAuthRequired(new RequestError(-32000, 'Authentication required')));
  assert.ok(!isAuthRequired(new RequestError(-32000, 'Connection lost')));
  for (const code of [-32002, -32602, -31900, -31901]) {
    assert.ok(isUnknownSession(new RequestError(code, 'gone')), String(code));
  }
  assert.ok(!isUnknownSession(new RequestError(-31902, 'locked')));
});
