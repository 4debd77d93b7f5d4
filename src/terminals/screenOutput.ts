import { Emitter } from '../base/event';
import { toDisposable } from '../base/lifecycle';
import type { TerminalOutput, TerminalView } from '../session/ports';
import type { KeptOutput } from './keptOutput';
import { lastBytes, OutputBuffer } from './outputBuffer';
import { PendingOutput } from './pendingOutput';
import { PIECE_UNITS, Screen } from './screen';
import type { CommandInput, TerminalSize } from './spawnedCommand';

/**
 * What is read at a time, in UTF-16 units. The pause before more is three times as long as that took, but not longer
 * than this (in milliseconds): however much comes, most of the time is left to everything else.
 */
const TURN_UNITS = 64 * 1024;
const MAX_PAUSE_MS = 100;

/** Output that may wait to be read, at least, in UTF-16 units. */
const MIN_PENDING = 1024 * 1024;

/** How often what is shown follows what is written, in milliseconds. */
const EMIT_AFTER_MS = 50;

/** Longest screen that is shown with its colours, in UTF-16 units, and most of what scrolls out of it at a time. */
const MAX_STYLED_SCREEN = 24 * 1024;
const MAX_EMITTED = 64 * 1024 + 2;

/** Ends a sequence that began before a gap, and takes away what would stand beside what comes after it. */
const AFTER_GAP = '\x18\x1b[0m\x1b[H\x1b[2J\x1b[3J';

/** Output of a command in a pseudo-terminal: what its screen shows, and the rows that have left the screen. */
export class ScreenOutput implements KeptOutput {
  private readonly didOutput = new Emitter<TerminalOutput>();
  readonly onOutput = this.didOutput.event;
  readonly view: TerminalView;
  private readonly written = new Emitter<string>();
  private watchers = 0;
  private readonly pending: PendingOutput;
  private kept: OutputBuffer;
  private screen: Screen | undefined;
  /** How a terminal looks that shows all of it, once there will be no more. */
  private last = { text: '', truncated: false };
  /** Rows not shown yet; `dropped` that what was shown is gone. */
  private waiting = '';
  private dropped = false;
  private hasDropped = false;
  private isReading = false;
  private timer: NodeJS.Timeout | undefined;
  private pause: NodeJS.Timeout | undefined;
  private turnBegan = 0;
  private whenRead: (() => void) | undefined;

  /** @param limit of what is kept, in bytes */
  constructor(
    private readonly limit: number,
    size: TerminalSize,
    input: CommandInput,
  ) {
    this.pending = new PendingOutput(Math.max(limit, MIN_PENDING));
    this.kept = new OutputBuffer(limit);
    this.screen = new Screen(size);
    this.screen.onReply(answer => {
      if (this.watchers === 0) input.write(answer);
    });
    this.view = {
      replay: () => this.screen?.serialize() ?? this.last,
      attach: onWrite => {
        this.watchers += 1;
        const listening = this.written.event(onWrite);
        return toDisposable(() => {
          this.watchers -= 1;
          listening.dispose();
        });
      },
      write: text => input.write(text),
      resize: wanted => {
        this.screen?.resize(wanted);
        input.resize(wanted);
      },
    };
  }

  append(text: string): void {
    if (!this.screen || text === '') return;
    this.pending.push(text);
    if (!this.isReading) this.read();
  }

  async finish(): Promise<void> {
    if (this.isReading) {
      const isRead = new Promise<void>(resolve => (this.whenRead = resolve));
      if (this.pause) this.read();
      await isRead;
    }
    const { screen } = this;
    if (!screen) return;
    const { plain, styled } = screen.rest();
    this.last = screen.serialize();
    this.screen = undefined;
    screen.dispose();
    this.kept.append(plain);
    this.waiting += styled;
    this.emit();
  }

  snapshot() {
    const { screen, kept, limit } = this;
    const truncated = this.hasDropped || kept.truncated;
    if (!screen) return { output: kept.toString(), truncated };
    const whole = kept.toString() + screen.rest().plain;
    const output = lastBytes(whole, limit);
    return { output, truncated: truncated || output.length < whole.length };
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.pause);
    this.screen?.dispose();
    this.screen = undefined;
    this.kept = new OutputBuffer(0);
    this.last = { text: '', truncated: false };
    this.didOutput.dispose();
    this.written.dispose();
    this.whenRead?.();
  }

  /** Reads what waits, a turn at a time. */
  private read(): void {
    const { screen, pending } = this;
    if (!screen) return;
    this.isReading = true;
    clearTimeout(this.pause);
    this.pause = undefined;
    this.turnBegan = performance.now();
    const { text, afterGap } = pending.take(TURN_UNITS);
    if (afterGap) this.drop();
    const toWrite = afterGap ? AFTER_GAP + text : text;
    const pieces = piecesOf(toWrite);
    for (const [index, piece] of pieces.entries()) {
      screen.write(piece, () => {
        if (!this.screen) return;
        this.takeRows(screen);
        if (index === pieces.length - 1) this.didRead(toWrite);
      });
    }
  }

  private didRead(text: string): void {
    this.written.fire(text);
    this.timer ??= setTimeout(() => this.emit(), EMIT_AFTER_MS);
    if (!this.pending.isEmpty) {
      if (this.whenRead) this.read();
      else {
        const took = performance.now() - this.turnBegan;
        this.pause = setTimeout(() => this.read(), Math.min(3 * took, MAX_PAUSE_MS));
      }
      return;
    }
    this.isReading = false;
    this.whenRead?.();
  }

  private takeRows(screen: Screen): void {
    const { plain, styled } = screen.takeRows();
    if (plain === '' && styled === '') return;
    this.kept.append(plain);
    this.waiting = (this.waiting + styled).slice(-MAX_EMITTED);
  }

  /** What is kept goes on without a gap. */
  private drop(): void {
    this.kept = new OutputBuffer(this.limit);
    this.waiting = '';
    this.dropped = this.hasDropped = true;
  }

  private emit(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { waiting: data, dropped, screen } = this;
    this.waiting = '';
    this.dropped = false;
    const { styled, plain } = screen?.rest() ?? { styled: '', plain: '' };
    this.didOutput.fire({
      data,
      screen: styled.length > MAX_STYLED_SCREEN ? plain : styled,
      ...(dropped && { dropped }),
    });
  }
}

/** Never half a character: xterm.js would take the halves for two. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + PIECE_UNITS);
    const code = text.charCodeAt(end - 1);
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces.length > 0 ? pieces : [''];
}
