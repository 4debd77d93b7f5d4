/** Messages gone wrong in every way that a program, a pipe or a bad build of an agent can bring about. */

type Node = Record<string, unknown> | unknown[];

/** Mulberry32: the same seed gives the same messages on every machine. */
export class Random {
  constructor(private state: number) {}

  /** From 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0, below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  oneIn(chance: number): boolean {
    return this.below(chance) === 0;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }
}

/** Stands for a value nested too deep for `JSON.stringify`; put in as text. */
const DEEP = '\u0001deep';

const WRONG: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  'x',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '[MODE_UPDATE] plan',
  [],
  [null],
  [[]],
  {},
  { type: 'text' },
  { type: 'unknown_kind', text: 5 },
  { sessionUpdate: 'tool_call' },
  { length: 5 },
  { toString: 1, valueOf: null, toJSON: 'x' },
];

const WRONG_JSON = WRONG.map(value => JSON.stringify(value));

const KINDS = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
  'compaction_update',
  'compaction_summary_chunk',
  'current_model_update',
  'plan_update',
  'subagent_update',
  'state_update',
  'user_message',
  'agent_message',
  'tool_call_content_chunk',
  'terminal_update',
  'terminal_output_chunk',
  'of_tomorrow',
  'toString',
  '__proto__',
];

/** A line of JSON for `message`, changed in some places. `message` is changed too. */
export function mutatedLine(message: Record<string, unknown>, random: Random): string {
  for (let changes = random.below(4); changes >= 0; changes--) mutate(message, random);
  const json = JSON.stringify(message);
  if (!json.includes(DEEP_JSON)) return json;
  const depth = random.pick([100, 5_000, 30_000]);
  const [open, close] = random.oneIn(2) ? ['[', ']'] : ['{"content":', '}'];
  return json.replace(DEEP_JSON, () => `${open.repeat(depth)}1${close.repeat(depth)}`);
}

const DEEP_JSON = JSON.stringify(DEEP);

function mutate(message: Record<string, unknown>, random: Random): void {
  const node = somewhere(message, random);
  const keys = Object.keys(node);
  const key = keys.length > 0 ? random.pick(keys) : 'x';
  const target = node as Record<string, unknown>;
  switch (random.below(9)) {
    case 0:
      if (Array.isArray(node)) node.splice(Number(key), 1);
      else Reflect.deleteProperty(target, key);
      return;
    case 1:
      target[key] = null;
      return;
    case 2:
    case 3:
      target[key] = wrong(random);
      return;
    case 4:
      if (Array.isArray(node)) node.push(...node.slice(0, 50));
      else target[`${key}2`] = target[key];
      return;
    case 5:
      if (Array.isArray(node)) node.reverse();
      else target[key] = target[random.pick(keys.length > 0 ? keys : ['x'])];
      return;
    case 6:
      if ('sessionUpdate' in target) target['sessionUpdate'] = random.pick(KINDS);
      else if ('toolCallId' in target) target['toolCallId'] = `call-${random.below(5)}`;
      else if ('type' in target) target['type'] = random.pick(['text', 'diff', 'terminal', 'x']);
      else target['_meta'] = wrong(random);
      return;
    case 7:
      if (random.oneIn(150)) target[key] = huge(random);
      else target[key] = JSON.stringify(target[key]);
      return;
    case 8:
      target[key] = random.oneIn(150) ? DEEP : [target[key]];
      return;
  }
}

/** A copy: later mutations change it. */
function wrong(random: Random): unknown {
  return JSON.parse(random.pick(WRONG_JSON));
}

function huge(random: Random): unknown {
  switch (random.below(4)) {
    case 0:
      return 'é"\\ line\n'.repeat(20_000);
    case 1:
      return Array.from({ length: 5_000 }, (_, index) => ({ content: `entry ${index}` }));
    case 2:
      return Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]));
    default:
      return 'a'.repeat(300_000);
  }
}

function somewhere(root: Record<string, unknown>, random: Random): Node {
  let node: Node = root;
  for (;;) {
    const inner: Node[] = Object.values(node).filter(isNode);
    if (inner.length === 0 || (node !== root && random.oneIn(3))) return node;
    node = random.pick(inner);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** What a pipe can do to lines: order, ends, joins, cuts, bytes that are no text. */
export function bytesOf(lines: readonly string[], random: Random): Buffer {
  const parts: Buffer[] = [];
  const ordered = [...lines];
  for (let index = 1; index < ordered.length; index++) {
    if (!random.oneIn(20)) continue;
    const [before, after] = [ordered[index - 1] ?? '', ordered[index] ?? ''];
    ordered[index - 1] = after;
    ordered[index] = before;
  }
  for (const line of ordered) {
    const bytes = Buffer.from(line);
    parts.push(random.oneIn(25) ? damaged(bytes, random) : bytes);
    if (random.oneIn(50)) parts.push(bytes, Buffer.from('\n'));
    if (!random.oneIn(60)) parts.push(Buffer.from(random.oneIn(10) ? '\r\n' : '\n'));
  }
  return Buffer.concat(parts);
}

function damaged(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([head, Buffer.from('\n'), tail]);
    case 1:
      return Buffer.concat([head, Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]), tail]);
    case 2:
      return head;
    case 3:
      return Buffer.concat([Buffer.from('[INFO] starting… '), bytes]);
    case 4:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    default:
      return Buffer.concat([head, tail.subarray(1)]);
  }
}

/** Pieces of `bytes` as a pipe may hand them on. */
export function* piecesOf(bytes: Buffer, random: Random): Generator<Buffer> {
  for (let from = 0; from < bytes.length;) {
    const length = 1 + random.below(random.oneIn(10) ? 20 : 64 * 1024);
    yield bytes.subarray(from, from + length);
    from += length;
  }
}
