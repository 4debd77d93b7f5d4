import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { world } from '../unit/session/world';
import { longestBlock } from './processorTime';
import type { Row } from './wire.bench';

const MEGABYTE = 1024 * 1024;
const ROUNDS = 3;
/** What a user takes for a freeze, in milliseconds. */
const FREEZE = 100;

const done = { respond: { stopReason: 'end_turn' } };
const piece = (text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});
const call = { sessionUpdate: 'tool_call', toolCallId: 'call$N', title: 'Step $N' };
const output = [{ type: 'content', content: { type: 'text', text: '$BIG' } }];

/** A file of 20,000 lines, of which the agent has changed each, or every fifth. */
const LINES = 20_000;
const lines = (isChanged: (n: number) => boolean) =>
  Array.from({ length: LINES }, (_, n) =>
    isChanged(n) ? `  const at${n} = Date.parse(value);\n` : `  const at${n} = new Date();\n`,
  ).join('');
const edit = (isChanged: (n: number) => boolean) => {
  const [oldText, newText] = [lines(() => false), lines(isChanged)];
  return { ...call, content: [{ type: 'diff', path: '/w/big.ts', oldText, newText }] };
};

const LINE = 'a line of 30 MB';

const FLOODS: Readonly<Record<string, readonly unknown[]>> = {
  '50,000 pieces of a message': [{ updates: { count: 50_000, update: piece('$N,') } }, done],
  '2,000 tool calls': [{ updates: { count: 2_000, update: call } }, done],
  'a tool output of 8 MB': [{ big: 8 * MEGABYTE, update: { ...call, content: output } }, done],
  [LINE]: [{ big: 30 * MEGABYTE, update: piece('$BIG') }, done],
  'a diff of 20,000 lines': [{ update: edit(() => true) }, done],
  'a diff of 20,000 lines, each fifth': [{ update: edit(n => n % 5 === 0) }, done],
};

/** The longest time in which nothing else runs in the extension host while a real agent floods a chat. */
export async function benchFreeze(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, steps] of Object.entries(FLOODS)) {
    const longest = await row(name, () => steps);
    rows.push(longest);
    if (name !== LINE) continue;
    // Which nobody can take apart.
    const parse = (await parsing(30 * MEGABYTE)) / FREEZE;
    rows.push({
      name: `${name}: against JSON.parse of it`,
      value: longest.value / parse,
      unit: '×',
    });
  }
  rows.push(await row('5,000 reads at once', readsIn));
  return rows;
}

async function parsing(units: number): Promise<number> {
  const line = JSON.stringify(piece('x'.repeat(units)));
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    best = Math.min(best, await longestBlock(() => Promise.resolve(JSON.parse(line))));
  }
  return best;
}

function readsIn(folder: string): readonly unknown[] {
  const path = join(folder, 'read.txt');
  writeFileSync(path, 'read');
  return [{ flood: { method: 'fs/read_text_file', params: { path }, count: 5_000 } }, done];
}

/** The best of some rounds: the first is for the compiler, and the machine does other things too. */
async function row(name: string, steps: (folder: string) => readonly unknown[]): Promise<Row> {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const w = await world({}, { agentLimits: () => ({ maxLineBytes: 32 * MEGABYTE }) });
    const program = steps(w.cwd);
    best = Math.min(best, await longestBlock(() => w.run(program)));
    await w.end();
  }
  return { name: `${name}: longest block, of ${FREEZE} ms`, value: best / FREEZE, unit: '×' };
}
