/** One tool call from its announcement to its end. */
import type * as schema from '../acp/schema/schema';
import { keepOutput } from './history';
import type { Session } from './sessions';

export interface ToolStart {
  readonly title: string;
  readonly kind: schema.ToolKind;
  readonly locations?: schema.ToolCallLocation[];
  readonly content?: schema.ToolCallContent[];
  readonly rawInput?: Readonly<Record<string, unknown>>;
}

export interface ToolEnd {
  readonly content?: schema.ToolCallContent[];
  readonly locations?: schema.ToolCallLocation[];
  readonly rawOutput?: Readonly<Record<string, unknown>>;
}

/** What a call needs of its turn. */
interface CallingTurn {
  readonly session: Pick<Session, 'history'>;
  send(update: schema.SessionUpdate): void;
}

export class ToolRun {
  constructor(
    private readonly turn: CallingTurn,
    readonly id: string,
    private readonly start: ToolStart,
  ) {
    turn.send({ sessionUpdate: 'tool_call', toolCallId: id, status: 'pending', ...start });
  }

  /** The call as a permission request shows it: whole, so that nothing approved is hidden. */
  described(): schema.ToolCallUpdate {
    return { toolCallId: this.id, status: 'pending', ...this.start };
  }

  running(content?: schema.ToolCallContent[]): void {
    this.change({ status: 'in_progress', ...(content ? { content } : {}) });
  }

  done(end: ToolEnd = {}): void {
    this.change({ status: 'completed', ...end });
  }

  failed(reason: string): void {
    this.change({ status: 'failed', content: [text(reason)] });
  }

  /** Ends as failed with a result: for commands that exit with something else than 0. */
  ended(end: ToolEnd): void {
    this.change({ status: 'failed', ...end });
  }

  /** Ends as failed and leaves what is shown as it is: for calls that the user rejected. */
  declined(): void {
    this.change({ status: 'failed' });
  }

  /** Keeps the output of a terminal for the day this conversation is loaded again. */
  keepOutput(output: string): void {
    keepOutput(this.turn.session.history, this.id, output);
  }

  private change(fields: Omit<schema.ToolCallUpdate, 'toolCallId'>): void {
    this.turn.send({ sessionUpdate: 'tool_call_update', toolCallId: this.id, ...fields });
  }
}

export function text(value: string): schema.ToolCallContent {
  return { type: 'content', content: { type: 'text', text: value } };
}
