import * as l10n from '@vscode/l10n';
import type { Environment } from '../ports';
import type { Turn } from '../state/state';
import type { SessionStore } from '../state/store';
import type { Translator } from '../translate/translate';
import { openTurn } from '../state/turns';

/** Parts of a turn; a long day's work has some hundreds. */
const MAX_PARTS = 2_000;
/** What the parts of a turn may hold together, roughly in UTF-16 units. */
const MAX_WEIGHT = 16_000_000;
/** One text, beyond which it goes on in a part of its own: only whole parts can be left out. */
const MAX_TEXT = 1_000_000;
/** Weighed no more often than after so many updates, or so much said. */
const UPDATES_BETWEEN = 256;
const UNITS_BETWEEN = 1_000_000;

/**
 * Keeps the running turn small enough to hold and draw, whatever an agent sends: of a turn that grows
 * without end the oldest parts are left out, and a notice stands in their place.
 */
export class TurnBounds {
  private updates = 0;
  private units = 0;
  private leftOut = { turnId: '', parts: 0 };
  private readonly weights = new WeakMap<object, number>();

  constructor(
    private readonly store: SessionStore,
    private readonly translator: Translator,
    private readonly environment: Pick<Environment, 'now' | 'newId'>,
  ) {}

  /** An update is about to be applied. @param units of text in it, roughly. */
  before(units: number): void {
    const last = openTurn(this.store.state)?.parts.at(-1);
    if ((last?.kind === 'text' || last?.kind === 'thought') && last.text.length > MAX_TEXT) {
      this.store.dispatch(this.translator.notice('info', l10n.t('The message continues below.')));
    }
    this.updates += 1;
    this.units += units;
  }

  /** It has been applied. */
  after(): void {
    if (this.updates < UPDATES_BETWEEN && this.units < UNITS_BETWEEN) return;
    this.updates = 0;
    this.units = 0;
    const turn = openTurn(this.store.state);
    if (turn) this.trim(turn);
  }

  private trim(turn: Turn): void {
    const weights = turn.parts.map(part => this.weigh(part));
    let weight = weights.reduce((sum, each) => sum + each, 0);
    if (turn.parts.length <= MAX_PARTS && weight <= MAX_WEIGHT) return;
    // Half of it goes at once: seldom is cheaper than often.
    let count = 0;
    while (
      count < turn.parts.length - 1 &&
      (turn.parts.length - count > MAX_PARTS / 2 || weight > MAX_WEIGHT / 2)
    ) {
      weight -= weights[count] ?? 0;
      count += 1;
    }
    const before = this.leftOut.turnId === turn.id ? this.leftOut.parts - 1 : 0;
    this.leftOut = { turnId: turn.id, parts: before + count };
    this.store.dispatch({
      type: 'partsLeftOut',
      turnId: turn.id,
      count,
      partId: this.environment.newId(),
      text: l10n.t('This answer is very long: its first {0} parts are not shown.', before + count),
      at: this.environment.now(),
    });
  }

  /** Parts do not change: each is weighed once. */
  private weigh(part: object): number {
    const known = this.weights.get(part);
    if (known !== undefined) return known;
    const weight = weightOf(part);
    this.weights.set(part, weight);
    return weight;
  }
}

function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, each) => sum + 8 + weightOf(each), 0);
}
