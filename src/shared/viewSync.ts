import type { Disposable } from '../base/lifecycle';
import type { SessionAction } from '../session/state/actions';
import { pushMerged } from '../session/state/mergeActions';
import type { SessionState } from '../session/state/state';
import type { SessionStore } from '../session/state/store';
import type { ToView } from './messages';

/** Actions of one batch. */
const MAX_PENDING = 2_000;

/** Runs `task` once, soon (a frame later); the result takes it back. */
export type Schedule = (task: () => void) => Disposable;

/**
 * Keeps one view in step with one chat. Actions are sent in batches, at most one a frame; the first thing
 * a view gets, and all it gets after losing something, is a snapshot of a new generation.
 *
 * A message may be lost (a hidden webview drops what it is sent). When posting says so, nothing more is
 * sent until the view asks again with `ready` or `resync`.
 */
export class ViewSync implements Disposable {
  private store: SessionStore | undefined;
  private subscription: Disposable | undefined;
  private scheduled: Disposable | undefined;
  private pending: SessionAction[] = [];
  private sentSeq = 0;
  private generation = 0;
  private live = false;

  constructor(
    private readonly post: (message: ToView) => PromiseLike<boolean>,
    private readonly schedule: Schedule,
    private readonly now: () => number,
  ) {}

  /** Shows `store` from now on (undefined: no chat) and lets the view know, if it listens. */
  show(store: SessionStore | undefined): void {
    this.subscription?.dispose();
    this.store = store;
    this.subscription = store?.onDidApply(({ action }) => this.add(action));
    if (this.live) this.resync();
  }

  /** The view is there and wants everything: answer to `ready` and `resync`. */
  resync(): void {
    this.live = true;
    this.clear();
    this.generation += 1;
    const { store, generation } = this;
    if (!store) {
      this.send({ type: 'noChat' });
      return;
    }
    this.sentSeq = store.seq;
    const state: SessionState = store.state;
    this.send({ type: 'snapshot', generation, seq: store.seq, state, now: this.now() });
  }

  /** The view is gone or hidden: keep still until it asks again. */
  pause(): void {
    this.live = false;
    this.clear();
  }

  dispose(): void {
    this.pause();
    this.subscription?.dispose();
  }

  private add(action: SessionAction): void {
    if (!this.live) return;
    // More than a view can apply between two frames: the whole is then less than all that led to it.
    if (this.pending.length <= MAX_PENDING) pushMerged(this.pending, action);
    this.scheduled ??= this.schedule(() => this.flush());
  }

  private flush(): void {
    this.scheduled = undefined;
    const { store, generation, pending } = this;
    if (!store || !this.live || pending.length === 0) return;
    if (pending.length > MAX_PENDING) {
      this.resync();
      return;
    }
    const from = this.sentSeq + 1;
    const to = store.seq;
    this.pending = [];
    this.sentSeq = to;
    this.send({ type: 'actions', generation, from, to, actions: pending });
  }

  private send(message: ToView): void {
    const { generation } = this;
    const lost = () => {
      if (generation === this.generation) this.pause();
    };
    this.post(message).then(delivered => {
      if (!delivered) lost();
    }, lost);
  }

  private clear(): void {
    this.scheduled?.dispose();
    this.scheduled = undefined;
    this.pending = [];
  }
}
