const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const INITIAL_CAPACITY = 16 * 1024;
/** A buffer grown beyond this for one long line is not kept for the next. */
const KEPT_CAPACITY = 4 * 1024 * 1024;

/**
 * Cuts a byte stream into lines at 0x0A; a 0x0D before it belongs to the line end. Works on bytes because
 * a chunk may end within a character. Every byte is looked at once, however small the chunks.
 */
export class LineSplitter {
  private pending = Buffer.alloc(0);
  private pendingLength = 0;

  /** @param maxLineBytes longest line accepted, without its end. */
  constructor(private readonly maxLineBytes: number) {}

  /**
   * Calls `onLine` for each line that `chunk` completes, empty ones too.
   * @returns false when a line is longer than allowed: the stream cannot be read on.
   */
  push(chunk: Buffer, onLine: (line: string) => void): boolean {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end === -1) break;
      if (this.pendingLength + end - start > this.maxLineBytes + 1) return false;
      if (this.pendingLength === 0) {
        const line = decode(chunk, start, end);
        start = end + 1;
        onLine(line);
      } else {
        this.append(chunk, start, end);
        start = end + 1;
        onLine(this.take());
      }
    }
    if (this.pendingLength + chunk.length - start > this.maxLineBytes + 1) return false;
    this.append(chunk, start, chunk.length);
    return true;
  }

  /** The bytes after the last line end, if there are any. */
  end(): string | undefined {
    return this.pendingLength === 0 ? undefined : this.take();
  }

  private append(chunk: Buffer, start: number, end: number): void {
    const needed = this.pendingLength + end - start;
    if (needed > this.pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.pending.length * 2, INITIAL_CAPACITY));
      this.pending.copy(grown, 0, 0, this.pendingLength);
      this.pending = grown;
    }
    chunk.copy(this.pending, this.pendingLength, start, end);
    this.pendingLength = needed;
  }

  private take(): string {
    const line = decode(this.pending, 0, this.pendingLength);
    this.pendingLength = 0;
    if (this.pending.length > KEPT_CAPACITY) this.pending = Buffer.alloc(0);
    return line;
  }
}

function decode(bytes: Buffer, start: number, end: number): string {
  const last = end > start && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
  return bytes.toString('utf8', start, last);
}
