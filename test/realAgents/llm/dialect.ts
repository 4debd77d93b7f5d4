/** One API of a model provider: how its requests are read and its answers written. */
import type { Answer, Conversation } from './conversation';
import type { EventStream } from './eventStream';
import type { Json } from './json';

export interface Dialect {
  readonly name: string;
  /** Whether a POST to `path` is a question in this dialect. */
  matches(path: string): boolean;
  read(body: Json): Conversation;
  wantsStream(body: Json, path: string): boolean;
  whole(answer: Answer, body: Json): Json;
  stream(answer: Answer, body: Json, out: EventStream): Promise<void>;
}
