import type { Hunk, PendingFile } from '../../review/model';
import type { Review } from '../../review/review';
import { KeyedQueue } from '../files/keyedQueue';

/** Clicks on one button that come sooner after each other are one double click, in milliseconds. */
const DOUBLE_CLICK_MS = 300;

interface Click {
  readonly at: number;
  /** How often lenses of the file had been made by then. */
  readonly fetches: number;
}

/**
 * Clicks on buttons that name a hunk. VS Code draws the lenses of a file up to a second after a decision, so a click in
 * a rhythm meets a button whose hunk is decided: it is meant for the hunk that took its place. A second click on
 * a button is another one once VS Code has fetched lenses after the first, or when a double click would have been
 * sooner.
 */
export class HunkClicks {
  private readonly queue = new KeyedQueue();
  /** By path and hunk: the hunks that stood behind one that was decided, in order. */
  private readonly followers = new Map<string, Map<string, readonly string[]>>();
  private readonly clicks = new Map<string, Click>();

  /**
   * @param fetches how often lenses of a file have been made
   * @param now in milliseconds
   */
  constructor(
    private readonly review: Pick<Review, 'get'>,
    private readonly fetches: (path: string) => number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Carries out `decide` on the hunk that a click on the button of `hunkId` is meant for, if any is left. */
  click(path: string, hunkId: string, decide: (id: string) => Promise<void>): Promise<void> {
    const key = JSON.stringify([path, hunkId]);
    const click = { at: this.now(), fetches: this.fetches(path) };
    const before = this.clicks.get(key);
    this.clicks.set(key, click);
    return this.queue.run(path, async () => {
      const file = this.review.get(path);
      if (!file) {
        this.forget(path);
        return;
      }
      const isSame =
        before && click.fetches === before.fetches && click.at - before.at < DOUBLE_CLICK_MS;
      const hunk = find(file, hunkId) ?? (isSame ? undefined : this.successor(file, hunkId));
      if (!hunk) return;
      this.remember(file, hunk);
      await decide(hunk.id);
    });
  }

  private successor(file: PendingFile, hunkId: string): Hunk | undefined {
    const ids = this.followers.get(file.path)?.get(hunkId) ?? [];
    return ids.map(id => find(file, id)).find(hunk => hunk !== undefined);
  }

  private remember({ path, hunks }: PendingFile, hunk: Hunk): void {
    const known = this.followers.get(path) ?? new Map<string, readonly string[]>();
    this.followers.set(path, known);
    const behind = hunks.slice(hunks.indexOf(hunk) + 1);
    known.set(
      hunk.id,
      behind.map(({ id }) => id),
    );
  }

  private forget(path: string): void {
    this.followers.delete(path);
    const prefix = JSON.stringify([path]).slice(0, -1);
    for (const key of this.clicks.keys()) if (key.startsWith(prefix)) this.clicks.delete(key);
  }
}

function find({ hunks }: PendingFile, hunkId: string): Hunk | undefined {
  return hunks.find(({ id }) => id === hunkId);
}
