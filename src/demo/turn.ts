/** One prompt being answered: what scenes are written with. */
import { randomUUID } from 'node:crypto';
import type * as schema from '../acp/schema/schema';
import type { Client } from './client';
import { Cancelled } from './peer';
import type { Consent, Session } from './sessions';
import { ToolRun, type ToolStart } from './toolRun';

/** Milliseconds between two pieces of streamed text, at pace 1. */
const STREAM_DELAY = 24;

export type Answer = 'allowed' | 'rejected';

/** What the user reads on the buttons. */
const PERMISSION_OPTIONS: schema.PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow-always', name: 'Always Allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  { optionId: 'reject-always', name: 'Always Reject', kind: 'reject_always' },
];

export class Turn {
  private toolCount = 0;
  private readonly turnId = randomUUID().slice(0, 8);

  /** @param pace factor on all waiting; 0 answers as fast as it can. */
  constructor(
    readonly session: Session,
    readonly client: Client,
    readonly signal: AbortSignal,
    private readonly pace: number,
    private readonly emit: (update: schema.SessionUpdate) => void,
  ) {}

  get cwd(): string {
    return this.session.cwd;
  }

  send(update: schema.SessionUpdate): void {
    if (this.signal.aborted) throw new Cancelled();
    this.emit(update);
  }

  /** Streams markdown as one message. */
  async say(markdown: string): Promise<void> {
    await this.stream('agent_message_chunk', markdown, STREAM_DELAY);
  }

  /** Sends one block that is not text as part of the answer. */
  show(content: schema.ContentBlock): void {
    this.send({ sessionUpdate: 'agent_message_chunk', content, messageId: randomUUID() });
  }

  /** Thinks aloud, as much as the user wants to hear. */
  async think(brief: string, detailed = ''): Promise<void> {
    const level = this.session.settings.thoughts;
    if (level === 'off') return;
    const text = level === 'detailed' ? `${brief} ${detailed}`.trim() : brief;
    await this.stream('agent_thought_chunk', text, STREAM_DELAY * 1.5);
  }

  plan(entries: schema.PlanEntry[]): void {
    this.send({ sessionUpdate: 'plan', entries });
  }

  notice(severity: schema.NoticeSeverity, title: string, description: string): void {
    this.send({ sessionUpdate: 'notice', severity, title, description });
  }

  /** Names the session, unless it has a name. */
  title(title: string): void {
    if (this.session.title !== undefined) return;
    this.session.title = title;
    const updatedAt = new Date().toISOString();
    this.send({ sessionUpdate: 'session_info_update', title, updatedAt });
  }

  tool(start: ToolStart): ToolRun {
    this.toolCount += 1;
    return new ToolRun(this, `${this.turnId}-${this.toolCount}`, start);
  }

  /**
   * Whether `tool` may go ahead: by the mode, by an answer given for good, or by asking.
   * @throws Cancelled when the user cancels instead of answering.
   */
  async consent(tool: ToolRun, kind: Consent): Promise<Answer> {
    const standing = this.session.standing.get(kind);
    if (standing !== undefined) return standing === 'allow' ? 'allowed' : 'rejected';
    if (kind === 'edit' && this.session.settings.mode === 'auto') return 'allowed';
    const outcome = await this.client.requestPermission(tool.described(), PERMISSION_OPTIONS);
    if (outcome.outcome === 'cancelled') throw new Cancelled();
    const chosen = PERMISSION_OPTIONS.find(option => option.optionId === outcome.optionId);
    if (chosen?.kind === 'allow_always') this.session.standing.set(kind, 'allow');
    if (chosen?.kind === 'reject_always') this.session.standing.set(kind, 'reject');
    return chosen?.kind.startsWith('allow') ? 'allowed' : 'rejected';
  }

  /** Lets time pass as a working agent would. @throws Cancelled */
  async pause(milliseconds: number): Promise<void> {
    await this.wait(milliseconds * this.pace);
  }

  /** Waits by the real clock whatever the pace. @throws Cancelled */
  async wait(milliseconds: number): Promise<void> {
    if (this.signal.aborted) throw new Cancelled();
    if (milliseconds <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        clearTimeout(timer);
        reject(new Cancelled());
      };
      const timer = setTimeout(() => {
        this.signal.removeEventListener('abort', abort);
        resolve();
      }, milliseconds);
      this.signal.addEventListener('abort', abort, { once: true });
    });
  }

  private async stream(
    kind: 'agent_message_chunk' | 'agent_thought_chunk',
    text: string,
    delay: number,
  ): Promise<void> {
    const messageId = randomUUID();
    for (const piece of pieces(text)) {
      this.send({ sessionUpdate: kind, content: { type: 'text', text: piece }, messageId });
      await this.pause(delay);
    }
  }
}

/** Cuts text the way models do: a few words at a time, never inside one. */
export function pieces(text: string): string[] {
  return text.match(/(?:\s*\S+){1,3}\s*/g) ?? [];
}
