import { RequestError } from '../../../acp/rpc/errors';
import type { Json } from '../../../acp/schema/guards/primitives';
import { number, objects, text } from '../inProcess/json';

/** Letters of a title that are listed. */
const MAX_TITLE = 200;
/** Seconds around 1970 that a date can have. */
const MAX_SECONDS = 8.64e12;

/** The `archived` of `session/list`, as that of `thread/list`, which has no way to ask for both. */
export function isArchivedFilter(value: unknown): boolean {
  if (value === undefined || value === null || value === 'exclude') return false;
  if (value === 'only') return true;
  throw RequestError.invalidParams('"archived" must be "exclude" or "only".');
}

/** What `thread/list` answered, as the answer to `session/list`. */
export function sessionList({ data, nextCursor }: Json, archived: boolean): object {
  const next = text(nextCursor);
  return {
    sessions: objects(data)
      .flatMap(listed)
      .map(session => ({ ...session, archived })),
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
