import { Duplex } from 'node:stream';

/**
 * A byte stream in memory, like a pipe between processes: chunks written while one is being handled are read together,
 * and a full buffer means back-pressure for the writer.
 */
export class Wire extends Duplex {
  /** Called when there is room for more. */
  private whenRead: (() => void) | undefined;

  /** What is written from now on is read together, when all that is being dealt with was. */
  gather(): void {
    if (this.writableCorked > 0) return;
    this.cork();
    process.nextTick(() => this.uncork());
  }

  override _writev(
    written: readonly { readonly chunk: unknown }[],
    done: (error?: Error | null) => void,
  ): void {
    const hasRoom = this.push(Buffer.concat(written.map(({ chunk }) => chunk as Buffer)));
    if (hasRoom) done();
    else this.whenRead = done;
  }

  override _read(): void {
    const { whenRead } = this;
    this.whenRead = undefined;
    whenRead?.();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  /** Resolves when there is room for more, or nobody reads any more. */
  async room(): Promise<void> {
    if (!this.writableNeedDrain) return;
    await new Promise<void>(resolve => {
      const end = () => {
        this.off('drain', end).off('close', end);
        resolve();
      };
      this.on('drain', end).on('close', end);
    });
  }
}
