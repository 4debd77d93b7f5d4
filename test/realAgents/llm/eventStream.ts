/** Server-sent events, at a pace that lets the reader see a stream. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './conversation';

const PIECE = /[\s\S]{1,12}/gu;

export class EventStream {
  /** @param pauseMs between two pieces of text. */
  constructor(
    private readonly response: ServerResponse,
    private readonly pauseMs: number,
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    });
  }

  /** The agent hung up. */
  get closed(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** Sends one event; objects as JSON. */
  send(data: object | string, event?: string): void {
    if (this.closed) return;
    const name = event === undefined ? '' : `event: ${event}\n`;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.response.write(`${name}data: ${text}\n\n`);
  }

  /** `text` in small pieces, as they are due. */
  async *pieces(text: string): AsyncGenerator<string> {
    for (const piece of text.match(PIECE) ?? []) {
      if (this.closed) return;
      yield piece;
      await delay(this.pauseMs);
    }
  }

  /** The text of an answer, with what drips after it. */
  async *textOf({ text, drip }: Answer): AsyncGenerator<string> {
    yield* this.pieces(text);
    for (let piece = 1; drip && piece <= drip.pieces && !this.closed; piece++) {
      yield `piece ${piece} `;
      await delay(drip.everyMs);
    }
  }

  async end(): Promise<void> {
    if (this.closed) return;
    this.response.end();
    await once(this.response, 'close');
  }
}
