import type { Logger } from '../../base/logger';
import type { TurnRef } from '../model';
import { canonical, lookAt } from './diskFile';
import { withoutEmptied } from './emptiedFiles';
import type { Looked } from './folders';
import type { KnownFiles } from './knownFiles';
import type { TrackedChanges } from './trackedChanges';
import type { TrackedFiles } from './trackedFiles';
import type { OpenTurn, TurnRegistry } from './turnRegistry';

export interface NamedFile {
  readonly ref: TurnRef;
  /** As the agent gave it. */
  readonly file: string;
  /** What names it may change it. */
  readonly isClaimed: boolean;
}

export interface NamedFilesServices {
  readonly known: KnownFiles;
  readonly tracked: TrackedFiles;
  readonly turns: TurnRegistry;
  readonly changes: Pick<TrackedChanges, 'claimed'>;
  readonly logger: Logger;
}

/** Learns what files are that agents name, as long as they have not changed them. */
export class NamedFiles {
  private readonly waiting: NamedFile[] = [];

  constructor(private readonly services: NamedFilesServices) {}

  /**
   * A tool call or a request named files.
   * @returns true when a look is to be taken: what is named until then is looked at together, so that git is
   * asked once for all of it
   */
  add(files: readonly NamedFile[]): boolean {
    const isFirst = this.waiting.length === 0;
    this.waiting.push(...files);
    return isFirst;
  }

  /** What the agent of a turn says it has changed, and the review does not have, goes to the log. */
  async compare(turn: OpenTurn | undefined): Promise<void> {
    const { known, tracked, logger } = this.services;
    if (!turn) return;
    const inside: string[] = [];
    const note = (file: string, why: string) =>
      logger.info(`${turn.agent} says it changed ${file}, which is not reviewed: ${why}`);
    for (const given of turn.reported) {
      const file = await canonical(given);
      if (!tracked.isInside(file)) note(file, 'it is outside the workspace');
      else if (!known.get(file)) inside.push(file);
    }
    if (inside.length === 0) return;
    for (const file of await tracked.ignoredOf(inside, () => true)) note(file, 'it is ignored');
  }

  /** Looks at what was named since the last time. */
  async look(): Promise<void> {
    const { known, tracked, turns, changes } = this.services;
    const files = new Set<string>();
    for (const { ref, file: given, isClaimed } of this.waiting.splice(0)) {
      const file = await canonical(given);
      if (!tracked.isInside(file)) continue;
      const turn = turns.get(ref);
      turn?.named.add(file);
      if (isClaimed) {
        turn?.claimed.add(file);
        changes.claimed(file, ref);
      }
      if (turn) files.add(file);
    }
    const looked: Looked[] = [];
    for (const path of files) looked.push({ path, found: await lookAt(path) });
    const isNew = ({ path, found }: Looked) => !known.says(path, found);
    // Changed in this turn already: it is too late to learn what the file was.
    const maybeOfTurn = ({ found }: Looked) => turns.mayBeOfTurn(found);
    const news = (await withoutEmptied(looked, known, one => isNew(one) && !maybeOfTurn(one)))
      // What is known is what the file was, whatever it is by now.
      .filter(({ path }) => (known.get(path)?.kind ?? 'unread') === 'unread')
      .map(one => ({ ...one, isOfTurn: maybeOfTurn(one) }))
      .filter(({ isOfTurn, found }) => !isOfTurn || found.kind === 'absent');
    const all = news.map(({ path }) => path);
    const ignored = await tracked.ignoredOf(all, () => true);
    // Of folders that nobody looks at, what is not there has most likely never been.
    const ofTurn = news.filter(({ isOfTurn }) => isOfTurn).map(({ path }) => path);
    const unseen = await tracked.ignoredOf(ofTurn);
    for (const { path, found, isOfTurn } of news) {
      if (ignored.has(path) || (isOfTurn && !unseen.has(path))) continue;
      await known.set(path, found, true);
    }
  }
}
