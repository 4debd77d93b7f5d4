import { isAscii } from 'node:buffer';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const INITIAL_CAPACITY = 16 * 1024;
/** A buffer grown beyond this for one long line is not kept for the next. */
const KEPT_CAPACITY = 4 * 1024 * 1024;
/** Shorter ones are decoded before they are looked at, in bytes. */
const LONG = 64 * 1024;
/** So much of either end of a line that is too long is kept, in bytes: enough to see what it was. */
const KEPT_END = 4 * 1024;

/** A line longer than allowed, of which only the ends were kept. */
export interface LongLine {
  readonly head: string;
  readonly tail: string;
  /** How long it was, without its end. */
  readonly bytes: number;
}

/** What becomes of the lines. */
export interface LineSink {
  /** Longest line that is kept whole, without its end. Read again for each line. */
  readonly maxLineBytes: number;
  /** Empty ones too. */
  onLine(line: string): void;
  /** A line has become too long; reported before it has ended. */
  onLongLineBegun(head: string): void;
  onLongLine(line: LongLine): void;
  /** Asked before each line: false leaves the rest of the chunk where it is. */
  wantsMore(): boolean;
}

/**
 * Cuts a byte stream into lines at 0x0A; a 0x0D before it belongs to the line end. Works on bytes because
 * a chunk may end within a character. Every byte is looked at once, however small the chunks, and no more
 * than the longest line allowed is kept of any.
 */
export class LineSplitter {
  private pending = Buffer.alloc(0);
  private pendingLength = 0;
  /** The line that is being skipped. */
  private long: LineEnds | undefined;

  constructor(private readonly sink: LineSink) {}

  /** Tells the lines that `chunk` completes. @returns how many bytes were taken. */
  push(chunk: Buffer): number {
    let start = 0;
    while (this.sink.wantsMore()) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) {
        this.append(chunk, start, chunk.length);
        return chunk.length;
      }
      if (this.pendingLength === 0 && !this.long && end - start <= this.sink.maxLineBytes) {
        this.sink.onLine(decode(chunk, start, end));
      } else {
        this.append(chunk, start, end);
        this.finish();
      }
      start = end + 1;
    }
    return start;
  }

  /** The stream has ended: what stands there is the last line. */
  end(): void {
    if (this.pendingLength > 0 || this.long) this.finish();
  }

  private finish(): void {
    const endsWithReturn = this.pending[this.pendingLength - 1] === CARRIAGE_RETURN;
    const length = this.pendingLength - (endsWithReturn ? 1 : 0);
    if (!this.long && length > this.sink.maxLineBytes) this.skip(this.pending, 0, 0);
    const { long } = this;
    if (!long) {
      this.sink.onLine(this.take());
      return;
    }
    this.long = undefined;
    this.sink.onLongLine(long.line());
  }

  private append(chunk: Buffer, start: number, end: number): void {
    const needed = this.pendingLength + end - start;
    // One more may be the carriage return of the line end.
    if (this.long || needed > this.sink.maxLineBytes + 1) {
      if (this.long) this.long.add(chunk, start, end);
      else this.skip(chunk, start, end);
      return;
    }
    if (needed > this.pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.pending.length * 2, INITIAL_CAPACITY));
      this.pending.copy(grown, 0, 0, this.pendingLength);
      this.pending = grown;
    }
    chunk.copy(this.pending, this.pendingLength, start, end);
    this.pendingLength = needed;
  }

  /** What is pending, and this of `chunk`, belongs to a line that is too long: only its ends are kept. */
  private skip(chunk: Buffer, start: number, end: number): void {
    this.long = new LineEnds();
    this.long.add(this.pending, 0, this.pendingLength);
    this.long.add(chunk, start, end);
    this.pendingLength = 0;
    this.pending = Buffer.alloc(0);
    this.sink.onLongLineBegun(this.long.line().head);
  }

  private take(): string {
    const line = decode(this.pending, 0, this.pendingLength);
    this.pendingLength = 0;
    if (this.pending.length > KEPT_CAPACITY) this.pending = Buffer.alloc(0);
    return line;
  }
}

/** Both ends of a line, and how long it is. */
class LineEnds {
  private readonly head = Buffer.allocUnsafe(KEPT_END);
  private headLength = 0;
  /** Twice as long as needed, so that it is moved once in a while only. */
  private readonly tail = Buffer.allocUnsafe(2 * KEPT_END);
  private tailLength = 0;
  private bytes = 0;

  add(chunk: Buffer, start: number, end: number): void {
    this.bytes += end - start;
    this.headLength += chunk.copy(this.head, this.headLength, start, end);
    const from = Math.max(start, end - KEPT_END);
    if (this.tailLength + end - from > this.tail.length) {
      this.tail.copyWithin(0, this.tailLength - KEPT_END, this.tailLength);
      this.tailLength = KEPT_END;
    }
    this.tailLength += chunk.copy(this.tail, this.tailLength, from, end);
  }

  line(): LongLine {
    const head = this.head.toString('utf8', 0, this.headLength);
    const tail = decode(this.tail, Math.max(0, this.tailLength - KEPT_END), this.tailLength);
    const endsWithReturn = this.tail[this.tailLength - 1] === CARRIAGE_RETURN;
    return { head, tail, bytes: this.bytes - (endsWithReturn ? 1 : 0) };
  }
}

function decode(bytes: Buffer, start: number, end: number): string {
  const last = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  // Decoding is what holds up everything else longest: without characters of several bytes it is a copy.
  const isCopy = last - start > LONG && isAscii(bytes.subarray(start, last));
  return bytes.toString(isCopy ? 'latin1' : 'utf8', start, last);
}
