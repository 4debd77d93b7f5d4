import type { Readable } from 'node:stream';
import type { DataCallback, Disposable, Message, MessageWriter } from 'vscode-jsonrpc';
import { AbstractMessageWriter } from 'vscode-jsonrpc/node';
import { NdjsonReader, type NdjsonReaderOptions } from '../ndjsonReader';
import type { TrafficTap } from '../transport';
import type { HttpChannel } from './httpChannel';

/** Reads messages, and shows each before it is handled. */
export class HttpReader extends NdjsonReader {
  constructor(
    stream: Readable,
    options: NdjsonReaderOptions,
    private readonly onMessage: (message: Message) => void,
  ) {
    super(stream, options);
  }

  override listen(callback: DataCallback): Disposable {
    return super.listen(message => {
      this.onMessage(message);
      callback(message);
    });
  }
}

/** `write` resolves when the server has taken the message. */
export class HttpWriter extends AbstractMessageWriter implements MessageWriter {
  private isClosed = false;

  constructor(
    private readonly channel: Pick<HttpChannel, 'closed' | 'send' | 'close'>,
    private readonly tap?: TrafficTap,
  ) {
    super();
    void channel.closed.then(() => {
      this.isClosed = true;
      this.fireClose();
    });
  }

  async write(message: Message): Promise<void> {
    if (this.isClosed) throw new Error('The agent no longer reads.');
    const json = JSON.stringify(message);
    this.tap?.({ direction: 'send', json });
    await this.channel.send(message, json);
  }

  end(): void {
    void this.channel.close();
  }
}
