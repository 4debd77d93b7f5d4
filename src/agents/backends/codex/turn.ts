import type { Json } from '../../../acp/schema/guards/primitives';
import { Deferred } from '../../../base/deferred';
import { object, text } from '../inProcess/json';

/** A prompt, and all that Codex does for it: a turn of Codex's, or one after another. */
export class Turn {
  isCancelled = false;
  /** What Codex has proposed in it, in the mode for plans. */
  plan: string | undefined;
  private id: string | undefined;
  private started!: Deferred<string>;
  private done!: Deferred<Json>;

  constructor() {
    this.next();
  }

  /** The id of the turn that runs now: resolves once Codex has named it. */
  get begun(): Promise<string> {
    return this.started.promise;
  }

  /** The id of the turn that runs; undefined when it has ended before Codex has named it. */
  get running(): Promise<string | undefined> {
    const over = this.done.promise.then(
      () => undefined,
      () => undefined,
    );
    return Promise.race([this.begun, over]);
  }

  /** Resolves with the turn of Codex's that has ended. @throws what `fail` says */
  get ended(): Promise<Json> {
    return this.done.promise;
  }

  /** What comes is of the next turn. */
  next(): void {
    this.id = undefined;
    this.plan = undefined;
    this.started = new Deferred();
    this.done = new Deferred();
    // Whoever waits for it may have gone.
    this.done.promise.catch(() => undefined);
  }

  notified(method: string, params: Json): void {
    const turn = object(params['turn']);
    const id = text(turn['id']);
    if (method === 'turn/started') this.named(id);
    const item = object(params['item']);
    if (method === 'item/completed' && item['type'] === 'plan') this.plan = text(item['text']);
    const isOurs = this.id === undefined || id === this.id;
    if (method === 'turn/completed' && isOurs) this.done.resolve(turn);
  }

  /** @param id of the turn that Codex has begun */
  named(id: string | undefined): void {
    if (id === undefined || this.id !== undefined) return;
    this.id = id;
    this.started.resolve(id);
  }

  fail(error: unknown): void {
    this.done.reject(error);
  }

  /** It is over, whatever comes yet. */
  stop(): void {
    this.done.resolve({ status: 'interrupted' });
  }
}
