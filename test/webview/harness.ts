/** The real page in a real browser, with the extension host played by the test. */
import { after } from 'node:test';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import type { SessionAction } from '../../src/session/state/actions';
import type { SessionState } from '../../src/session/state/state';
import type { Intent } from '../../src/shared/intents';
import type { FromView, ToView } from '../../src/shared/messages';
import type { PanelState } from '../../src/shared/panelState';
import type { AnswerOf, MentionGroup, QueryOf, QueryType } from '../../src/shared/queries';
import { servePage, type PageServer } from './server';
import { nameIn, textsOf } from './texts';
import type { FixtureState } from './states';

export const THEMES = [
  'dark-2026',
  'light-2026',
  'dark-modern',
  'light-modern',
  'hc-dark',
  'hc-light',
] as const;
export type ThemeName = (typeof THEMES)[number];

export interface PanelOptions {
  /** Pixels; 380 by default. */
  readonly width?: number;
  readonly height?: number;
  readonly theme?: ThemeName;
  readonly host?: 'sidebar' | 'editor';
  /** Of the texts; English by default. */
  readonly language?: string;
  /** Motion is off unless this is true, so that pictures and measures stand still. */
  readonly motion?: boolean;
  /** The element of a page of an editor tab, instead of the panel. */
  readonly tab?: string;
}

interface TestWindow {
  readonly __posts: FromView[];
  readonly __errors: string[];
}

let shared: Promise<{ readonly browser: Browser; readonly server: PageServer }> | undefined;

after(async () => {
  const started = await shared;
  await started?.browser.close();
  await started?.server.close();
});

async function start(): Promise<{ browser: Browser; server: PageServer }> {
  const [browser, server] = await Promise.all([
    chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    }),
    servePage(),
  ]);
  return { browser, server };
}

/** Pages that a test has done with. Each test loads its own document, in a process that runs already. */
const free: Page[] = [];

/** Opens a panel that has said `ready`; call `close` (or use `withPanel`). */
export async function openPanel(options: PanelOptions = {}): Promise<Panel> {
  shared ??= start();
  const { browser, server } = await shared;
  const page = free.pop() ?? (await newPage(browser));
  await page.setViewportSize({ width: options.width ?? 380, height: options.height ?? 760 });
  const query = new URLSearchParams({
    theme: options.theme ?? 'dark-modern',
    host: options.host ?? 'sidebar',
    motion: options.motion ? 'full' : 'reduced',
    language: options.language ?? 'en',
    ...(options.tab && { tab: options.tab }),
  });
  await page.goto(`${server.origin}/?${query}`);
  const panel = new Panel(page, textsOf(options.language ?? 'en'));
  await panel.waitForPost('ready');
  return panel;
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
  return context.newPage();
}

/** Runs `test` with a panel, which is closed afterwards; fails when the page reported an error. */
export async function withPanel(
  options: PanelOptions,
  test: (panel: Panel) => Promise<void>,
): Promise<void> {
  const panel = await openPanel(options);
  try {
    await test(panel);
    await panel.assertNoErrors();
  } catch (error) {
    // A page that failed may hang, or hold what the next test must not see.
    await panel.close();
    throw error;
  }
  free.push(panel.page);
}

/** One page, and the host's side of its messages. */
export class Panel {
  private generation = 0;
  private seq = 0;
  private readonly answered = new Set<string>();

  constructor(
    readonly page: Page,
    private readonly texts: Readonly<Record<string, string>> = {},
  ) {}

