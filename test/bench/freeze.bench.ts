import { monitorEventLoopDelay } from 'node:perf_hooks';
import { world } from '../unit/session/world';
import type { Row } from './wire.bench';

const MEGABYTE = 1024 * 1024;
const ROUNDS = 3;
/** What a user takes for a freeze, in milliseconds. */
const FREEZE = 100;
/** Milliseconds between looks at the event loop, which count as no delay. */
const RESOLUTION = 5;

const done = { respond: { stopReason: 'end_turn' } };
const piece = (text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});
const call = { sessionUpdate: 'tool_call', toolCallId: 'call$N', title: 'Step $N' };
const output = [{ type: 'content', content: { type: 'text', text: '$BIG' } }];
const read = { method: 'fs/read_text_file', params: { path: '/nowhere/$N' }, count: 5_000 };

const FLOODS: Readonly<Record<string, readonly unknown[]>> = {
  '50,000 pieces of a message': [{ updates: { count: 50_000, update: piece('$N,') } }, done],
  '2,000 tool calls': [{ updates: { count: 2_000, update: call } }, done],
  'a tool output of 8 MB': [{ big: 8 * MEGABYTE, update: { ...call, content: output } }, done],
  'a line of 30 MB': [{ big: 30 * MEGABYTE, update: piece('$BIG') }, done],
  '5,000 reads at once': [{ flood: read }, done],
};

/**
 * The longest time in which nothing else runs in the extension host while a real agent floods a chat: the best of
 * some rounds, as the machine does other things too.
 */
export async function benchFreeze(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, steps] of Object.entries(FLOODS)) {
    const longest: number[] = [];
    for (let round = 0; round < ROUNDS; round++) longest.push(await longestBlock(steps));
    const best = Math.min(...longest);
    rows.push({ name: `${name}: longest block, of ${FREEZE} ms`, value: best / FREEZE, unit: '×' });
  }
  return rows;
}

async function longestBlock(steps: readonly unknown[]): Promise<number> {
  const w = await world({}, { agentLimits: () => ({ maxLineBytes: 16 * MEGABYTE }) });
  try {
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
    delays.enable();
    await w.run(steps);
    delays.disable();
    return delays.max / 1e6 - RESOLUTION;
  } finally {
    await w.end();
  }
}
