/** While Parley waits for the end of a stopped turn, its agent is read as fast as it can; no longer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcpConnection } from '../../../src/acp/rpc/connection';
import { ReadingPace } from '../../../src/acp/transport/readingPace';
import { AcpAgentLink } from '../../../src/agents/backends/acp/agentLink';
import { DEFAULT_LIMITS } from '../../../src/agents/backends/acp/agentLimits';
import { SessionRouter } from '../../../src/agents/backends/acp/sessionRouter';
import { nullLogger } from '../../../src/base/logger';

const SESSION = { sessionId: 'session-1' };

const ENDS: Readonly<Record<string, (link: AcpAgentLink, router: SessionRouter) => unknown>> = {
  'the agent is idle': (_, router) =>
    router.sessionUpdate({
      ...SESSION,
      update: { sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' } as never,
    }),
  'the session is closed': link => link.closeSession(SESSION),
};

for (const [what, end] of Object.entries(ENDS)) {
  test(`the pace counts again once ${what}`, async () => {
    const connection = {
      prompt: () => Promise.resolve({ stopReason: 'end_turn' }),
      cancel: () => Promise.resolve(),
      closeSession: () => Promise.resolve({}),
    } as unknown as AcpConnection;
    const router = new SessionRouter(nullLogger);
    const pace = new ReadingPace({ perMinute: () => 10, now: () => 0, onSlowed: () => undefined });
    const limits = { seconds: () => DEFAULT_LIMITS, pace };
    const link = new AcpAgentLink(connection, router, { protocolVersion: 2 }, limits);
    await link.prompt({ ...SESSION, prompt: [] });
    await link.cancel(SESSION);
    for (let update = 0; update < 20; update++) assert.equal(pace.took('session-1'), 0);
    await end(link, router);
    let waited = 0;
    for (let update = 0; update < 20; update++) waited += pace.took('session-1');
    assert.ok(waited > 0);
  });
}