  /** What the page calls what has this name in English. */
  named(english: string): string;
  named(english: RegExp): RegExp;
  named(english: string | RegExp): string | RegExp {
    return typeof english === 'string' ? nameIn(this.texts, english) : nameIn(this.texts, english);
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: this.named('Message') });
  }

  get conversation(): Locator {
    return this.page.getByRole('log', { name: this.named('Conversation') });
  }

  /** Sends `messages` as they are, and resolves when what they change has been painted. */
  async post(...messages: readonly ToView[]): Promise<void> {
    await this.send(...messages);
    await this.painted();
  }

  /** Resolves when the page has them, without waiting for what it makes of them. */
  async send(...messages: readonly ToView[]): Promise<void> {
    await this.page.evaluate(
      sent =>
        new Promise<void>(resolve => {
          let left = sent.length;
          const received = () => {
            left -= 1;
            if (left > 0) return;
            window.removeEventListener('message', received);
            resolve();
          };
          window.addEventListener('message', received);
          for (const message of sent) window.postMessage(message, location.origin);
        }),
      messages,
    );
  }

  /** Shows one of the fixture states. */
  async show(state: FixtureState): Promise<void> {
    await this.closeFind();
    await this.leaveSubagents();
    // What the state before has opened closes.
    await this.page.evaluate(() => {
      for (const dialog of document.querySelectorAll('dialog')) dialog.close();
      (document.activeElement as HTMLElement | null)?.blur();
    });
    await this.panelState(state.panel);
    if (state.session) await this.snapshot(state.session, state.now);
    else await this.post({ type: 'noChat' });
    if (state.then) await this.post({ type: state.then });
    await state.after?.(this);
    if (state.press)
      await this.page
        .getByRole('button', { name: this.named(state.press) })
        .first()
        .click();
    if (state.hover) await this.page.getByRole('figure', { name: this.named(state.hover) }).hover();
    if (state.find) await this.find(state.find);
    if (state.typed) await this.mention(state.typed.text, state.typed.groups);
  }

  /** Searches the chat for `text`, which is there. */
  async find(text: string): Promise<void> {
    await this.conversation.focus();
    await this.page.keyboard.press('ControlOrMeta+F');
    await this.page.getByRole('textbox', { name: this.named('Find in Chat') }).fill(text);
    await this.page
      .getByRole('status')
      .getByText(/^\d+ \S+ \d+$/)
      .waitFor();
  }

  /** Opens the subagent that a call began as a conversation of its own. */
  async openSubagent(toolCallId: string): Promise<void> {
    await this.page
      .locator(`[data-tool-call-id="${toolCallId}"] > .th`)
      .getByRole('button', { name: this.named('Open Subagent') })
      .click();
    await this.subagent.waitFor();
    await this.painted();
  }

  /** The row over a subagent's conversation. */
  get subagent(): Locator {
    return this.page.getByRole('navigation', { name: this.named('Subagent') });
  }

  private async leaveSubagents(): Promise<void> {
    while ((await this.subagent.count()) > 0) {
      await this.subagent.getByRole('button').first().click();
      await this.painted();
    }
  }

  private async closeFind(): Promise<void> {
    const search = this.page.getByRole('search');
    if ((await search.count()) === 0) return;
    await search.getByRole('button', { name: this.named('Close') }).click();
    await search.waitFor({ state: 'detached' });
  }

  /** Opens the prompt of a turn for changes, as the command does. */
  async editPrompt(turnId: string): Promise<void> {
    await this.post({ type: 'editPrompt', turnId });
    await this.page.getByRole('textbox', { name: this.named('Prompt') }).waitFor();
  }

  /** Types `text` at the end of the message, and answers what its `@` may stand for. */
  async mention(text: string, groups: readonly MentionGroup[]): Promise<void> {
    await this.message.focus();
    await this.page.keyboard.insertText(text);
    await this.answerQuery('mentions', () => ({ groups }));
  }

  async panelState(state: PanelState): Promise<void> {
    await this.post({ type: 'panel', state });
  }

  /** Shows `state` as a new generation. `now` is the host's clock; by default the latest time in the state. */
  async snapshot(state: SessionState, now: number = latestTime(state)): Promise<void> {
    this.generation += 1;
    this.seq = 0;
    await this.post({ type: 'snapshot', generation: this.generation, seq: 0, state, now });
  }

  /** Sends the next batch of the current generation. */
  async actions(actions: readonly SessionAction[]): Promise<void> {
    await this.post(this.batch(actions));
  }

  /** The next batch, for tests that send it late, twice or never. */
  batch(actions: readonly SessionAction[]): ToView {
    const from = this.seq + 1;
    this.seq += actions.length;
    return { type: 'actions', generation: this.generation, from, to: this.seq, actions };
  }

  /** Everything the page has told the host. */
  posts(): Promise<FromView[]> {
    return this.page.evaluate(() => (window as unknown as TestWindow).__posts);
  }

  /** What was asked of the host. Without drafts, which the page sends when typing pauses: see `waitForDraft`. */
  async intents(): Promise<Intent[]> {
    const posts = await this.posts();
    return posts.flatMap(post =>
      post.type === 'intent' && post.intent.type !== 'draft' ? [post.intent] : [],
    );
  }

  /** Waits until the last draft that the host was sent is `text`. */
  async waitForDraft(text: string): Promise<void> {
    await this.page.waitForFunction(wanted => {
      const last = (window as unknown as TestWindow).__posts.findLast(
        post => post.type === 'intent' && post.intent.type === 'draft',
      );
      return last?.type === 'intent' && last.intent.type === 'draft' && last.intent.text === wanted;
    }, text);
  }

  /** Forgets what was told so far. */
  async clearPosts(): Promise<void> {
    await this.page.evaluate(() => {
      (window as unknown as TestWindow).__posts.length = 0;
    });
  }

  async waitForPost(type: FromView['type']): Promise<void> {
    await this.page.waitForFunction(
      wanted => (window as unknown as TestWindow).__posts.some(post => post.type === wanted),
      type,
    );
  }

  /** Waits until the page has told an intent of this type, and returns the latest. */
  async waitForIntent<T extends Intent['type']>(type: T): Promise<Extract<Intent, { type: T }>> {
    const handle = await this.page.waitForFunction(
      wanted =>
        (window as unknown as TestWindow).__posts.findLast(
          post => post.type === 'intent' && post.intent.type === wanted,
        ),
      type,
    );
    const post = (await handle.jsonValue()) as Extract<FromView, { type: 'intent' }>;
    return post.intent as Extract<Intent, { type: T }>;
  }

  /** Waits for the page's next query of this type, and answers it. */
  async answerQuery<T extends QueryType>(
    type: T,
    answer: (query: QueryOf<T>) => AnswerOf<T>,
  ): Promise<QueryOf<T>> {
    const handle = await this.page.waitForFunction(
      ([wanted, answered]) =>
        (window as unknown as TestWindow).__posts.find(
          post =>
            post.type === 'query' && post.query.type === wanted && !answered?.includes(post.id),
        ),
      [type, [...this.answered]] as const,
    );
    const post = (await handle.jsonValue()) as Extract<FromView, { type: 'query' }>;
    this.answered.add(post.id);
    const query = post.query as unknown as QueryOf<T>;
    await this.post({ type: 'queryAnswer', id: post.id, answer: answer(query) });
    return query;
  }

  /** Types into the search of the chats, and answers with what the host finds. */
  async searchChats(text: string, found: AnswerOf<'searchChats'>['found']): Promise<void> {
    await this.page.locator('.history input[type="search"]').fill(text);
    // What was asked before is not waited for any more.
    for (let asked = ''; asked !== text;) {
      ({ text: asked } = await this.answerQuery('searchChats', () => ({ found })));
    }
    await this.painted();
  }

  /** Resolves when messages sent before have been folded, rendered and painted. */
  async painted(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>(resolve => {
          // The page's own frame task was asked for first; the second frame has its result on screen.
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
        }),
    );
    // Prose rests after a slow pass.
    await this.page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLElement & { behind?: boolean }>('parley-markdown')].every(
        prose => !prose.behind,
      ),
    );
  }

  async assertNoErrors(): Promise<void> {
    const errors = await this.page.evaluate(() => (window as unknown as TestWindow).__errors);
    const told = (await this.posts()).filter(post => post.type === 'viewError');
    if (errors.length + told.length > 0) {
      throw new Error(`The page reported: ${JSON.stringify([...errors, ...told], undefined, 1)}`);
    }
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** The latest time a state mentions, so that elapsed times do not depend on when a test runs. */
function latestTime(state: SessionState): number {
  let latest = state.createdAt;
  JSON.stringify(state, (key, value: unknown) => {
    if (/At$/.test(key) && typeof value === 'number') latest = Math.max(latest, value);
    return value;
  });
  return latest;
}
