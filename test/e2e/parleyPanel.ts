/** The chat panel by the names that users and screen readers know (the contract in ARCHITECTURE.md). */
import type { FrameLocator, Locator } from 'playwright-core';
import { eventually } from '../workbench/eventually';
import type { Workbench } from '../workbench/workbench';

interface Composer {
  readonly chatId: string;
  readonly agentName: string;
}

export type ToolStatus =
  'pending' | 'awaiting' | 'running' | 'completed' | 'failed' | 'rejected' | 'cancelled';

export class ParleyPanel {
  readonly frame: FrameLocator;

  constructor(
    readonly workbench: Workbench,
    readonly place: 'sidebar' | 'editor' = 'sidebar',
  ) {
    this.frame = workbench.parleyFrame(place);
  }

  /** Shows the panel through the palette, and waits until it is drawn and has the focus. */
  static async open(workbench: Workbench): Promise<ParleyPanel> {
    await workbench.runCommand('Parley: Open Chat');
    const panel = new ParleyPanel(workbench);
    await panel.app.waitFor({ timeout: 60_000 });
    await panel.waitUntilFocused();
    return panel;
  }

  /** The two views of a window that was loaded again: the one that shows `prompt` first, then the other. */
  static async both(workbench: Workbench, prompt: string): Promise<[ParleyPanel, ParleyPanel]> {
    const views = [new ParleyPanel(workbench, 'sidebar'), new ParleyPanel(workbench, 'editor')];
    let shown: ParleyPanel | undefined;
    await eventually(
      'both views are there',
      async () => {
        const counts = await Promise.all(views.map(view => view.turns.count()));
        if (counts.includes(0)) return false;
        const shows = await Promise.all(views.map(view => view.turn(prompt).count()));
        shown = views[shows.findIndex(count => count > 0)];
        return shown !== undefined;
      },
      60_000,
    );
    const [one, other] = views;
    if (!one || !other) throw new Error('There are two views.');
    return shown === one ? [one, other] : [other, one];
  }

  get app(): Locator {
    return this.frame.locator('parley-app');
  }

  /** Resolves when the panel has the focus, as it has with a new chat: a palette opened before would close. */
  async waitUntilFocused(): Promise<void> {
    await this.app.locator(':focus').first().waitFor({ state: 'attached' });
  }

  // ── composer ───────────────────────────────────────────────────────────────────────────────────────

  get message(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  /** Which chat is drawn; undefined while there is none. */
  async chatId(): Promise<string | undefined> {
    return (await this.drawn())?.chatId;
  }

  /** The agent of the chat that is drawn. */
  async agentName(): Promise<string | undefined> {
    return (await this.drawn())?.agentName;
  }

  private async drawn(): Promise<Pick<Composer, 'chatId' | 'agentName'> | undefined> {
    const [composer] = await this.frame.locator('parley-composer').all();
    return composer?.evaluate(element => {
      const { chatId, agentName } = element as unknown as Composer;
      return { chatId, agentName };
    });
  }

  /** A file or selection that goes with the next message. */
  attachment(label: string): Locator {
    return this.frame
      .getByRole('list', { name: 'Attached context' })
      .getByRole('listitem')
      .filter({ hasText: label });
  }

  /** The messages that wait for the end of the turn. */
  get queue(): Locator {
    return this.frame.getByRole('list', { name: 'Queue' });
  }

  get send(): Locator {
    return this.frame.getByRole('button', { name: 'Send', exact: true });
  }

  get stop(): Locator {
    return this.frame.getByRole('button', { name: 'Stop', exact: true });
  }

  /** Sends `text` with Enter and waits for its turn. */
  async ask(text: string): Promise<Locator> {
    await this.message.fill(text);
    await this.message.press('Enter');
    const turn = this.turn(text);
    await turn.waitFor();
    return turn;
  }

  /** Sends `text` and waits until the agent has finished. */
  async askAndWait(text: string, timeout = 30_000): Promise<Locator> {
    const turn = await this.ask(text);
    await this.waitUntilIdle(timeout);
    return turn;
  }

  /** Resolves when no turn runs. */
  async waitUntilIdle(timeout = 30_000): Promise<void> {
    await this.stop.waitFor({ state: 'hidden', timeout });
  }

  /** Resolves when a session is open and a message can be sent. */
  async waitUntilReady(timeout = 30_000): Promise<void> {
    await this.message.waitFor({ timeout });
    await this.frame
      .getByText(/^\s*Ready\b/)
      .first()
      .waitFor({ timeout });
  }

  // ── conversation ───────────────────────────────────────────────────────────────────────────────────

  get conversation(): Locator {
    return this.frame.getByRole('log', { name: 'Conversation' });
  }

  get turns(): Locator {
    return this.conversation.getByRole('article');
  }

  /** The latest turn with this prompt. */
  turn(prompt: string): Locator {
    return this.conversation.getByRole('article', { name: prompt }).last();
  }

  /** Tool calls, the latest last, by the words in their name and by their status. */
  tool(name?: string | RegExp, status?: ToolStatus): Locator {
    const selector = `[data-tool-call-id]${status ? `[data-status="${status}"]` : ''}`;
    const tools = this.conversation.locator(selector);
    return name === undefined ? tools : tools.filter({ hasText: name });
  }

  /** A part of a turn. */
  part(kind: 'text' | 'thought' | 'tool' | 'plan' | 'notice', text?: string | RegExp): Locator {
    const parts = this.frame.locator(`[data-part="${kind}"]`);
    return text === undefined ? parts : parts.filter({ hasText: text });
  }

  // ── requests ───────────────────────────────────────────────────────────────────────────────────────

  /** A waiting permission request by its tool's title. */
  permission(title?: string): Locator {
    const name = title === undefined ? /^Permission: / : `Permission: ${title}`;
    return this.frame.getByRole('group', { name });
  }

  /** Chooses an option of the waiting request. */
  async answer(option: string, title?: string): Promise<void> {
    const request = this.permission(title);
    await request.getByRole('button', { name: option }).first().click();
    await request.waitFor({ state: 'hidden' });
  }

  /** Resolves when keys and commands answer the waiting request, too: not in the moment after another one went. */
  async waitUntilAnswerable(): Promise<void> {
    await this.permission().locator('button:enabled', { hasText: 'Allow' }).first().waitFor();
  }

  // ── the rest ───────────────────────────────────────────────────────────────────────────────────────

  get plan(): Locator {
    return this.frame.getByRole('list', { name: 'Plan' });
  }

  /** A setting of the session: mode, model and so on. */
  config(name: string): Locator {
    return this.frame.getByRole('combobox', { name, exact: true });
  }

  async choose(name: string, value: string): Promise<void> {
    await this.config(name).click();
    await this.frame.getByRole('option', { name: value }).first().click();
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** A failure of the agent, as a card or a line. */
  problem(text: string | RegExp): Locator {
    return this.frame
      .locator('[data-part="notice"]:is([role="alert"], [role="group"])')
      .filter({ hasText: text });
  }
}
