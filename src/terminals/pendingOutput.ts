/** Pieces at most this long are put together, so that very many of them cost no more than a few. */
const JOINED_UNITS = 4096;

/**
 * Output that waits to be read. Of more than `limit` the oldest goes, a piece at a time: what a flood brings in
 * between would be dropped anyway, and its end is what counts.
 */
export class PendingOutput {
  private pieces: string[] = [];
  private next = 0;
  private length = 0;
  private hasDropped = false;

  /** @param limit in UTF-16 units */
  constructor(private readonly limit: number) {}

  get isEmpty(): boolean {
    return this.length === 0;
  }

  push(text: string): void {
    const last = this.pieces.length - 1;
    const before = last >= this.next ? this.pieces[last] : undefined;
    if (before !== undefined && before.length + text.length <= JOINED_UNITS) {
      this.pieces[last] = before + text;
    } else this.pieces.push(text);
    this.length += text.length;
    while (this.length > this.limit && this.next < this.pieces.length - 1) {
      this.shift();
      this.hasDropped = true;
    }
  }

  /** About `units` of it, at least one piece; after a gap from the next line on. */
  take(units: number): { readonly text: string; readonly afterGap: boolean } {
    const afterGap = this.hasDropped;
    this.hasDropped = false;
    let text = '';
    while (text.length < units && this.next < this.pieces.length) text += this.shift();
    return { text: afterGap ? text.slice(text.indexOf('\n') + 1) : text, afterGap };
  }

  private shift(): string {
    const piece = this.pieces[this.next] ?? '';
    this.pieces[this.next] = '';
    this.next += 1;
    this.length -= piece.length;
    // Moving what is left costs as much as what was taken since the last time.
    if (this.next * 2 >= this.pieces.length) {
      this.pieces.splice(0, this.next);
      this.next = 0;
    }
    return piece;
  }
}
