import { kindOf, type Json, type JsonObject } from '../../traffic/recording';

/** What the client sends, each thing once: asked for in the order of the recording. */
export class ClientLine {
  /** How many requests, and stops, of each method are still to come. */
  private readonly expected = new Map<string, number>();
  private readonly arrived = new Map<string, Json[]>();
  private readonly waiting = new Map<string, (id: Json | undefined) => void>();
  private readonly answers = new Map<string, JsonObject>();
  private readonly waitingForAnswer = new Map<string, (answer: JsonObject | undefined) => void>();
  /** Requests that have no answer yet. */
  private readonly unanswered = new Map<string, Json>();
  private isEnded = false;

  /** @param methods of the requests that the recording has, as often as it has them */
  constructor(methods: readonly string[]) {
    for (const method of methods) this.expected.set(method, this.left(method) + 1);
  }

  /** A request, or a stop, has come; false when the recording has none for it. @param id null when there is none */
  sent(method: string, id: Json): boolean {
    const left = this.left(method);
    if (left === 0) return false;
    this.expected.set(method, left - 1);
    if (id !== null) this.unanswered.set(JSON.stringify(id), id);
    const waiter = this.waiting.get(method);
    this.waiting.delete(method);
    if (waiter) waiter(id);
    else this.arrived.set(method, [...(this.arrived.get(method) ?? []), id]);
    return true;
  }

  /** Resolves with the id of the next of `method`; with undefined when there will be none. */
  next(method: string): Promise<Json | undefined> {
    const id = this.arrived.get(method)?.shift();
    if (id !== undefined || this.isEnded) return Promise.resolve(id);
    return new Promise(resolve => this.waiting.set(method, resolve));
  }

  /** The next of `method`, which is waited for, will not come. */
  skip(method: string): void {
    this.expected.set(method, Math.max(0, this.left(method) - 1));
    this.waiting.get(method)?.(undefined);
    this.waiting.delete(method);
  }

  /** The client has answered a request of the agent's. */
  answered(message: JsonObject): void {
    const key = keyOf(message);
    const waiter = this.waitingForAnswer.get(key);
    this.waitingForAnswer.delete(key);
    if (waiter) waiter(message);
    else this.answers.set(key, message);
  }

  /** Resolves with what the client answers the agent's request of that id; with undefined when it will not. */
  answer(recorded: JsonObject): Promise<JsonObject | undefined> {
    const key = keyOf(recorded);
    const answer = this.answers.get(key);
    this.answers.delete(key);
    if (answer || this.isEnded) return Promise.resolve(answer);
    return new Promise(resolve => this.waitingForAnswer.set(key, resolve));
  }

  /** A request of the client's has been answered. */
  settled(id: Json): void {
    this.unanswered.delete(JSON.stringify(id));
  }

  /** Ids of the client's requests that have no answer. */
  get open(): readonly Json[] {
    return [...this.unanswered.values()];
  }

  /** Nobody waits any more. */
  end(): void {
    this.isEnded = true;
    for (const resolve of this.waiting.values()) resolve(undefined);
    for (const resolve of this.waitingForAnswer.values()) resolve(undefined);
    this.waiting.clear();
    this.waitingForAnswer.clear();
    this.unanswered.clear();
  }

  private left(method: string): number {
    return this.expected.get(method) ?? 0;
  }
}

function keyOf(message: JsonObject): string {
  const kind = kindOf(message);
  return JSON.stringify(kind.kind === 'response' ? kind.id : undefined) ?? '';
}
