import type { Intent } from '../src/shared/intents';

/** Tells the host what the user wants: bubbles from `source` to the application, which posts it. */
export function emitIntent(source: EventTarget, intent: Intent): void {
  source.dispatchEvent(
    new CustomEvent<Intent>('parley-intent', { detail: intent, bubbles: true, composed: true }),
  );
}
