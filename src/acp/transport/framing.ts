/**
 * How messages are told apart on the wire. ACP writes each on a line of its own; programs built on what language
 * servers use write a header with the length before each, and are answered likewise.
 */

/** What is known of an agent's framing; kept by whoever starts it, for the next start. */
export interface KnownFraming {
  headers: boolean;
}

/**
 * After so many milliseconds without a message, the first one is sent in the other framing too: late, since to an
 * agent that is only slow that is a line it cannot read.
 */
const PATIENCE_MS = 20_000;

/** The framing of one connection: the agent's own, once it has said anything. */
export class Framing {
  private isSettled = false;
  private offer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly known: KnownFraming = { headers: false },
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** Whether a line that looks like a header is one. Among messages on lines it is a line of a log. */
  get mayHaveHeaders(): boolean {
    return !this.isSettled || this.known.headers;
  }

  /** A message has come: the first one shows what the agent speaks. */
  heard(hasHeader: boolean): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.known.headers = hasHeader;
    this.dispose();
  }

  encode(json: string): string {
    return this.known.headers ? withHeader(json) : `${json}\n`;
  }

  /**
   * `json` was the first message. An agent that waits for a header cannot know that there was one, and an agent
   * that is only slow takes what comes for a line that is no message, and the same message again.
   */
  sentFirst(json: string, write: (text: string) => void): void {
    if (this.isSettled) return;
    this.offer = setTimeout(() => {
      // The line before becomes a header that nobody knows.
      write(this.known.headers ? `\n${json}\n` : `\r\n${withHeader(`${json}\n`)}`);
    }, this.patienceMs);
    this.offer.unref();
  }

  dispose(): void {
    clearTimeout(this.offer);
  }
}

function withHeader(json: string): string {
  return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

/**
 * The length that a header line tells, in bytes; 0 for a header that tells something else, undefined for a line
 * that is none.
 */
export function headerIn(line: string): number | undefined {
  const [, length] = /^Content-(?:Length: *(\d{1,15})|Type:.*) *$/i.exec(line) ?? [undefined, ''];
  return length === '' ? undefined : Number(length ?? 0);
}
