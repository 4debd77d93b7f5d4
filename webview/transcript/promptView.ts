import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { withoutEscapes } from '../../src/base/escapeSequences';
import { mentionPieces } from '../../src/session/state/mentions';
import type { Attachment, Message, UserPart } from '../../src/session/state/state';
import { copy } from '../markdown/markdownElement';
import { mentionsOf } from '../components/chatFacts';
import { attachmentIcon } from '../ui/attachmentIcon';
import { refusesImages } from '../composer/refusesImages';
import { openAttachment } from '../imagePreview/openAttachment';
import { innerIconButton } from '../ui/button';
import type { ViewContext } from './context';
import type { PromptEdit } from './promptEdits';

/** A longer prompt is cut, in lines and in UTF-16 units. */
const MAX_LINES = 12;
const MAX_UNITS = 1500;

/** What the user said, with what went along. A turn that is over can be taken back to before it. */
export function promptView(
  context: ViewContext,
  prompt: Message,
  turn: { readonly id: string; readonly live: boolean },
): TemplateResult {
  const edit = turn.live ? undefined : context.edits.get(turn.id);
  if (edit) return promptEditor(context, prompt, turn.id, edit);
  const key = `${prompt.id}#prompt`;
  const text = withoutEscapes(prompt.text);
  const short = cut(text);
  const whole = context.folds.get(key, false) || short === text;
  const pieces = mentionPieces(whole ? text : `${short}…`, prompt.attachments);
  const mentioned = new Set(pieces.map(({ attachment }) => attachment));
  const words = pieces.map(piece =>
    piece.attachment ? mention(context, piece.attachment, piece.text) : inlineCode(piece.text),
  );
  const others = prompt.attachments.filter(attachment => !mentioned.has(attachment));
  return html`<div
    class="prompt"
    tabindex="-1"
    data-item
    @keydown=${(event: KeyboardEvent) => {
      const isHere = event.target === event.currentTarget && event.key === 'Enter';
      if (!isHere || turn.live) return;
      // The key must not go on into the editor.
      event.preventDefault();
      context.edits.start(turn.id, prompt);
    }}
  >
    <p>${words}</p>
    ${
      whole
        ? nothing
        : html`<button
            type="button"
            class="btn tiny plain"
            tabindex="-1"
            @click=${() => context.folds.set(key, true)}
          >
            ${l10n.t('Show all')}
          </button>`
    }
    ${others.length > 0 ? html`<div class="chips">${others.map(chip)}</div>` : nothing}
    <div class="hover">
      ${innerIconButton({
        icon: 'copy',
        label: l10n.t('Copy Prompt'),
        onClick: event => void copy(event.currentTarget as HTMLElement, text),
      })}
      ${
        turn.live
          ? nothing
          : html`${innerIconButton({
              icon: 'edit',
              label: l10n.t('Edit and Resend'),
              onClick: () => context.edits.start(turn.id, prompt),
            })}
            ${innerIconButton({
              icon: 'discard',
              label: l10n.t('Restore to Before This Prompt…'),
              onClick: () => context.send({ type: 'restorePrompt', turnId: turn.id }),
            })}`
      }
    </div>
  </div>`;
}

/** What the user said while the turn ran, where the agent was then. */
export function steeredView(
  context: ViewContext,
  { id, message, waiting }: UserPart,
  turnId: string,
): TemplateResult {
  return html`<div class="steered" data-part="user" data-id=${id}>
    ${promptView(context, message, { id: turnId, live: true })}
    ${
      waiting
        ? html`<p class="quiet" role="status">
            ${l10n.t('{0} has not read it yet', context.session.agent.name)}
          </p>`
        : nothing
    }
  </div>`;
}

function promptEditor(
  context: ViewContext,
  prompt: Message,
  turnId: string,
  edit: PromptEdit,
): TemplateResult {
  return html`<parley-prompt-editor
    .turnId=${turnId}
    .prompt=${prompt}
    .edit=${edit}
    .earlierMentions=${mentionsOf(context.session)}
    .pasted=${context.session.draft.attachments}
    .refusesImages=${refusesImages(context.session)}
    .ask=${context.ask}
  ></parley-prompt-editor>`;
}

/** The name of a turn for assistive technology: its prompt, on one line. */
export function promptName(prompt: Message | undefined): string {
  const text = withoutEscapes(prompt?.text ?? '')
    .trim()
    .replace(/\s+/g, ' ');
  if (text !== '') return text.length > 300 ? `${text.slice(0, 299)}…` : text;
  const label = prompt?.attachments.map(item => item.label).join(', ');
  return label ? label : l10n.t('Messages from the agent');
}

function chip(item: Attachment): TemplateResult {
  return html`<button
    type="button"
    class="chip open"
    tabindex="-1"
    title=${item.title}
    @click=${(event: Event) => openAttachment(event.currentTarget as HTMLElement, item)}
  >
    ${attachmentIcon(item)}<span class="cut">${item.label}</span>
  </button>`;
}

/** What is mentioned, where it is. */
function mention(context: ViewContext, item: Attachment, text: string): TemplateResult {
  const open = () => context.send({ type: 'openAttachment', attachmentId: item.id });
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open();
  };
  return html`<a
    class="mention"
    role="link"
    tabindex="-1"
    title=${item.title}
    @click=${open}
    @keydown=${key}
    >${text}</a
  >`;
}

function inlineCode(text: string): readonly (string | TemplateResult)[] {
  return text
    .split(/(`[^`\n]+`)/)
    .map(piece =>
      /^`[^`]+`$/.test(piece) ? html`<code class="inline">${piece.slice(1, -1)}</code>` : piece,
    );
}

function cut(text: string): string {
  const lines = text.split('\n', MAX_LINES + 1);
  const byLines = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES).join('\n') : text;
  return byLines.length > MAX_UNITS ? byLines.slice(0, MAX_UNITS) : byLines;
}
