import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { Review } from '../../review/review';
import { increase, isNothing, NOTHING, plus, spentIn } from '../../session/budget/amounts';
import type { Budget, Scope } from '../../session/budget/limits';
import type { Amounts, Measure } from '../../session/budget/measures';
import { allowances, standings, type Standing } from '../../session/budget/standings';
import { leftText, leftTitle, questionText, warningText } from '../../session/budget/words';
import type { Chat, Chats } from '../../session/chats';
import { noticeOf } from '../../session/notices';
import type { Environment } from '../../session/ports';
import type { SessionState } from '../../session/state/state';
import type { BudgetLeft } from '../../shared/panelState';
import { dayOf, type DayFile } from './dayFile';

/** Looked at no more often, in milliseconds; written down no more often. */
const LOOK_MS = 1_000;
const WRITE_MS = 10_000;

type Allowed = Partial<Record<Measure, number>>;

interface Watched {
  spent: Amounts;
  readonly files: Set<string>;
  readonly allowed: Allowed;
  /** What was warned of and asked, by limit: once each. */
  readonly said: Set<string>;
  /** The question that waits, as a notice. */
  question?: { readonly key: string; readonly text: string; readonly inTurn: boolean } | undefined;
}

export interface BudgetWatchParts {
  readonly chats: Pick<Chats, 'all' | 'get' | 'onDidChange' | 'onDidDelete'>;
  readonly review: Pick<Review, 'pending' | 'onDidChange'>;
  readonly budget: () => Budget;
  readonly days: Pick<DayFile, 'read' | 'add'>;
  readonly environment: Environment;
  readonly logger: Logger;
}

