import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { remoteServer, type RemoteServer, type Wire } from '../unit/agents/remoteServer';
import { ChangesBar } from './changesBar';
import { newChatWith, userTest, withSettings, workspace } from './suite';

/** A chat over that wire, which is `broken` in a turn and made again, with what is pending. */
async function chat(wire: Wire, broken: (server: RemoteServer) => void) {
  const server = await remoteServer({ wire });
  try {
    const entry = { url: server.url, headers: { Authorization: 'Bearer of-the-user' } };
    await withSettings({ 'parley.agents': { [`Elsewhere, ${wire}`]: entry } }, async () => {
      const panel = await newChatWith(`Elsewhere, ${wire}`);
      await panel.waitUntilReady();
      assert.equal(server.requests.at(-1)?.headers.authorization, 'Bearer of-the-user');
      const { host } = new URL(server.url);
      const where = `Agent: Elsewhere, ${wire} on ${host}. Change agent`;
      await panel.frame.getByRole('button', { name: where }).waitFor();
      await panel.askAndWait('stream');
      await panel.part('text', /\b98 99\b/).waitFor();
      await panel.ask('ask');
      await panel.answer('Allow', 'Do it');
      await panel.waitUntilIdle();
      assert.deepEqual(server.events, [{ outcome: { outcome: 'selected', optionId: 'yes' } }]);
      const folder = await workspace();
      const made = path.join(folder, 'elsewhere.md');
      await panel.askAndWait(`copy ${path.join(folder, 'README.md')} ${made}`);
      const bar = new ChangesBar(panel);
      await bar.files(1);
      await panel.ask('wait');
      await panel.part('text', 'waiting').waitFor();
      broken(server);
      await panel.frame.getByText(/was lost and made again/).waitFor({ timeout: 60_000 });
      await panel.waitUntilReady();
      await eventually(
        'what was asked is back',
        async () => (await panel.message.inputValue()) === 'wait',
      );
      await bar.files(1);
      await panel.askAndWait('hello again');
      await panel.part('text', 'hello again').first().waitFor();
      await eventually('a second connection', async () => server.connections === 2);
      await bar.button('Undo all').click();
      await eventually('it is undone', async () => !existsSync(made));
    });
  } finally {
    await server.close();
  }
}

describe('an agent elsewhere', () => {
  userTest('is chatted with over a WebSocket, and after a break again', () =>
    chat('webSocket', server => server.socket().close(1012, 'Maintenance')),
  );

  userTest('is chatted with over HTTP/1.1, and after a break again', () =>
    chat('http', server => server.breakOff()),
  );

  userTest('is chatted with over HTTP/2, and after a break again', () =>
    chat('http2', server => server.breakOff()),
  );
});
