import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Message } from '../../src/session/state/state';
import { emitIntent } from '../intent';
import { iconButton } from '../ui/button';
import { LightElement } from '../ui/element';
import { icon } from '../ui/icon';

/** Where a dragged message would go: before a message, or to the end. */
type Place = { readonly before: string } | 'end';

/** The messages that wait, in the order in which they are sent: by hand, or with Alt and the arrows, in another one. */
@customElement('parley-queue')
export class QueueElement extends LightElement {
  @property({ attribute: false }) queue: readonly Message[] = [];
  @state() private dragged: string | undefined;
  @state() private target: Place | undefined;
  /** What a screen reader hears of a move. */
  @state() private moved = '';
  private focused: HTMLElement | undefined;

  protected override willUpdate(): void {
    const { activeElement } = document;
    const isHere = activeElement instanceof HTMLElement && this.contains(activeElement);
    this.focused = isHere ? activeElement : undefined;
  }

  /** A row that moves loses the focus on its way. */
  protected override updated(): void {
    const { focused } = this;
    if (focused && this.contains(focused) && document.activeElement !== focused) focused.focus();
    focused?.scrollIntoView({ block: 'nearest' });
  }

  protected override render() {
    return html`<ul
        aria-label=${l10n.t('Queue')}
        class=${this.target === 'end' ? 'to-end' : ''}
        @dragover=${(event: DragEvent) => this.onDragOver(event)}
        @dragleave=${(event: DragEvent) => this.onDragLeave(event)}
        @drop=${(event: DragEvent) => this.onDrop(event)}
      >
        ${repeat(
          this.queue,
          ({ id }) => id,
          (message, index) => this.row(message, index),
        )}
      </ul>
      <span class="vh" role="status">${this.moved}</span>`;
  }

  private row({ id, text, attachments }: Message, index: number): TemplateResult {
    const words = text.trim() === '' ? attachments.map(({ label }) => label).join(', ') : text;
    const act = (type: 'queueSendNow' | 'queueEdit' | 'queueDrop') => () =>
      emitIntent(this, { type, messageId: id });
    const isTarget = this.target !== 'end' && this.target?.before === id;
    const classes = [isTarget ? 'to-here' : '', this.dragged === id ? 'dragged' : ''];
    return html`<li
      class=${classes.join(' ').trim()}
      data-message-id=${id}
      draggable=${this.queue.length > 1}
      @dragstart=${(event: DragEvent) => this.onDragStart(event, id)}
      @dragend=${() => this.endDrag()}
      @keydown=${(event: KeyboardEvent) => this.onKey(event, index)}
    >
      ${this.queue.length > 1 ? this.grip(words) : nothing}
      <span class="cut grow" title=${words}>${words}</span>
      ${iconButton({
        icon: 'arrow-up',
        label: l10n.t('Send Now'),
        title: l10n.t('Send Now: stops the agent first'),
        onClick: act('queueSendNow'),
      })}
      ${iconButton({ icon: 'edit', label: l10n.t('Edit'), onClick: act('queueEdit') })}
      ${iconButton({ icon: 'close', label: l10n.t('Remove'), onClick: act('queueDrop') })}
    </li>`;
  }

  private grip(words: string): TemplateResult {
    return html`<button
      type="button"
      class="icon grip"
      aria-label=${l10n.t('Move: {0}', words)}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      title=${l10n.t('Drag to reorder, or press Alt+Up or Alt+Down')}
    >
      ${icon('gripper')}
    </button>`;
  }

  private onKey(event: KeyboardEvent, index: number): void {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const { queue } = this;
    const message = queue[index];
    const place = index + (event.key === 'ArrowUp' ? -1 : 1);
    if (!message || place < 0 || place >= queue.length) return;
    this.move(message.id, queue[event.key === 'ArrowUp' ? place : place + 1]?.id);
    this.moved = l10n.t('Message {0} of {1}', place + 1, queue.length);
  }

  private onDragStart(event: DragEvent, messageId: string): void {
    this.dragged = messageId;
    if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
  }

  private onDragOver(event: DragEvent): void {
    if (this.dragged === undefined) return;
    event.preventDefault();
    const rows = [...this.querySelectorAll<HTMLElement>('li')];
    const next = rows.find(row => {
      const { top, height } = row.getBoundingClientRect();
      return event.clientY < top + height / 2;
    });
    const before = next?.dataset['messageId'];
    this.target = before === undefined ? 'end' : { before };
  }

  private onDragLeave(event: DragEvent): void {
    const into = event.relatedTarget;
    if (!(into instanceof Node && this.contains(into))) this.target = undefined;
  }

  private onDrop(event: DragEvent): void {
    const { dragged, target } = this;
    if (dragged === undefined || !target) return;
    event.preventDefault();
    this.move(dragged, target === 'end' ? undefined : target.before);
    this.endDrag();
  }

  private endDrag(): void {
    this.dragged = undefined;
    this.target = undefined;
  }

  private move(messageId: string, before: string | undefined): void {
    emitIntent(this, {
      type: 'queueMove',
      messageId,
      ...(before !== undefined && { before }),
    });
  }
}
