/** A scene answers one kind of request. Each lives in its own file under `scenes/`. */
import type * as schema from '../acp/schema/schema';
import type { Ask } from './ask';
import type { Turn } from './turn';

export interface Scene {
  /** The slash command, without the slash. */
  readonly name: string;
  readonly description: string;
  /** What may follow the command. */
  readonly hint?: string;
  /** Plain words that lead here as well. */
  readonly words?: RegExp;
  /** Name of a session that starts with this scene. */
  readonly title: string;
  /** What to try after it. */
  readonly next?: string;
  /** Resolves to why the turn ended, if not because the answer is complete. */
  play(turn: Turn, ask: Ask): Promise<schema.StopReason | void>;
}
