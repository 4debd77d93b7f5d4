/** Smallest allocation, in bytes. */
const FIRST_CAPACITY = 4096;

/** The last `limit` bytes of a text (as UTF-8), from a whole character on. */
export function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= limit ? text : fromWholeCharacter(bytes.subarray(bytes.length - limit));
}

/** 10xxxxxx is the inside of a character whose beginning was dropped. */
function fromWholeCharacter(bytes: Buffer): string {
  let first = 0;
  while (first < bytes.length && ((bytes[first] ?? 0) & 0xc0) === 0x80) first++;
  return bytes.toString('utf8', first);
}

/**
 * The last `limit` bytes (as UTF-8) of a text that only grows. Appending costs the length of what is
 * appended, whatever was there before; memory is at most about the limit.
 */
export class OutputBuffer {
  /** A ring: `size` bytes from `start`, wrapping at the end. */
  private ring = Buffer.alloc(0);
  private start = 0;
  private size = 0;
  private dropped = false;
  private text: string | undefined = '';

  /** @param limit in bytes, 0 or more. */
  constructor(private readonly limit: number) {}

  /** True when earlier text was dropped. */
  get truncated(): boolean {
    return this.dropped;
  }

  append(text: string): void {
    if (text === '') return;
    this.text = undefined;
    let bytes = Buffer.from(text, 'utf8');
    if (bytes.length > this.limit) {
      bytes = bytes.subarray(bytes.length - this.limit);
      this.dropped = true;
    }
    const excess = this.size + bytes.length - this.limit;
    if (excess > 0) {
      this.start = (this.start + excess) % this.ring.length;
      this.size -= excess;
      this.dropped = true;
    }
    this.reserve(this.size + bytes.length);
    const end = (this.start + this.size) % (this.ring.length || 1);
    const fits = Math.min(bytes.length, this.ring.length - end);
    bytes.copy(this.ring, end, 0, fits);
    bytes.copy(this.ring, 0, fits);
    this.size += bytes.length;
  }

  /** What is kept; begins with a whole character. */
  toString(): string {
    this.text ??= this.decode();
    return this.text;
  }

  private decode(): string {
    const bytes = this.contiguous();
    return this.dropped ? fromWholeCharacter(bytes) : bytes.toString('utf8');
  }

  private contiguous(): Buffer {
    const end = this.start + this.size;
    if (end <= this.ring.length) return this.ring.subarray(this.start, end);
    return Buffer.concat([
      this.ring.subarray(this.start),
      this.ring.subarray(0, end - this.ring.length),
    ]);
  }

  private reserve(needed: number): void {
    if (needed <= this.ring.length) return;
    const capacity = Math.min(this.limit, Math.max(FIRST_CAPACITY, 2 * this.ring.length, needed));
    const grown = Buffer.alloc(capacity);
    this.contiguous().copy(grown);
    this.ring = grown;
    this.start = 0;
  }
}
