import type { LitElement } from 'lit';
import { subagentChat, type SubagentChat } from '../../src/session/state/subagent';
import type { SessionState } from '../../src/session/state/state';
import { returnTo, type SubagentPlace } from '../transcript/subagentPlace';
import type { TranscriptElement } from '../transcript/transcriptElement';
import { hasRequest } from './chatFacts';

/** The subagent that is shown instead of the chat. */
export interface ShownSubagent extends SubagentChat {
  readonly place: SubagentPlace;
  /** The subagents that it was opened from, the outermost first; none when it was the chat. */
  readonly outer: readonly SubagentPlace[];
  /** The title of where it was opened; undefined when that is the chat. */
  readonly from: string | undefined;
}

/** Where the way from the chat into its subagents is kept over a reload. */
export interface KeptPlaces {
  get(): readonly SubagentPlace[];
  set(places: readonly SubagentPlace[]): void;
}

/** The way from the chat into a subagent's conversation, from there into those of its own, and back. */
export class OpenSubagents {
  /** @param app the frame, in which a conversation is drawn */
  constructor(
    private readonly app: LitElement,
    private readonly kept: KeptPlaces,
  ) {
    app.addEventListener('parley-open-subagent', event => {
      const place = (event as CustomEvent<SubagentPlace>).detail;
      this.keep([...this.kept.get(), place]);
    });
  }

  /** The innermost that is still there. */
  shown(session: SessionState): ShownSubagent | undefined {
    const places = this.kept.get();
    for (const [index, place] of [...places.entries()].reverse()) {
      const chat = subagentChat(session, place.turnId, place.partId);
      const outer = places.slice(0, index);
      if (chat) return { ...chat, place, outer, from: titleOf(session, outer.at(-1)) };
    }
    return undefined;
  }

  /** Back to where it was opened, with the focus and the scroll position of then. */
  async back({ place, outer }: ShownSubagent): Promise<void> {
    this.keep(outer);
    await this.app.updateComplete;
    const transcript = this.app.querySelector<TranscriptElement>('parley-transcript');
    if (transcript) await returnTo(transcript, place);
  }

  /** Back to the chat, wherever in it. */
  async leave(): Promise<void> {
    if (this.kept.get().length === 0) return;
    this.keep([]);
    await this.app.updateComplete;
  }

  /** Shows the chat if the request is not in what is shown. @returns whether it was */
  async leaveFor(requestId: string, shown: ShownSubagent | undefined): Promise<boolean> {
    if (!shown || hasRequest(shown.session, requestId)) return true;
    await this.leave();
    return false;
  }

  onEscape(event: KeyboardEvent, shown: ShownSubagent | undefined): void {
    // In a dialog, a menu or a request the key has a meaning of its own.
    const isTaken = event.defaultPrevented || event.isComposing || document.querySelector(':modal');
    if (!shown || isTaken) return;
    event.preventDefault();
    void this.back(shown);
  }

  private keep(places: readonly SubagentPlace[]): void {
    this.kept.set(places);
    this.app.requestUpdate();
  }
}

function titleOf(session: SessionState, place: SubagentPlace | undefined): string | undefined {
  return place && subagentChat(session, place.turnId, place.partId)?.call.title;
}
