import type { Attachment } from '../../src/session/state/state';

/** The codicon of what goes along with a message. */
export const ATTACHMENT_ICONS: Readonly<Record<Attachment['kind'], string>> = {
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
