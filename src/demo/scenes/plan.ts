import type * as schema from '../../acp/schema/schema';
import type { Scene } from '../scene';
import type { Turn } from '../turn';

export const planScene: Scene = {
  name: 'plan',
  description: 'A plan and its progress',
  words: /\b(?:plan|todo|steps)\b/i,
  title: 'Working to a plan',
  next: '`/tour` follows a plan with real work.',
  async play(turn) {
    await turn.think('Five steps are enough to see progress.', 'None of them touches a file.');
    await turn.say(
      'A plan stays above the message box while I work on it. I only pretend to work.',
    );
    const plan = new Plan(turn, [
      ['Read the failing test', 'high'],
      ['Find the code behind it', 'high'],
      ['Make the smallest change', 'medium'],
      ['Run the tests again', 'medium'],
      ['Say what changed', 'low'],
    ]);
    for (let step = 0; step < plan.length; step++) {
      plan.begin(step);
      await turn.pause(900);
    }
    plan.finish();
    await turn.say('\n\nAll five are done. A finished plan becomes part of the conversation.');
  },
};

/** A plan whose steps are worked on in order. */
export class Plan {
  private readonly entries: schema.PlanEntry[];

  constructor(
    private readonly turn: Turn,
    steps: readonly (readonly [string, schema.PlanEntryPriority])[],
  ) {
    this.entries = steps.map(([content, priority]) => ({ content, priority, status: 'pending' }));
    this.show();
  }

  get length(): number {
    return this.entries.length;
  }

  /** Everything before `step` is done, `step` is worked on. */
  begin(step: number): void {
    this.entries.forEach((entry, index) => {
      entry.status = index < step ? 'completed' : index === step ? 'in_progress' : 'pending';
    });
    this.show();
  }

  finish(): void {
    this.begin(this.entries.length);
  }

  private show(): void {
    this.turn.plan(this.entries.map(entry => ({ ...entry })));
  }
}
