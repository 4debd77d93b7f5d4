import * as l10n from '@vscode/l10n';
import { noticeOf } from '../notices';
import type { Environment } from '../ports';
import type { Problem, Turn } from '../state/state';
import type { SessionStore } from '../state/store';

/** How often in a row, without a prompt in between. */
const MOST = 3;

/**
 * Which chats take their session up again by themselves after their agent is gone: those in which nothing was asked,
 * since what was asked may have been the cause, and all whose connection was lost. They say so in one line.
 */
export class Recovery {
  private count = 0;
  /** The last prompt when it was counted. */
  private after: string | undefined;
  private waiting = false;
  /** It was not the agent that went away last, but the connection to it. */
  private isConnection = false;

  constructor(
    private readonly agentName: string,
    private readonly store: SessionStore,
    private readonly environment: Pick<Environment, 'now' | 'newId'>,
  ) {}

  /** The agent keeps ending, or does not start: the session is resumed once the agent is there again. */
  get isWaiting(): boolean {
    return this.waiting && this.store.state.connection.kind === 'failed';
  }

  /** The agent is gone; whether the session is to be resumed now. */
  begins({ mayPass }: Problem): boolean {
    this.isConnection = mayPass === true;
    this.waiting = this.isConnection || !this.store.state.activeTurn;
    // How often to connect again, the agent knows.
    if (this.isConnection || !this.waiting) return this.isConnection;
    const lastPrompt = this.lastTurn?.id;
    if (this.after !== lastPrompt) this.count = 0;
    this.after = lastPrompt;
    this.count += 1;
    return this.count <= MOST;
  }

  /** The session is open, however that came. */
  ends(): void {
    this.waiting = false;
  }

  /** The last answer was cut short: what waits behind it goes after what the user asks next. */
  get isCut(): boolean {
    return this.lastTurn?.end?.reason === 'interrupted';
  }

  /** Says in the chat that it was resumed. */
  note(): void {
    const { store, environment, agentName } = this;
    if (store.state.turns.length === 0) return;
    const text = this.isConnection
      ? l10n.t('The connection to {0} was lost and made again.', agentName)
      : l10n.t('{0} quit and was restarted.', agentName);
    const { id = '', prompt } = this.lastTurn ?? {};
    // One that the user has stopped is not.
    const isBack = this.isCut && prompt && store.state.draft.text.startsWith(prompt.text);
    const detail = isBack ? l10n.t('Your last message is back in the message box.') : undefined;
    const key = `recovered/${id}`;
    store.dispatch({ ...noticeOf(environment, 'info', text, detail), key });
  }

  private get lastTurn(): Turn | undefined {
    return this.store.state.turns.findLast(({ prompt }) => prompt);
  }
}
