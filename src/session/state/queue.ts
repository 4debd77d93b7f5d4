/** The messages that wait for their turn. Pure; the same reference comes back when nothing changed. */
import type { Message } from './state';

export function withoutMessage(queue: readonly Message[], messageId: string): readonly Message[] {
  const left = queue.filter(({ id }) => id !== messageId);
  return left.length === queue.length ? queue : left;
}

/** @param before the message that it then stands before; the end when that is none of the queue */
export function withMessageMoved(
  queue: readonly Message[],
  messageId: string,
  before: string | undefined,
): readonly Message[] {
  const message = queue.find(({ id }) => id === messageId);
  if (!message || messageId === before) return queue;
  const others = withoutMessage(queue, messageId);
  const place = others.findIndex(({ id }) => id === before);
  const moved = others.toSpliced(place < 0 ? others.length : place, 0, message);
  return moved.every(({ id }, index) => id === queue[index]?.id) ? queue : moved;
}
