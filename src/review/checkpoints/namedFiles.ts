import { canonical, changedAt, lookAt } from './diskFile';
import { withoutEmptied } from './emptied';
import type { Looked } from './folders';
import type { KnownFiles } from './knownFiles';
import type { TrackedFiles } from './trackedFiles';
import type { TrackedTurn, TurnBook } from './turnBook';

interface Named {
  readonly turn: TrackedTurn;
  /** As the agent gave it. */
  readonly file: string;
}

export interface NamedFilesServices {
  readonly known: KnownFiles;
  readonly tracked: TrackedFiles;
  readonly turns: TurnBook;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Learns what files are that agents name, as long as they have not changed them. */
export class NamedFiles {
  private readonly waiting: Named[] = [];

  constructor(private readonly services: NamedFilesServices) {}

  /**
   * A tool call or a request of `turn` named `files`.
   * @returns true when a look is to be taken: what is named until then is looked at together, so that git is
   * asked once for all of it
   */
  add(turn: TrackedTurn, files: readonly string[]): boolean {
    const isFirst = this.waiting.length === 0;
    this.waiting.push(...files.map(file => ({ turn, file })));
    return isFirst;
  }

  /** Looks at what was named since the last time. */
  async look(): Promise<void> {
    const { known, tracked } = this.services;
    const files = new Set<string>();
    for (const { turn, file: given } of this.waiting.splice(0)) {
      const file = await canonical(given);
      if (!tracked.isInside(file)) continue;
      turn.named.add(file);
      files.add(file);
    }
    const looked: Looked[] = [];
    for (const path of files) looked.push({ path, found: await lookAt(path) });
    const isNew = ({ path, found }: Looked) => !known.says(path, found);
    // Changed in this turn already: it is too late to learn what the file was.
    const late = (one: Looked) => this.isChangedInTurn(one);
    const news = (await withoutEmptied(looked, known, one => isNew(one) && !late(one)))
      .filter(isNew)
      .map(one => ({ ...one, isLate: late(one) }))
      .filter(({ isLate, found }) => !isLate || found.kind === 'absent');
    const all = news.map(({ path }) => path);
    const ignored = await tracked.ignoredOf(all, () => true);
    // Of folders that nobody looks at, what is not there has most likely never been.
    const tooLate = news.filter(({ isLate }) => isLate).map(({ path }) => path);
    const unseen = await tracked.ignoredOf(tooLate);
    for (const { path, found, isLate } of news) {
      if (ignored.has(path) || (isLate && !unseen.has(path))) continue;
      await known.set(path, found, true);
    }
  }

  /** Or may be: as long as that cannot be told, what is there now is not what was there before. */
  private isChangedInTurn({ path, found }: Looked): boolean {
    const owner = this.services.turns.ownerOf(path, changedAt(found), this.services.now());
    return owner.kind !== 'user';
  }
}