/** Adds up what chats cost, warns before a limit, and asks at it whether to go on. */
export class BudgetWatch implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private readonly watched = new Map<string, Watched>();
  private day: { readonly name: string; used: Amounts; readonly allowed: Allowed };
  private unwritten = NOTHING;
  private written: Promise<void> = Promise.resolve();
  /** Writes that are not done. */
  private writes = 0;
  private looking: Disposable | undefined;
  private writing: Disposable | undefined;

  private constructor(
    private readonly parts: BudgetWatchParts,
    name: string,
    used: Amounts,
  ) {
    this.day = { name, used, allowed: {} };
    for (const chat of parts.chats.all) this.of(chat);
    this.disposables.add(
      parts.chats.onDidChange(chat => {
        this.of(chat);
        this.soon();
      }),
    );
    this.disposables.add(parts.chats.onDidDelete(({ chatId }) => this.watched.delete(chatId)));
    this.disposables.add(parts.review.onDidChange(() => this.readFiles()));
    this.readFiles();
  }

  static async open(parts: BudgetWatchParts): Promise<BudgetWatch> {
    const name = dayOf(parts.environment.now());
    return new BudgetWatch(parts, name, await parts.days.read(name));
  }

  /** Whether the next message may go out. When not, the chat asks. */
  mayPrompt({ chatId }: Pick<SessionState, 'chatId'>): boolean {
    const chat = this.parts.chats.get(chatId);
    if (!chat || chat.isReplay) return true;
    this.look(chat);
    const over = this.standings(chat).find(({ level }) => level === 'over');
    if (over) this.ask(chat, over);
    return over === undefined;
  }

  /** The user wants to go on: what is used up is allowed once more. */
  goOn(chatId: string): void {
    const chat = this.parts.chats.get(chatId);
    if (!chat) return;
    const own = this.of(chat);
    for (const { scope, measure, used, level } of this.standings(chat)) {
      const once = this.parts.budget()[scope][measure];
      if (level !== 'over' || once === undefined) continue;
      (scope === 'chat' ? own : this.day).allowed[measure] = allowances(once, used);
    }
    this.closeQuestion(chat);
    this.changed.fire();
    void chat.controller.connect();
  }

  /** What is left of the limit that is nearest; undefined when there is none. */
  left(chatId: string): BudgetLeft | undefined {
    const chat = this.parts.chats.get(chatId);
    const [nearest] = chat && !chat.isReplay ? this.standings(chat) : [];
    if (!nearest) return undefined;
    return {
      percent: Math.max(0, Math.floor(100 - (100 * nearest.used) / nearest.limit)),
      text: leftText(nearest),
      title: leftTitle(nearest),
    };
  }

  /** Resolves when all is written. Never rejects. */
  flush(): Promise<void> {
    const { unwritten: amounts } = this;
    const { name } = this.day;
    this.writing?.dispose();
    this.writing = undefined;
    if (isNothing(amounts)) return this.written;
    this.unwritten = NOTHING;
    this.writes += 1;
    this.written = this.written.then(() => this.write(name, amounts));
    return this.written;
  }

  dispose(): void {
    this.looking?.dispose();
    this.writing?.dispose();
    this.disposables.dispose();
  }

  private async write(name: string, amounts: Amounts): Promise<void> {
    try {
      const sum = await this.parts.days.add(name, amounts);
      // With what other windows have spent; while more waits to be written it would be too little.
      if (this.writes === 1 && this.day.name === name) this.day.used = plus(sum, this.unwritten);
    } catch (error) {
      this.parts.logger.error('What was spent today could not be written down', error);
    } finally {
      this.writes -= 1;
    }
  }

  private of(chat: Chat): Watched {
    const known = this.watched.get(chat.chatId);
    if (known) return known;
    // What was spent before is of another day, or counted already.
    const spent = spentIn(chat.store.state, 0, this.parts.environment.now());
    const made: Watched = { spent, files: new Set(), allowed: {}, said: new Set() };
    this.watched.set(chat.chatId, made);
    return made;
  }

  private readFiles(): void {
    for (const { path, turns, unclaimed } of this.parts.review.pending) {
      if (unclaimed) continue;
      for (const { chatId } of turns) {
        const chat = this.parts.chats.get(chatId);
        if (chat) this.of(chat).files.add(path);
      }
    }
    this.soon();
  }

  private soon(): void {
    this.looking ??= this.parts.environment.after(LOOK_MS, () => {
      this.looking = undefined;
      const chats = this.parts.chats.all.filter(({ isReplay }) => !isReplay);
      for (const chat of chats) this.look(chat);
      this.changed.fire();
      // Minutes pass also while nothing is said.
      if (chats.some(({ store }) => store.state.activeTurn)) this.soon();
    });
  }

  private look(chat: Chat): void {
    const { environment } = this.parts;
    const own = this.of(chat);
    const spent = spentIn(chat.store.state, own.files.size, environment.now());
    this.add(increase(own.spent, spent));
    own.spent = spent;
    const { activeTurn } = chat.store.state;
    for (const standing of this.standings(chat)) {
      const { scope, measure, limit, level } = standing;
      const key = `${level} ${scope} ${measure} ${limit}`;
      if (level === 'fine' || own.said.has(key)) continue;
      if (level === 'over' && activeTurn) this.ask(chat, standing);
      if (level === 'near') this.say(chat, 'info', `budget ${key}`, warningText(standing));
      if (level === 'near' || activeTurn) own.said.add(key);
    }
    if (own.question?.inTurn && !activeTurn) this.closeQuestion(chat);
  }

  private add(more: Amounts): void {
    const name = dayOf(this.parts.environment.now());
    if (name !== this.day.name) {
      void this.flush();
      this.day = { name, used: NOTHING, allowed: {} };
    }
    if (isNothing(more)) return;
    this.day.used = plus(this.day.used, more);
    this.unwritten = plus(this.unwritten, more);
    this.writing ??= this.parts.environment.after(WRITE_MS, () => void this.flush());
  }

  private standings(chat: Chat): Standing[] {
    const { spent, allowed } = this.of(chat);
    const spending: Record<Scope, { used: Amounts; allowed: Allowed }> = {
      chat: { used: spent, allowed },
      day: this.day,
    };
    return standings(this.parts.budget(), spending);
  }

  private ask(chat: Chat, standing: Standing): void {
    const own = this.of(chat);
    if (own.question) return;
    const inTurn = chat.store.state.activeTurn !== undefined;
    const key = `budget ${this.parts.environment.newId()}`;
    const text = questionText(standing);
    own.question = { key, text, inTurn };
    const detail = l10n.t(
      'If you continue, the same amount is allowed again. The setting is parley.budget.',
    );
    this.say(chat, 'warning', key, text, detail, inTurn ? ['goOn', 'stop'] : ['goOn']);
  }

  private closeQuestion(chat: Chat): void {
    const own = this.of(chat);
    if (!own.question) return;
    const { key, text } = own.question;
    own.question = undefined;
    this.say(chat, 'info', key, text);
  }

  private say(
    chat: Chat,
    level: 'info' | 'warning',
    key: string,
    text: string,
    detail?: string,
    actions: readonly ('goOn' | 'stop')[] = [],
  ): void {
    const notice = noticeOf(this.parts.environment, level, text, detail, actions);
    chat.store.dispatch({ ...notice, key });
  }
}
