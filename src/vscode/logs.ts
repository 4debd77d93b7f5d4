import * as vscode from 'vscode';
import { Masker } from '../agents/masker';
import { TrafficRing } from '../agents/traffic/trafficRing';
import { DisposableStore } from '../base/lifecycle';
import type { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';

/** Longest piece of a message in the protocol log, in UTF-16 units. */
const MAX_TRAFFIC = 8 * 1024;

/**
 * The extension's log, and for each agent one of what it writes to stderr and, while the log level is
 * Trace, one of the protocol's messages. Channels are made when first written to.
 */
export class Logs implements Disposable {
  readonly masker = new Masker();
  readonly main: Logger;
  private readonly channel: vscode.LogOutputChannel;
  private readonly channels = new Map<string, vscode.LogOutputChannel>();
  private readonly rings = new Map<string, TrafficRing>();
  private readonly disposables = new DisposableStore();

  constructor() {
    this.channel = this.disposables.add(vscode.window.createOutputChannel('Parley', { log: true }));
    this.main = this.logger(() => this.channel);
  }

  /** What `agent` writes to stderr, line by line. */
  stderr(agent: string, line: string): void {
    this.agentChannel(`Parley: ${agent}`).info(this.masker.mask(line));
  }

  /** One message as it went over the wire. It is kept to be exported; it is logged only at the level Trace. */
  traffic(agent: string, direction: 'send' | 'receive', json: string): void {
    this.ring(agent).add({ direction, json });
    if (this.channel.logLevel !== vscode.LogLevel.Trace) return;
    // Masked before it is cut: half a secret would not be recognised.
    const masked = this.masker.mask(json);
    const cut =
      masked.length > MAX_TRAFFIC ? `${masked.slice(0, MAX_TRAFFIC)}… (${json.length})` : masked;
    const arrow = direction === 'send' ? '→' : '←';
    // Over a WebSocket a message may have lines of its own.
    const line = `${arrow} ${cut.replace(/\s*[\r\n]+\s*/g, ' ')}`;
    this.agentChannel(`Parley: ${agent} (protocol)`).trace(line);
  }

  /** The last messages to and from that agent; undefined when it has not run in this window. */
  recorded(agent: string): TrafficRing | undefined {
    return this.rings.get(agent);
  }

  /** Shows the agent's own log if it has written one, else the extension's. */
  show(agent?: string): void {
    const own = agent === undefined ? undefined : this.channels.get(`Parley: ${agent}`);
    (own ?? this.channel).show(true);
  }

  dispose(): void {
    this.disposables.dispose();
    this.channels.clear();
  }

  private ring(agent: string): TrafficRing {
    const known = this.rings.get(agent);
    if (known) return known;
    const ring = new TrafficRing();
    this.rings.set(agent, ring);
    return ring;
  }

  private agentChannel(name: string): vscode.LogOutputChannel {
    let channel = this.channels.get(name);
    if (!channel) {
      channel = this.disposables.add(vscode.window.createOutputChannel(name, { log: true }));
      this.channels.set(name, channel);
    }
    return channel;
  }

  private logger(channel: () => vscode.LogOutputChannel): Logger {
    const mask = (message: string) => this.masker.mask(message);
    return {
      trace: message => channel().trace(mask(message)),
      debug: message => channel().debug(mask(message)),
      info: message => channel().info(mask(message)),
      warn: message => channel().warn(mask(message)),
      error: (message, cause) =>
        channel().error(mask(cause === undefined ? message : `${message}: ${describe(cause)}`)),
    };
  }
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
