import { SerializeAddon } from '@xterm/addon-serialize';
import { Terminal, type IBuffer, type IBufferCell, type IMarker } from '@xterm/headless';
import { Emitter } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import { rowText, type RowText } from './screenRow';
import type { TerminalSize } from './spawnedCommand';

/** What is written at once, in UTF-16 units: no more rows can leave the screen with it than are remembered. */
export const PIECE_UNITS = 1000;

/** Rows above the screen that are remembered. */
const SCROLLBACK = 2200;

/** Longer is no address. */
const MAX_LINK = 2000;

/** A terminal without a display: what programs write, as rows. Rows that have left the screen change no more. */
export class Screen implements Disposable {
  private readonly terminal: Terminal;
  private readonly serializer = new SerializeAddon();
  private readonly cell: IBufferCell;
  private readonly reply = new Emitter<string>();
  /** What a program that asks the terminal something is answered. */
  readonly onReply = this.reply.event;
  /** At the last row that was taken; it goes when that row is forgotten. */
  private taken: IMarker | undefined;
  private takenRows = 0;

  constructor({ columns, rows }: TerminalSize) {
    this.terminal = new Terminal({
      cols: columns,
      rows,
      scrollback: SCROLLBACK,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.terminal.loadAddon(this.serializer);
    this.terminal.onData(answer => this.reply.fire(answer));
    this.cell = this.terminal.buffer.active.getNullCell();
  }

  /** @param piece of at most `PIECE_UNITS` */
  write(piece: string, done: () => void): void {
    this.terminal.write(piece, done);
  }

  resize({ columns, rows }: TerminalSize): void {
    this.terminal.resize(columns, rows);
  }

  /** The rows that have left the screen since the last call; to be called after each piece. */
  takeRows(): RowText {
    const { active, normal } = this.terminal.buffer;
    // Rows cannot be marked while the other screen is shown; nor do they leave.
    if (active.type === 'alternate') return NO_ROWS;
    const first = this.firstUntaken;
    if (first >= normal.baseY) return NO_ROWS;
    const rows = this.textOf(normal, first, normal.baseY, this.takenRows > 0);
    this.taken?.dispose();
    this.taken = this.terminal.registerMarker(-normal.cursorY - 1);
    this.takenRows += normal.baseY - first;
    return rows;
  }

  /** What has not been taken, down to the cursor, and the alternate screen where it is shown. */
  rest(): RowText {
    const { active, normal } = this.terminal.buffer;
    const follows = this.takenRows > 0;
    const rest = this.textOf(normal, this.firstUntaken, endOf(normal), follows);
    if (active.type === 'normal') return rest;
    return joined(rest, this.textOf(active, 0, endOf(active), follows || rest.plain !== ''));
  }

  /** What makes a terminal of the same size look the same, with the rows above that are remembered. */
  serialize(): { readonly text: string; readonly truncated: boolean } {
    return { text: this.serializer.serialize(), truncated: this.takenRows > this.firstUntaken };
  }

  dispose(): void {
    this.reply.dispose();
    this.terminal.dispose();
  }

  private get firstUntaken(): number {
    return this.taken && !this.taken.isDisposed ? this.taken.line + 1 : 0;
  }

  /** Rows from `first` to before `end`; each but the first begins with a line end unless it goes on with the last. */
  private textOf(buffer: IBuffer, first: number, end: number, followsRow: boolean): RowText {
    const plain: string[] = [];
    const styled: string[] = [];
    for (let y = first; y < end; y += 1) {
      const line = buffer.getLine(y);
      if (!line) break;
      if (!line.isWrapped && (followsRow || y > first)) {
        plain.push('\n');
        styled.push('\n');
      }
      const row = rowText(line, this.cell, this.linkOf, buffer.getLine(y + 1)?.isWrapped === true);
      plain.push(row.plain);
      styled.push(row.styled);
    }
    return { plain: plain.join(''), styled: styled.join('') };
  }

  /** xterm.js has links by number in a place of its own, which it does not show to others. */
  private readonly linkOf = (cell: IBufferCell): string | undefined => {
    const { bg, extended } = cell as CellWithLink;
    // A cell without them leaves those of the cell that was read before.
    const urlId = bg & HAS_EXTENDED ? extended.urlId : 0;
    if (urlId === 0) return undefined;
    const core = (this.terminal as unknown as WithLinks)._core;
    const uri = core?._oscLinkService?.getLinkData(urlId)?.uri;
    return uri !== undefined && uri.length <= MAX_LINK ? uri : undefined;
  };
}

/** As xterm.js keeps it. */
interface CellWithLink extends IBufferCell {
  readonly bg: number;
  readonly extended: { readonly urlId: number };
}

/** The bit of `bg` that says that a cell has extended attributes (`BgFlags.HAS_EXTENDED`). */
const HAS_EXTENDED = 0x10000000;

interface WithLinks {
  readonly _core?: {
    readonly _oscLinkService?: { getLinkData(id: number): { readonly uri: string } | undefined };
  };
}

const NO_ROWS: RowText = { plain: '', styled: '' };

function joined(one: RowText, other: RowText): RowText {
  return { plain: one.plain + other.plain, styled: one.styled + other.styled };
}

/** Behind the last row with something in it, or the cursor. */
function endOf(buffer: IBuffer): number {
  let end = buffer.baseY + buffer.cursorY + 1;
  for (let y = buffer.length - 1; y >= end; y -= 1) {
    if (buffer.getLine(y)?.translateToString(true)) {
      end = y + 1;
      break;
    }
  }
  return end;
}
