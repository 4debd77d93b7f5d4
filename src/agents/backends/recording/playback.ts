import * as l10n from '@vscode/l10n';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { ErrorCode } from '../../../acp/rpc/errors';
import { AgentMethod, SET_MODEL_METHOD } from '../../../acp/schema/methods';
import { Deferred } from '../../../base/deferred';
import { Emitter } from '../../../base/event';
import type { Run } from '../../traffic/lastRun';
import { kindOf, textField, type JsonObject, type RecordedMessage } from '../../traffic/recording';
import { ClientLine } from './clientLine';
import { RecordedIds } from './recordedIds';

export type Speed = 'original' | 'full';

/** A pause before what the user did is no longer than this, in milliseconds. */
const LONGEST_PAUSE = 1_000;

const OPENING: readonly string[] = [
  AgentMethod.newSession,
  AgentMethod.loadSession,
  AgentMethod.resumeSession,
];
/** What the client does when a chat opens, or because the user does something: the playback waits for it. */
const AWAITED: readonly string[] = [
  ...OPENING,
  AgentMethod.initialize,
  AgentMethod.authenticate,
  AgentMethod.prompt,
  AgentMethod.cancel,
  AgentMethod.setMode,
  AgentMethod.setConfigOption,
  SET_MODEL_METHOD,
];

/** Something that the client did in the recording, and has to do now. */
export interface Awaited {
  readonly message: JsonObject;
  /** The agent's request that `message` answers. */
  readonly request?: JsonObject;
  /** The user stopped the turn at this moment. */
  readonly isStop: boolean;
  /** It cannot be done here: what was said to it is left out. */
  skip(): void;
}

/** Plays the agent's side of a recording, in order: where it is the client's turn, it waits for the client. */
export class Playback {
  private readonly awaited = new Emitter<Awaited>();
  /** It is the client's turn. */
  readonly onDidAwait = this.awaited.event;
  private readonly client: ClientLine;
  private readonly ids = new RecordedIds();
  /** The agent's requests by id, as recorded. */
  private readonly asked = new Map<string, JsonObject>();
  /** Ids of recorded requests that the client does not send this time. */
  private readonly skipped = new Set<string>();
  private readonly ended = new AbortController();
  private readonly finished = new Deferred<void>();
  /** Resolves when all is played, or nothing more will be. */
  readonly done = this.finished.promise;
  private begun = false;
  private send: (message: JsonObject) => void = () => undefined;

  constructor(
    readonly run: Run,
    private readonly speed: Speed,
  ) {
    this.client = new ClientLine(
      run.messages.flatMap(({ from, message }) => {
        const method = textField(message, 'method') ?? '';
        return from === 'client' && AWAITED.includes(method) ? [lineOf(method)] : [];
      }),
    );
  }

  /** It cannot be played again. */
  get isUsed(): boolean {
    return this.begun;
  }

  /** Plays to the end. To be called once. @param send brings a message to the client */
  async play(send: (message: JsonObject) => void): Promise<void> {
    this.begun = true;
    this.send = message => send({ jsonrpc: '2.0', ...message });
    let before = 0;
    for (const [index, entry] of this.run.messages.entries()) {
      await this.pause(entry, entry.t - before);
      before = entry.t;
      if (this.ended.signal.aborted) return;
      if (entry.from === 'agent') this.say(entry.message);
      else await this.await(entry.message, index);
      // What follows from a message has begun before the next.
      await nextTurn();
      if (this.ended.signal.aborted) return;
    }
    this.end({ error: { code: ErrorCode.internal, message: endText() } });
  }

  /** The client has sent something. */
  received(message: JsonObject): void {
    const kind = kindOf(message);
    if (kind.kind === 'response') return this.client.answered(message);
    const id = kind.kind === 'request' ? kind.id : null;
    const isRecorded = !this.ended.signal.aborted && this.client.sent(lineOf(kind.method), id);
    if (isRecorded) return;
    if (kind.kind === 'request') this.send({ id, ...answerTo(kind.method) });
    // A stop that is not in the recording ends it.
    else if (kind.method === AgentMethod.cancel) this.end({ result: { stopReason: 'cancelled' } });
  }

  /** Nothing more is said. */
  stop(): void {
    this.end();
    this.awaited.dispose();
  }

  private async pause({ from }: RecordedMessage, recorded: number): Promise<void> {
    if (this.speed === 'full' || recorded <= 0) return;
    const wait = from === 'agent' ? recorded : Math.min(recorded, LONGEST_PAUSE);
    await delay(wait, undefined, { signal: this.ended.signal }).catch(() => undefined);
  }

  private say(message: JsonObject): void {
    const kind = kindOf(message);
    if (kind.kind === 'request') this.asked.set(JSON.stringify(kind.id), message);
    if (kind.kind !== 'response') {
      this.send(this.ids.present(message));
    } else if (!this.skipped.has(JSON.stringify(kind.id))) {
      const id = this.ids.requestNow(kind.id);
      this.client.settled(id);
      this.send({ ...this.ids.present(message), id });
    }
  }

  private async await(message: JsonObject, index: number): Promise<void> {
    const kind = kindOf(message);
    if (kind.kind === 'response') return this.awaitAnswer(message, index);
    if (AWAITED.includes(kind.method)) {
      const line = lineOf(kind.method);
      const sent = this.client.next(line);
      const isStop = kind.method === AgentMethod.cancel;
      this.awaited.fire({ message, isStop, skip: () => this.client.skip(line) });
      const id = await sent;
      if (kind.kind !== 'request') return;
      if (id !== undefined) return this.ids.pair(kind.id, id);
    }
    if (kind.kind === 'request') this.skipped.add(JSON.stringify(kind.id));
  }

  private async awaitAnswer(message: JsonObject, index: number): Promise<void> {
    const key = JSON.stringify(message['id']);
    const request = this.asked.get(key);
    if (!request) return;
    this.asked.delete(key);
    const answer = this.client.answer(message);
    const skip = (): void => this.client.answered(message);
    this.awaited.fire({ message, request, isStop: this.isStopped(index), skip });
    const answered = await answer;
    const [recorded, now] = [message, answered].map(each =>
      textField(each, 'result', 'terminalId'),
    );
    if (recorded !== undefined && now !== undefined) this.ids.rename(recorded, now);
  }

  /** Whether the user stopped the turn as that request waited: the client says it beside the answer. */
  private isStopped(index: number): boolean {
    const { messages } = this.run;
    const next = messages.findIndex(({ from }, at) => at > index && from === 'agent');
    const last = messages.findLastIndex(({ from }, at) => at < index && from === 'agent');
    return messages
      .slice(last + 1, next === -1 ? undefined : next)
      .some(({ message }) => message['method'] === AgentMethod.cancel);
  }

  /** @param answer what is said to all that waits */
  private end(answer?: JsonObject): void {
    this.ended.abort();
    if (answer) for (const id of this.client.open) this.send({ id, ...answer });
    this.client.end();
    this.finished.resolve();
  }
}

/** Ways to open a session stand for each other: what an agent offers decides which the client takes. */
function lineOf(method: string): string {
  return OPENING.includes(method) ? 'opening' : method;
}

/** To what is not in the recording. */
function answerTo(method: string): JsonObject {
  switch (method) {
    case AgentMethod.listSessions:
      return { result: { sessions: [] } };
    case AgentMethod.closeSession:
      return { result: {} };
    default:
      return { error: { code: ErrorCode.internal, message: endText() } };
  }
}

function endText(): string {
  return l10n.t('The recording ends here, and there is no agent to continue it.');
}
