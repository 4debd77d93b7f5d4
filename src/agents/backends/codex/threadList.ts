import type { Json } from '../../../acp/schema/guards/primitives';
import { number, objects, text } from '../inProcess/json';

/** Letters of a title that are listed. */
const MAX_TITLE = 200;
/** Seconds around 1970 that a date can have. */
const MAX_SECONDS = 8.64e12;

/** What `thread/list` answered, as the answer to `session/list`. */
export function sessionList({ data, nextCursor }: Json): object {
  const next = text(nextCursor);
  return {
    sessions: objects(data).flatMap(listed),
    ...(next !== undefined && { nextCursor: next }),
  };
}

function listed(thread: Json): readonly object[] {
  const [sessionId, cwd] = [text(thread['id']), text(thread['cwd'])];
  if (sessionId === undefined || cwd === undefined) return [];
  const title = (text(thread['name']) ?? text(thread['preview']))?.slice(0, MAX_TITLE);
  const at = number(thread['updatedAt']);
  const isDate = at !== undefined && Math.abs(at) <= MAX_SECONDS;
  return [
    {
      sessionId,
      cwd,
      ...(title !== undefined && { title }),
      ...(isDate && { updatedAt: new Date(at * 1000).toISOString() }),
    },
  ];
}
