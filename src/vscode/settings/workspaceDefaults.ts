import { basename } from 'node:path';
import { Emitter } from '../../base/event';
import type { Event } from '../../base/event';
import { DisposableStore } from '../../base/lifecycle';
import type { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/logger';
import type { RememberedAnswers } from '../rememberedAnswers';
import type { AskedDefaults } from './askedDefaults';

export interface WorkspaceDefaultsParts {
  readonly answers: RememberedAnswers;
  /** The file with the workspace's settings: absolute. */
  settingsFile(): string | undefined;
  /** Whether a file has changes of agents that wait for review. Never rejects. */
  isPending(file: string): Promise<boolean>;
  /** Paths whose pending changes are not what they were. */
  readonly onDidChangePending: Event<readonly string[]>;
  /** @returns undefined when the user did not say */
  ask(asked: AskedDefaults): Promise<boolean | undefined>;
  readonly logger: Logger;
}

/**
 * Whether agents start as the workspace wants them to: only as the user has seen and agreed to it, and
 * never by a file that an agent has changed and the user has not reviewed.
 */
export class WorkspaceDefaults implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<void>());
  /** The same question may have another answer now. */
  readonly onDidChange = this.changed.event;
  /** What was asked about in this window: one that went away unanswered is not asked again and again. */
  private readonly shown = new Set<string>();
  /** Until it is known, nothing is taken from the file. */
  private isReviewed = false;

  constructor(private readonly parts: WorkspaceDefaultsParts) {
    this.disposables.add(
      parts.onDidChangePending(paths => {
        // The paths have their links resolved: the name is enough to look again.
        const name = basename(parts.settingsFile() ?? '');
        if (paths.some(changed => basename(changed) === name)) void this.look();
      }),
    );
    void this.look();
  }

  isGiven(asked: AskedDefaults): boolean {
    return this.isReviewed && this.parts.answers.of(valuesOf(asked)) === true;
  }

  /** Asks once about values that nothing is known of. Nobody has to wait for it. */
  async consider(asked: AskedDefaults | undefined): Promise<void> {
    if (!asked) return;
    const values = valuesOf(asked);
    const key = JSON.stringify(values);
    if (this.shown.has(key) || this.parts.answers.of(values) !== undefined) return;
    // Also what an agent wrote a moment ago must be known.
    await this.look();
    if (!this.isReviewed) {
      this.parts.logger.info(`${this.parts.settingsFile() ?? ''} waits for review`);
      return;
    }
    if (this.shown.has(key)) return;
    this.shown.add(key);
    const answer = await this.parts.ask(asked);
    if (answer === undefined) return;
    await this.parts.answers.remember([values], answer);
    this.changed.fire();
  }

  /** Forgets what the user said: it is asked again. */
  async forget(): Promise<void> {
    this.shown.clear();
    await this.parts.answers.forget();
    this.changed.fire();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async look(): Promise<void> {
    const file = this.parts.settingsFile();
    const isReviewed = file === undefined || !(await this.parts.isPending(file));
    if (isReviewed === this.isReviewed) return;
    this.isReviewed = isReviewed;
    this.changed.fire();
  }
}

/** What is agreed to: not what the user has in its place, which may change. */
function valuesOf({ defaultAgent, options }: AskedDefaults): unknown {
  return {
    defaultAgent: defaultAgent?.value ?? null,
    options: options.map(({ agent, optionId, value }) => [agent, optionId, value]),
  };
}
