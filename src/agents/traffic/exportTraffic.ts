import { messagesInLine } from '../../acp/transport/messagesInLine';
import { trafficOfChat } from './chatTraffic';
import { maskedJson } from './maskedJson';
import {
  formatRecording,
  isObject,
  type Json,
  type RecordedMessage,
  type Recording,
  type RecordingHead,
} from './recording';
import type { RingEntry, TrafficRing } from './trafficRing';

export interface TrafficOfAgent {
  readonly agent: string;
  readonly version: string;
  readonly ring: Pick<TrafficRing, 'entries' | 'leftOut'>;
  /** Of the chat that is reported; undefined when it has none yet. */
  readonly sessionId: string | undefined;
  /** Sessions of other chats. */
  readonly others: ReadonlySet<string>;
  readonly mask: (text: string) => string;
  /** Milliseconds since the epoch, and by the ring's clock at the same moment. */
  readonly now: { readonly time: number; readonly ring: number };
}

/** The traffic of one chat as a value; undefined when there is none. Masked with all the secrets that are known by now. */
export function recordingOfChat(traffic: TrafficOfAgent): Recording | undefined {
  const { agent, version, ring, sessionId, others, mask, now } = traffic;
  const { entries, leftOut } = ring;
  const [first] = entries;
  if (!first) return undefined;
  const messages = trafficOfChat(
    entries.flatMap(entry => messagesOf(entry, first.at)),
    sessionId,
    others,
  ).map(entry => ({ ...entry, message: maskedJson(entry.message, mask) }));
  if (messages.length === 0) return undefined;
  const head: RecordingHead = {
    agent,
    at: new Date(now.time - (now.ring - first.at)).toISOString(),
    version,
    ...(leftOut > 0 && { leftOut }),
  };
  return { head, messages };
}

export function exportedTraffic(traffic: TrafficOfAgent): string | undefined {
  const recording = recordingOfChat(traffic);
  return recording && formatRecording(recording);
}

/** A line of an agent may hold several messages. What is none (a long one of which only the ends are kept) is left out. */
function messagesOf({ at, direction, json }: RingEntry, start: number): RecordedMessage[] {
  const from = direction === 'send' ? 'client' : 'agent';
  return messagesInLine(json).messages.flatMap(value => {
    const message = value as unknown as Json;
    return isObject(message) ? [{ t: at - start, from, message: message }] : [];
  });
}
