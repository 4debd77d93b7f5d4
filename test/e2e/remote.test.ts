import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { remoteServer, type RemoteServer, type Wire } from '../unit/agents/remoteServer';
import { newChatWith, userTest, withSettings } from './suite';

/** A chat over that wire, which is `broken` in a turn and made again. */
async function chat(wire: Wire, broken: (server: RemoteServer) => void, cause: RegExp) {
  const server = await remoteServer({ wire });
  try {
    const entry = { url: server.url, headers: { Authorization: 'Bearer of-the-user' } };
    await withSettings({ 'parley.agents': { [`Elsewhere, ${wire}`]: entry } }, async () => {
      const panel = await newChatWith(`Elsewhere, ${wire}`);
      await panel.waitUntilReady();
      assert.equal(server.requests.at(-1)?.headers.authorization, 'Bearer of-the-user');
      await panel.askAndWait('stream');
      await panel.part('text', /\b98 99\b/).waitFor();
      await panel.ask('ask');
      await panel.answer('Allow', 'Do it');
      await panel.waitUntilIdle();
      assert.deepEqual(server.events, [{ outcome: { outcome: 'selected', optionId: 'yes' } }]);
      await panel.ask('wait');
      await panel.part('text', 'waiting').waitFor();
      broken(server);
      const problem = panel.problem(cause);
      await problem.waitFor();
      await problem.getByRole('button', { name: 'Restart' }).click();
      await panel.waitUntilReady();
      await panel.askAndWait('hello again');
      await panel.part('text', 'hello again').first().waitFor();
      await eventually('a second connection', async () => server.connections === 2);
    });
  } finally {
    await server.close();
  }
}

describe('an agent elsewhere', () => {
  userTest('is chatted with over a WebSocket, and after a break again', () =>
    chat(
      'webSocket',
      server => server.socket().close(1012, 'Maintenance'),
      /code 1012: Maintenance/,
    ),
  );

  userTest('is chatted with over HTTP/1.1, and after a break again', () =>
    chat('http', server => server.breakOff(), /closed it without a reason/),
  );

  userTest('is chatted with over HTTP/2, and after a break again', () =>
    chat('http2', server => server.breakOff(), /closed it without a reason/),
  );
});
