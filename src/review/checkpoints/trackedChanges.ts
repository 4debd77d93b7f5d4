import type { Author, FileContent, TurnRef } from '../model';
import type { Baseline } from './baselines';

/** What tracking finds out. Called one at a time. */
export interface TrackedChanges {
  /** What is under review at `path` is now; undefined when nothing is. */
  currentOf(path: string): FileContent | undefined;
  /** Files under review. */
  paths(): Iterable<string>;
  /**
   * An agent changed the file, or somebody did while agents worked.
   * @param baseline undefined: nobody can say what the file was.
   */
  agentChanged(
    path: string,
    baseline: Baseline | undefined,
    current: FileContent,
    by: Author,
  ): Promise<void>;
  /** A turn says that it changed the file. */
  claimed(path: string, turn: TurnRef): void;
  userChanged(path: string, current: FileContent): void;
  /** Whether something was to be decided in the file when the user deleted it, or the user's git took it away. */
  mayComeBack(path: string): boolean;
  /** If the file is again what it was then, that is to be decided again. */
  takeUp(path: string, current: FileContent): boolean;
  /** The user moved a file: what is under review goes along. */
  renamed(from: string, to: string): void;
  /** Git ignores the file now: nothing of it is to be kept. */
  forget(path: string): void;
  /** The user's git put the file where it is: nothing in it is to be decided any more. */
  settled(path: string, current: FileContent): void;
  /** Runs `task`, which reports many changes; listeners get them once, at its end. */
  together<T>(task: () => Promise<T>): Promise<T>;
  /** Runs `write`, during which the file's document says what an agent writes, not what the user types. */
  whileWriting<T>(path: string, write: () => Promise<T>): Promise<T>;
  /** HEAD of the repository has moved: `contentOf` says what a file under review is in it. */
  headMoved(contentOf: (path: string) => Promise<FileContent | undefined>): Promise<void>;
}
