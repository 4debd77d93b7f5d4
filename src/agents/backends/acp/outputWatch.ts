import { Deferred } from '../../../base/deferred';
import { LineTail } from '../../process/lineTail';

/** So much without a single message is taken for no ACP, before the time is up. */
const MAX_JUNK_LINES = 1000;

/** So much of the first message is kept, in UTF-16 units, should it have to be explained. */
const MAX_FIRST_MESSAGE = 64 * 1024;

/** Junk lines kept to show. */
const JUNK_TAIL = 10;

/** Remembers what came where messages belong, to distinguish a chatty agent from something else altogether. */
export class OutputWatch {
  private readonly lines = new LineTail(JUNK_TAIL);
  private readonly flood = new Deferred<void>();
  private junkCount = 0;
  private heardMessage = false;
  private first: string | undefined;

  /** Resolves when there is so much junk, and nothing else, that waiting is no use. */
  readonly flooded = this.flood.promise;

  get sawOnlyJunk(): boolean {
    return this.junkCount > 0 && !this.heardMessage;
  }

  message(json: string): void {
    this.heardMessage = true;
    this.first ??= json.slice(0, MAX_FIRST_MESSAGE);
  }

  /** The result in the first message, if there is one: for answers that are none of ACP's. */
  firstResult(): object | undefined {
    try {
      const { result } = JSON.parse(this.first ?? '{}') as { result?: unknown };
      return typeof result === 'object' && result !== null ? result : undefined;
    } catch {
      return undefined;
    }
  }

  junk(line: string): void {
    this.lines.push(line);
    this.junkCount += 1;
    if (this.junkCount > MAX_JUNK_LINES && !this.heardMessage) this.flood.resolve();
  }

  tail(): readonly string[] {
    return this.lines.toArray();
  }
}
