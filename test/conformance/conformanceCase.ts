/** One thing that the protocol has, with a real agent process that uses it. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Part, SessionState } from '../../src/session/state/state';
import { allTurns } from '../../src/session/state/selectors';
import { world, type World } from '../unit/session/world';
import { SentValidator } from './schema';

export interface ConformanceCase {
  /** As the schema calls it. */
  readonly name: string;
  /** What Parley does with it, for the table: one line. */
  readonly does: string;
  readonly run: (it: Run) => Promise<void>;
}

export interface ConformanceGroup {
  readonly title: string;
  /** What the schema has of this; undefined for what lies outside it. */
  readonly all?: readonly string[];
  readonly cases: readonly ConformanceCase[];
}

/** Speaks v2 by the SDK's own side of agents. */
const VERSION2 = resolve('test/agents/version2.mjs');

type Options = NonNullable<Parameters<typeof world>[1]>;

/** Starts agents for one case, and checks all that was sent to them. */
export class Run {
  private readonly validator: SentValidator;
  private readonly worlds: World[] = [];
  /** Everything that was sent to the agents, in order. */
  readonly sent: {
    readonly method?: string;
    readonly params?: unknown;
    readonly result?: unknown;
  }[] = [];

  constructor(private readonly version: 'v1' | 'v2' = 'v1') {
    this.validator = new SentValidator(version);
  }

  /** A chat with an agent that does what `program` says (see `programAgent.mjs`). */
  async chat(program: Record<string, unknown> = {}, options: Options = {}): Promise<World> {
    const opened = await world(program, {
      ...(this.version === 'v2' && { agentFile: VERSION2 }),
      ...options,
      tap: traffic => {
        this.validator.tap(traffic);
        if (traffic.direction === 'send') this.sent.push(JSON.parse(traffic.json) as object);
      },
    });
    this.worlds.push(opened);
    return opened;
  }

  /** The parameters of the calls of `method` so far. */
  calls(method: string): readonly unknown[] {
    return this.sent.filter(message => message.method === method).map(({ params }) => params);
  }

  called(method: string): boolean {
    return this.validator.called.has(method) || this.validator.answered.has(method);
  }

  async end(): Promise<void> {
    for (const opened of this.worlds) await opened.end();
    assert.deepEqual(this.validator.problems, [], 'all that was sent is as the schema says');
  }
}

/** A case in a chat of its own: `steps` in one turn, then `check`. */
export function inTurn(
  name: string,
  does: string,
  steps: readonly unknown[],
  check: (state: SessionState, it: Run, chat: World) => void,
  program: Record<string, unknown> = {},
): ConformanceCase {
  return {
    name,
    does,
    async run(it) {
      const chat = await it.chat(program);
      check(await chat.run(steps), it, chat);
    },
  };
}

export const update = (sessionUpdate: string, fields: object): object => ({
  update: { sessionUpdate, ...fields },
});

export const text = (value: string): object => ({ type: 'text', text: value });

export const ask = (method: string, params: object): object => ({ ask: { method, params } });

/** Every part of the chat, oldest first. */
export function parts(state: SessionState): readonly Part[] {
  return allTurns(state).flatMap(turn => turn.parts);
}

/** The only part of that kind. */
export function only<K extends Part['kind']>(
  state: SessionState,
  kind: K,
): Extract<Part, { kind: K }> {
  const found = parts(state).filter(
    (part): part is Extract<Part, { kind: K }> => part.kind === kind,
  );
  assert.equal(found.length, 1, `one ${kind} among ${JSON.stringify(parts(state))}`);
  return found[0] as Extract<Part, { kind: K }>;
}

/** What the agent was answered, as it said it. */
export function answers(state: SessionState): string {
  return parts(state)
    .flatMap(part => (part.kind === 'text' ? [part.text] : []))
    .join('');
}
