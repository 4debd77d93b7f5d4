import type { Traffic } from '../../acp/transport/transport';

/** One message as it went over the wire. */
export interface RingEntry extends Traffic {
  /** Milliseconds by a clock that never jumps. */
  readonly at: number;
}

/** What is kept of the traffic with one agent, in UTF-16 units and in messages. */
const MAX_UNITS = 4 * 1024 * 1024;
const MAX_MESSAGES = 20_000;

/** The last messages to and from one agent. Always on: what went wrong is over when it is reported. */
export class TrafficRing {
  private readonly kept: RingEntry[] = [];
  /** How many at the beginning of `kept` are dropped already: those before are removed now and then. */
  private first = 0;
  private units = 0;
  private dropped = 0;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly maxUnits = MAX_UNITS,
    private readonly maxMessages = MAX_MESSAGES,
  ) {}

  add({ direction, json }: Traffic): void {
    this.kept.push({ at: this.now(), direction, json });
    this.units += json.length;
    while (this.units > this.maxUnits || this.kept.length - this.first > this.maxMessages) {
      this.units -= this.kept[this.first]?.json.length ?? 0;
      this.first += 1;
      this.dropped += 1;
    }
    if (this.first > 1_000 || this.first === this.kept.length) {
      this.kept.splice(0, this.first);
      this.first = 0;
    }
  }

  /** Oldest first. */
  get entries(): readonly RingEntry[] {
    return this.kept.slice(this.first);
  }

  /** How many older messages were dropped. */
  get leftOut(): number {
    return this.dropped;
  }
}
