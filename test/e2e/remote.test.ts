import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { remoteServer } from '../unit/agents/remoteServer';
import { newChatWith, userTest, withSettings } from './suite';

describe('an agent elsewhere', () => {
  userTest('is chatted with over a WebSocket, and after a break again', async () => {
    const server = await remoteServer();
    try {
      const entry = { url: server.url, headers: { Authorization: 'Bearer of-the-user' } };
      await withSettings({ 'parley.agents': { Elsewhere: entry } }, async () => {
        const panel = await newChatWith('Elsewhere');
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
        server.socket().close(1012, 'Maintenance');
        const problem = panel.problem(/code 1012: Maintenance/);
        await problem.waitFor();
        await problem.getByRole('button', { name: 'Restart' }).click();
        await panel.waitUntilReady();
        await panel.askAndWait('hello again');
        await panel.part('text', 'hello again').first().waitFor();
        await eventually('a second connection', async () => server.requests.length === 2);
      });
    } finally {
      await server.close();
    }
  });
});
