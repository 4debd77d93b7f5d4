import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import { bytesOf, sizeText } from '../../base/bytes';
import type { Disposable } from '../../base/lifecycle';
import type { Environment } from '../ports';
import { Rate } from './rate';

/** What may be sent in one chat, by the settings `parley.limits.*`. */
export interface PromptLimitSettings {
  /** Largest prompt with all that is attached, in bytes of JSON. */
  readonly promptBytes: number;
  /** Prompts in any minute; 0 for as many as there are. */
  readonly promptsPerMinute: number;
}

/** A message that is too large to be sent; `message` says so to the user, with the next step. */
export class PromptTooLarge extends Error {}

interface Words {
  readonly text: string;
  readonly detail: string;
}

/** Keeps one chat's prompts within the limits. */
export class PromptLimits implements Disposable {
  private readonly rate: Rate;
  private timer: Disposable | undefined;

  constructor(
    private readonly settings: () => PromptLimitSettings,
    private readonly environment: Pick<Environment, 'now' | 'after'>,
  ) {
    this.rate = new Rate(() => environment.now());
  }

  /** @throws PromptTooLarge */
  checkText(text: string): void {
    this.check(bytesOf(text, this.settings().promptBytes));
  }

  /** @throws PromptTooLarge */
  checkContent(blocks: readonly schema.ContentBlock[]): void {
    this.check(bytesOf(JSON.stringify(blocks), this.settings().promptBytes));
  }

  /**
   * Counts a prompt that is about to be sent. One too many has to wait: `retry` is called when it may be
   * sent, and `show` now, once for all that wait.
   */
  admit(retry: () => void, show: (words: Words) => void): boolean {
    if (this.timer) return false;
    const { promptsPerMinute } = this.settings();
    const wait = this.rate.take(promptsPerMinute);
    if (wait === 0) return true;
    this.timer = this.environment.after(wait, () => {
      this.timer = undefined;
      retry();
    });
    show({
      text: l10n.t('Your message will be sent in {0} s.', Math.ceil(wait / 1000)),
      detail: l10n.t(
        'The setting parley.limits.promptsPerMinute allows {0} messages per minute. Raise it to send more.',
        promptsPerMinute,
      ),
    });
    return false;
  }

  /** Whether a prompt waits until it may be sent. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private check(bytes: number): void {
    const { promptBytes } = this.settings();
    if (bytes <= promptBytes) return;
    throw new PromptTooLarge(
      l10n.t(
        'With attachments it is {0}; parley.limits.promptBytes allows {1}. Shorten it, attach less, or raise the setting.',
        sizeText(bytes),
        sizeText(promptBytes),
      ),
    );
  }
}
