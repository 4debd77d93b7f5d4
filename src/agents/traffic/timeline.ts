import { bytesOf } from '../../base/bytes';
import { field, kindOf, textField, type Json, type RecordedMessage, type Side } from './recording';

/** One message on the timeline. */
export interface TimelineRow {
  /** Milliseconds since the first. */
  readonly t: number;
  readonly from: Side;
  readonly kind: 'request' | 'notification' | 'answer' | 'error';
  /** Its method, or that of what it answers; of an update, which. */
  readonly what: string;
  readonly bytes: number;
  /** Milliseconds from the request to this answer. */
  readonly latency?: number;
}

/** What went over the wire, in order, with how long each answer took. */
export function timelineOf(messages: readonly RecordedMessage[]): TimelineRow[] {
  const asked = new Map<string, { readonly t: number; readonly what: string }>();
  const start = messages[0]?.t ?? 0;
  return messages.map(({ t, from, message }) => {
    const kind = kindOf(message);
    const bytes = bytesOf(JSON.stringify(message));
    const row = { t: t - start, from, bytes };
    if (kind.kind === 'response') {
      const key = keyOf(from === 'client' ? 'agent' : 'client', kind.id);
      const request = asked.get(key);
      asked.delete(key);
      return {
        ...row,
        kind: field(message, 'error') === undefined ? ('answer' as const) : ('error' as const),
        what: request?.what ?? '?',
        ...(request && { latency: t - request.t }),
      };
    }
    const update = textField(message, 'params', 'update', 'sessionUpdate');
    const what = update === undefined ? kind.method : `${kind.method} · ${update}`;
    if (kind.kind === 'request') asked.set(keyOf(from, kind.id), { t, what });
    return { ...row, kind: kind.kind, what };
  });
}

function keyOf(side: Side, id: Json | undefined): string {
  return `${side} ${JSON.stringify(id)}`;
}
