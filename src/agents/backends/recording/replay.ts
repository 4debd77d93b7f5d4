import type { Chat, Chats, ChatServices } from '../../../session/chats';
import type { RecordedAgent } from '../../definitions';
import { lastRun } from '../../traffic/lastRun';
import type { Recording } from '../../traffic/recording';
import { Playback, type Speed } from './playback';
import { RecordedUser } from './recordedUser';
import { recordedWorld } from './recordedWorld';

/** A recording that can be played in a chat. */
export interface Replay {
  readonly definition: RecordedAgent;
  /** What its chat has instead of the machine. */
  readonly instead: Partial<ChatServices>;
  /** Resolves when all is played, or nothing more will be. */
  readonly done: Promise<void>;
  /** Begins. Undefined when there is no agent of its name yet. */
  open(chats: Chats): Chat | undefined;
}

/** @param name of the agent that plays it; to be unique */
export function replayOf(recording: Recording, name: string, speed: Speed): Replay {
  const run = lastRun(recording.messages);
  const playback = new Playback(run, speed);
  const { method, sessionId } = run.opening;
  return {
    definition: { kind: 'recording', name, playback },
    instead: recordedWorld(run, playback),
    done: playback.done,
    open(chats) {
      const isNew = method === 'new' || sessionId === undefined;
      const chat = isNew ? chats.create(name) : chats.adopt(name, { sessionId });
      if (chat) new RecordedUser(chat, playback);
      return chat;
    },
  };
}
