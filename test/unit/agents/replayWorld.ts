/** Plays recordings in a chat, where nothing of the machine can be reached. */
import { AgentSupervisor } from '../../../src/agents/supervisor';
import { replayOf } from '../../../src/agents/backends/recording/replay';
import type { Speed } from '../../../src/agents/backends/recording/playback';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import type { Recording } from '../../../src/agents/traffic/recording';
import { ChatFeed } from '../../../src/review/checkpoints/chatFeed';
import type { Tracker } from '../../../src/review/checkpoints/tracker';
import { nullLogger } from '../../../src/base/logger';
import { Chats, type Chat } from '../../../src/session/chats';

let ids = 0;

export interface Replayed {
  readonly chats: Chats;
  readonly chat: Chat;
  readonly agent: AgentSupervisor;
  /** Resolves when all is played, or nothing more will be. */
  readonly done: Promise<void>;
  /** What was reached of the machine. */
  readonly touched: readonly string[];
  end(): Promise<void>;
}

export function replayed(recording: Recording, speed: Speed = 'full', name = 'Replay'): Replayed {
  const touched: string[] = [];
  const never =
    (what: string) =>
    (...args: readonly unknown[]): never => {
      touched.push(`${what} ${JSON.stringify(args)}`);
      throw new Error(`${what} was reached`);
    };
  const replay = replayOf(recording, name, speed);
  const agent = new AgentSupervisor(replay.definition, {
    logger: nullLogger,
    processes: new ProcessTracker(),
    environment: { get: never('environment') },
    settings: () => ({ initializeSeconds: 60, maxLineBytes: 1 << 25 }),
    workspaceFolder: never('workspaceFolder'),
    clientVersion: '0.0.0',
    now: Date.now,
  });
  const chats = new Chats({
    files: { read: never('read'), write: never('write'), realPath: never('realPath') },
    terminals: { create: never('terminal') },
    mirror: { attach: never('mirror'), reveal: never('reveal') },
    attachments: { resolve: never('attachment') },
    environment: {
      now: () => Date.now(),
      newId: () => `replay${(ids += 1)}`,
      after: (milliseconds, task) => {
        const timer = setTimeout(task, milliseconds);
        return { dispose: () => clearTimeout(timer) };
      },
    },
    settings: { newSessionSeconds: never('settings'), mcpServers: never('mcpServers') },
    permissionLog: { record: never('permissionLog') },
    tracking: { promptReady: never('promptReady'), record: never('record') },
    logger: nullLogger,
    agent: () => agent,
    questions: {
      openPage: never('openPage'),
      hostInLetters: never('host'),
      matches: never('matches'),
    },
    place: () => ({ cwd: '/elsewhere', additionalDirectories: [], roots: ['/elsewhere'] }),
    instead: name => (name === replay.definition.name ? replay.instead : undefined),
  });
  const tracker = new Proxy({}, { get: (_target, name) => never(`tracker.${String(name)}`) });
  new ChatFeed(chats, tracker as Tracker, nullLogger);
  const chat = replay.open(chats);
  if (!chat) throw new Error('no chat');
  return {
    chats,
    chat,
    agent,
    done: replay.done,
    touched,
    async end() {
      await chats.closeAll();
      chats.dispose();
      await agent.stop();
    },
  };
}
