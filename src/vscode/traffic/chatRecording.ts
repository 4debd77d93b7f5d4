import { homedir } from 'node:os';
import * as path from 'node:path';
import { recordingOfChat } from '../../agents/traffic/exportTraffic';
import type { Recording } from '../../agents/traffic/recording';
import type { Chat, Chats } from '../../session/chats';
import type { Logs } from '../logs';

export interface TrafficParts {
  readonly chats: Chats;
  readonly logs: Logs;
  /** Parley's own version. */
  readonly version: string;
  readonly now: () => number;
}

/** What is known of the traffic of `chat`, without secrets and without the name of the user's folder. */
export function chatRecording(
  { chats, logs, version, now }: TrafficParts,
  chat: Chat,
): Recording | undefined {
  const { agent, sessionId } = chat.store.state;
  const ring = logs.recorded(agent.name);
  if (!ring) return undefined;
  const others = chats.all
    .filter(other => other !== chat)
    .map(other => other.store.state.sessionId);
  const withoutUser = withoutUserName(homedir());
  return recordingOfChat({
    agent: agent.name,
    version,
    ring,
    sessionId,
    others: new Set(others.filter(id => id !== undefined)),
    mask: text => withoutUser(logs.masker.mask(text)),
    now: { time: now(), ring: performance.now() },
  });
}

/** Paths stay absolute: what is recorded is played with them. */
export function withoutUserName(home: string): (text: string) => string {
  const anybody = path.join(path.dirname(home), 'user');
  const forms = [[home, anybody], [home, anybody].map(each => each.replaceAll('\\', '/'))];
  return text =>
    forms.reduce((shown, [own = '', other = '']) => shown.replaceAll(own, other), text);
}
