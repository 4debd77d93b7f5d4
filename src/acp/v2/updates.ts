/** Updates of v2 inside: kinds that v1 has too in its shapes, the others as they are. */
import { isObject, type Json } from '../schema/guards/primitives';
import { listOf, listOfCommands, listOfOptions } from './answers';

export function updateOf(update: Json): Json {
  switch (update['sessionUpdate']) {
    case 'tool_call_update':
      return callOf(update);
    case 'tool_call_content_chunk':
      return { ...update, content: contentOf(update['content']) };
    case 'plan_update':
      return { ...update, plan: planOf(update['plan']) };
    case 'available_commands_update':
      return { ...update, availableCommands: listOfCommands(update['availableCommands']) };
    case 'config_option_update':
      return { ...update, configOptions: listOfOptions(update['configOptions']) };
    default:
      return update;
  }
}

/** Statuses that v1 has no word for; one that nobody knows is still in progress. */
const STATUSES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['pending', 'pending'],
  ['in_progress', 'in_progress'],
  ['paused', 'in_progress'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
]);

/** A tool call: what is left out stays, what is null goes. */
export function callOf(call: Json): Json {
  const { status, content, locations, title, kind } = call;
  const items = content === null ? [] : content;
  const changed = listOf(items).flatMap(({ changes }) => listOf(changes));
  // What changes is named also where nothing of it is shown, beside what the agent itself names.
  const own = listOf(locations);
  const named = new Set(own.map(({ path }) => path));
  const places = changed
    .flatMap(({ path, oldPath }) => [path, oldPath])
    .filter(path => typeof path === 'string' && !named.has(path))
    .map(path => ({ path }));
  return {
    ...call,
    ...(status !== undefined &&
      status !== null && { status: STATUSES.get(status) ?? 'in_progress' }),
    ...(Array.isArray(items) && { content: items.map(contentOf) }),
    ...(locations === null && { locations: [] }),
    ...(places.length > 0 && { locations: [...own, ...places] }),
    ...(title === null && { title: '' }),
    ...(kind === null && { kind: 'other' }),
  };
}

/** A list of changes has a type of its own inside: v1's diff is one text. */
function contentOf(item: unknown): unknown {
  return isObject(item) && item['type'] === 'diff' && Array.isArray(item['changes'])
    ? { ...item, type: 'changes' }
    : item;
}

/** Steps that are not taken any more are left out. */
function planOf(plan: unknown): unknown {
  if (!isObject(plan) || !Array.isArray(plan['entries'])) return plan;
  return {
    ...plan,
    entries: listOf(plan['entries']).filter(({ status }) => status !== 'cancelled'),
  };
}
