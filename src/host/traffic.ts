import { lazy } from '../base/lazy';
import type { Chat, Chats } from '../session/chats';
import type { ConfiguredAgents } from '../vscode/settings/configuredAgents';
import type { Window } from './window';

export interface TrafficCommands {
  exportTraffic(chat: Chat, file?: unknown): Promise<void>;
  /** @returns the chat in which it is played */
  replayTraffic(file?: unknown, speed?: unknown): Promise<Chat | undefined>;
  showTraffic(chat: Chat): Promise<void>;
}

/** What the commands about protocol traffic do. */
export function composeTraffic(
  { parts: owned, context, version, logs, environment }: Window,
  chats: Chats,
  agents: ConfiguredAgents,
): TrafficCommands {
  const parts = {
    chats,
    logs,
    version,
    now: () => environment.now(),
  };
  const exportTraffic = async (chat: Chat, file?: unknown): Promise<void> => {
    const { exportTraffic: run } = await import('../vscode/traffic/exportTraffic');
    await run(parts, chat, file);
  };
  const page = lazy(async () => {
    const { TrafficPage } = await import('../vscode/traffic/trafficPage');
    const { extensionUri } = context;
    return owned.add(new TrafficPage({ ...parts, extensionUri, export: exportTraffic }));
  });
  owned.add(chats.onDidForget(({ store }) => agents.forgetReplay(store.state.agent.name)));
  return {
    exportTraffic,
    async replayTraffic(file, speed) {
      const { replayTraffic } = await import('../vscode/traffic/replayTraffic');
      return replayTraffic(
        { chats, add: replay => agents.addReplay(replay), isTaken: name => agents.isTaken(name) },
        file,
        speed,
      );
    },
    showTraffic: async chat => (await page()).open(chat),
  };
}
