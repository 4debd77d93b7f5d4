import { html, type TemplateResult } from 'lit';
import type { Attachment } from '../../src/session/state/state';
import { icon } from './icon';

/** The codicon of what goes along with a message. */
const ICONS: Readonly<Record<Attachment['kind'], string>> = {
  file: 'file',
  folder: 'folder',
  selection: 'list-selection',
  symbol: 'symbol-method',
  image: 'file-media',
  problems: 'warning',
  changes: 'diff',
  commit: 'git-commit',
  terminal: 'terminal',
  chat: 'comment-discussion',
  link: 'link',
  conversation: 'comment-discussion',
};

/** What goes along with a message, at a glance: an image is its own sign. */
export function attachmentIcon({ kind, picture }: Attachment): TemplateResult {
  return picture
    ? html`<img class="thumb" src=${picture.thumbnail} alt="" />`
    : icon(ICONS[kind], { small: true });
}
