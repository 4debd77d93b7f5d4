/** The contract of the page "Protocol Traffic". */

export interface TrafficState {
  readonly agent: string;
  /** The newest, oldest first. */
  readonly rows: readonly TrafficRow[];
  /** Older messages that are not shown. */
  readonly leftOut: number;
  readonly sent: TrafficSum;
  readonly received: TrafficSum;
}

export interface TrafficRow {
  /** Milliseconds since the first message. */
  readonly t: number;
  readonly from: 'client' | 'agent';
  readonly kind: 'request' | 'notification' | 'answer' | 'error';
  readonly what: string;
  readonly bytes: number;
  /** Milliseconds from the request to this answer. */
  readonly latency?: number;
}

export interface TrafficSum {
  readonly messages: number;
  readonly bytes: number;
}

export interface TrafficIntent {
  readonly type: 'ready' | 'refresh' | 'export';
}

/** The intent in `value`; undefined when it is not one. */
export function parseTrafficIntent(value: unknown): TrafficIntent | undefined {
  const { type } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return type === 'ready' || type === 'refresh' || type === 'export' ? { type } : undefined;
}
