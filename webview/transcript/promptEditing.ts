import type { LitElement } from 'lit';
import type { Message, SessionState } from '../../src/session/state/state';
import type { PromptEditDetail, PromptEditorElement } from './promptEditor';
import type { PromptEdit } from './promptEdits';

/**
 * The prompts of a conversation that are being changed, each in its place, and the caret's way into the editor and out
 * of it. Tells `parley-prompt-edits` when there is something to keep.
 */
export class PromptEditing {
  private edits: ReadonlyMap<string, PromptEdit> = new Map();
  /** An editor has the focus, and may be gone with the next rendering. */
  private hadFocus = false;

  /** @param leave puts the caret where it is when nothing is changed */
  constructor(
    private readonly host: LitElement,
    private readonly leave: () => void,
  ) {
    host.addEventListener('parley-prompt-edit', event => {
      const { turnId, edit } = (event as CustomEvent<PromptEditDetail>).detail;
      if (edit) this.set(turnId, edit);
      else void this.close(turnId);
    });
  }

  get(turnId: string): PromptEdit | undefined {
    return this.edits.get(turnId);
  }

  isOpen(turnId: string): boolean {
    return this.edits.has(turnId);
  }

  /** Opens the prompt of a turn as it is. */
  start(turnId: string, { text }: Pick<Message, 'text'>): void {
    if (!this.isOpen(turnId)) this.set(turnId, { text, without: [] });
    this.load();
    this.host.requestUpdate();
    void this.focusEditor(turnId);
  }

  toJSON(): Readonly<Record<string, PromptEdit>> {
    return Object.fromEntries(this.edits);
  }

  restore(saved: Readonly<Record<string, PromptEdit>>): void {
    this.edits = new Map(Object.entries(saved));
    if (this.edits.size > 0) this.load();
    this.host.requestUpdate();
  }

  beforeRender(): void {
    this.hadFocus = Boolean(document.activeElement?.closest('parley-prompt-editor'));
  }

  /** What was sent is gone with its turn. */
  afterRender(session: SessionState | undefined): void {
    if (this.edits.size === 0) return;
    const turns = new Set(session?.turns.map(({ id }) => id));
    const left = [...this.edits].filter(([turnId]) => turns.has(turnId));
    if (!session || left.length === this.edits.size) return;
    this.keep(new Map(left));
    if (this.hadFocus && document.activeElement === document.body) this.leave();
  }

  private set(turnId: string, edit: PromptEdit): void {
    this.keep(new Map([...this.edits, [turnId, edit]]));
  }

  /** The editor shows what it was given first: typing draws nothing here. */
  private keep(edits: ReadonlyMap<string, PromptEdit>): void {
    this.edits = edits;
    this.host.dispatchEvent(new CustomEvent('parley-prompt-edits', { bubbles: true }));
  }

  private async close(turnId: string): Promise<void> {
    this.keep(new Map([...this.edits].filter(([id]) => id !== turnId)));
    this.host.requestUpdate();
    await this.host.updateComplete;
    this.inTurn<HTMLElement>(turnId, '.prompt')?.focus();
  }

  private async focusEditor(turnId: string): Promise<void> {
    await Promise.all([
      this.host.updateComplete,
      customElements.whenDefined('parley-prompt-editor'),
    ]);
    const editor = this.inTurn<PromptEditorElement>(turnId, 'parley-prompt-editor');
    await editor?.updateComplete;
    editor?.scrollIntoView({ block: 'nearest' });
    editor?.focus();
  }

  private inTurn<T extends HTMLElement>(turnId: string, selector: string): T | null {
    return this.host.querySelector<T>(`[data-turn-id="${CSS.escape(turnId)}"] > ${selector}`);
  }

  private load(): void {
    void import('./promptEditor');
  }
}
