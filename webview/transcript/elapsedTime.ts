import * as l10n from '@vscode/l10n';
import { duration } from './words';

/** After this many milliseconds without output a command says so. */
const QUIET_AFTER = 30_000;

const shown = new Set<ElapsedElement>();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * `<parley-elapsed .since .now>`: time since then, once a second. One timer for all of them, and none
 * when none is shown.
 */
export class ElapsedElement extends HTMLElement {
  since = 0;
  now: () => number = Date.now;
  /** When the command last wrote something; shows "no output for 30 s" when that is long ago. */
  lastOutputAt: number | undefined;

  connectedCallback(): void {
    this.classList.add('num');
    shown.add(this);
    timer ??= setInterval(() => {
      for (const element of shown) element.tick();
    }, 1000);
    queueMicrotask(() => this.tick());
  }

  disconnectedCallback(): void {
    shown.delete(this);
    if (shown.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  tick(): void {
    const now = this.now();
    const silence = this.lastOutputAt === undefined ? 0 : now - this.lastOutputAt;
    const text =
      silence >= QUIET_AFTER
        ? l10n.t('no output for {0}', duration(silence))
        : duration(now - this.since);
    if (this.textContent !== text) this.textContent = text;
  }
}

customElements.define('parley-elapsed', ElapsedElement);
