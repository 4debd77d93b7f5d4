/**
 * The sentence that carries the design: folding the delivered actions (snapshot plus tail) equals the
 * host's state, whatever is lost, hidden or reloaded in between.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SessionStore } from '../../../src/session/state/store';
import type { FromView, ToView } from '../../../src/shared/messages';
import { ViewSync } from '../../../src/shared/viewSync';
import { ViewStore } from '../../../webview/store';
import { anyAction, START } from './arbitraries';

type Step =
  | { readonly kind: 'dispatch'; readonly action: Parameters<SessionStore['dispatch']>[0] }
  | { readonly kind: 'frame' | 'hide' | 'show' | 'reload' | 'switchChat' }
  /** The next message vanishes; `told`: posting it says so. */
  | { readonly kind: 'lose'; readonly told: boolean }
  | { readonly kind: 'duplicate' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: anyAction.map(action => ({ kind: 'dispatch' as const, action })),
  },
  { weight: 6, arbitrary: fc.constant({ kind: 'frame' as const }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { kind: 'hide' as const },
      { kind: 'show' as const },
      { kind: 'reload' as const },
      { kind: 'switchChat' as const },
    ),
  },
  { weight: 2, arbitrary: fc.boolean().map(told => ({ kind: 'lose' as const, told })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'duplicate' as const }) },
);

/** A host and a view with an unreliable channel between them. Time is the number of steps taken. */
class World {
  readonly stores = [new SessionStore(START), new SessionStore({ ...START, chatId: 'other' })];
  private shown = 0;
  private view: ViewStore | undefined;
  private visible = true;
  private frame: (() => void) | undefined;
  private loss: { readonly told: boolean } | undefined;
  private twice = false;
  private readonly inbox: ToView[] = [];
  private time = 0;

  private readonly sync = new ViewSync(
    message => this.post(message),
    task => {
      this.frame = task;
      return { dispose: () => (this.frame = undefined) };
    },
    () => this.time,
  );

  constructor() {
    this.sync.show(this.store);
    this.load();
  }

  get store(): SessionStore {
    return this.stores[this.shown] as SessionStore;
  }

  get state() {
    return this.view?.session;
  }

  async take(step: Step): Promise<void> {
    this.time += 2000;
    switch (step.kind) {
      case 'dispatch':
        this.store.dispatch(step.action);
        break;
      case 'frame':
        this.paint();
        break;
      case 'hide':
        this.visible = false;
        this.view = undefined;
        break;
      case 'show':
        if (!this.visible) this.load();
        break;
      case 'reload':
        this.load();
        break;
      case 'switchChat':
        this.shown = 1 - this.shown;
        this.sync.show(this.store);
        break;
      case 'lose':
        this.loss = step;
        break;
      case 'duplicate':
        this.twice = true;
        break;
    }
    // Posting is asynchronous: let what was posted arrive, and let its outcome be known.
    await Promise.resolve();
    this.deliver();
    await Promise.resolve();
    this.deliver();
  }

  /** Whatever happened: one more frame, a look at the panel and one more action bring it up to date. */
  async settle(): Promise<void> {
    this.loss = undefined;
    this.twice = false;
    await this.take({ kind: 'show' });
    await this.take({ kind: 'frame' });
    for (const text of ['settle', 'settled']) {
      await this.take({ kind: 'dispatch', action: { type: 'draftTyped', text, viewId: 'v' } });
      await this.take({ kind: 'frame' });
    }
  }

  /** The view says it listens: at first, when shown again, when its page was loaded again. */
  load(): void {
    this.visible = true;
    this.inbox.length = 0;
    this.view = new ViewStore(message => this.fromView(message), {
      now: () => this.time,
      nextFrame: task => task(),
    });
    this.fromView({ type: 'ready', viewId: 'v' });
  }

  private fromView(message: FromView): void {
    if (message.type === 'ready' || message.type === 'resync') this.sync.resync();
  }

  private paint(): void {
    const task = this.frame;
    this.frame = undefined;
    task?.();
  }

  private post(message: ToView): Promise<boolean> {
    const { loss } = this;
    this.loss = undefined;
    if (loss) return Promise.resolve(!loss.told);
    if (!this.visible) return Promise.resolve(false);
    this.inbox.push(message);
    if (this.twice) this.inbox.push(message);
    this.twice = false;
    return Promise.resolve(true);
  }

  private deliver(): void {
    for (const message of this.inbox.splice(0)) {
      this.view?.accept(JSON.parse(JSON.stringify(message)) as ToView);
    }
  }
}

test('the view shows what the host has, after any loss, hiding and reloading', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      const world = new World();
      for (const each of steps) await world.take(each);
      await world.settle();
      // A loss that was told leaves the host waiting for the view, which a visible view repairs on show.
      if (world.state?.draft.text !== 'settled') {
        world.load();
        await world.take({ kind: 'frame' });
      }
      assert.deepEqual(world.state, world.store.state);
    }),
    { numRuns: 10_000, seed: 4 },
  );
});

test('without losses the view is in step after every frame', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { maxLength: 40 }), async actions => {
      const world = new World();
      await world.take({ kind: 'frame' });
      for (const action of actions) {
        await world.take({ kind: 'dispatch', action });
        await world.take({ kind: 'frame' });
        assert.deepEqual(world.state, world.store.state);
      }
    }),
    { numRuns: 1000, seed: 4 },
  );
});
