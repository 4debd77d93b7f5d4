import { html, type TemplateResult } from 'lit';
import type { Attachment } from '../../src/session/state/state';
import { IMAGE_FILE } from '../../src/shared/images';
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
export function attachmentIcon(attachment: Attachment): TemplateResult {
  const { kind, picture, label } = attachment;
  if (kind === 'file' && IMAGE_FILE.test(label)) {
    void import('../imagePreview/fileThumb');
    return html`<parley-file-thumb .attachment=${attachment}></parley-file-thumb>`;
  }
  return picture
    ? html`<img class="thumb" src=${picture.thumbnail} alt="" />`
    : icon(ICONS[kind], { small: true });
}
