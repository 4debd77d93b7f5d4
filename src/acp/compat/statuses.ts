/** How far something is, by the names that agents have for it. */

/** Lower case, letters only: `inProgress`, `IN_PROGRESS` and `in-progress` are the same word. */
export function plainWord(value: string): string {
  return value.toLowerCase().replace(/[^a-z]/g, '');
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ...names('pending', 'pending', 'queued', 'waiting', 'todo', 'notstarted', 'open', 'created'),
  ...names('in_progress', 'inprogress', 'running', 'started', 'active', 'executing', 'working'),
  ...names('in_progress', 'progress', 'current', 'doing', 'ongoing', 'streaming'),
  ...names('completed', 'completed', 'complete', 'done', 'success', 'succeeded', 'successful'),
  ...names('completed', 'finished', 'ok', 'closed', 'skipped'),
  ...names('failed', 'failed', 'failure', 'fail', 'error', 'errored', 'cancelled', 'canceled'),
  ...names('failed', 'rejected', 'denied', 'declined', 'aborted', 'interrupted', 'timeout'),
]);

function names(status: string, ...words: readonly string[]): (readonly [string, string])[] {
  return words.map(word => [word, status]);
}

/** The schema's status for `value`; `value` itself when nobody knows what it means. */
export function asStatus(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return STATUSES.get(plainWord(value)) ?? value;
}

/** As `asStatus`; the plan has no word for a step that failed, which at least is over. */
export function asPlanStatus(value: unknown): unknown {
  const status = asStatus(value);
  return status === 'failed' ? 'completed' : status;
}
