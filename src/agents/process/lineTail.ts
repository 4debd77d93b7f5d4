import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

/** Longest line kept, in UTF-16 units: enough to read a cause, little enough to keep. */
const MAX_LINE = 2000;

/** The last lines of something long: appending is O(1), memory is bounded. */
export class LineTail {
  private lines: string[] = [];

  constructor(private readonly capacity: number) {}

  push(line: string): void {
    this.lines.push(clip(line));
    // Cut only every `capacity` lines, so that a flood does not shift the array for each line.
    if (this.lines.length >= 2 * this.capacity) this.lines = this.lines.slice(-this.capacity);
  }

  /** Oldest first, without escape sequences and empty lines at either end. */
  toArray(): string[] {
    const lines = this.lines.slice(-this.capacity).map(line => stripVTControlCharacters(line));
    while (lines.length > 0 && lines[0]?.trim() === '') lines.shift();
    while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
    return lines;
  }
}

/** Cuts a byte stream into lines of text; a line longer than the cap is cut off, not collected. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onLine: (line: string) => void) {}

  write(bytes: Buffer): void {
    this.take(this.decoder.write(bytes));
  }

  /** The stream has ended: what stands there is the last line. */
  end(): void {
    this.take(this.decoder.end());
    if (this.rest !== '') this.emit(this.rest);
    this.rest = '';
  }

  private take(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.emit(this.rest + text.slice(start, end));
      this.rest = '';
      start = end + 1;
    }
    this.rest = clip(this.rest + clip(text.slice(start)));
  }

  private emit(line: string): void {
    this.onLine(clip(line.endsWith('\r') ? line.slice(0, -1) : line));
  }
}

function clip(line: string): string {
  return line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line;
}
