import * as l10n from '@vscode/l10n';
import type { Intent } from '../../src/shared/intents';

/** What can be done with a block of code, in the order of its buttons. */
export interface CodeAction {
  readonly id: 'copy' | 'insertAtCursor' | 'newFile' | 'applyCode' | 'runCode';
  readonly icon: string;
  readonly label: string;
  /** Where the block is narrow it moves into the menu. */
  readonly isMore?: boolean;
}

/** Fences whose code is for a shell. */
const SHELL = /^(?:ba|z|fi|k)?sh$|^(?:console|shell|shellsession|powershell|pwsh|ps1|bat|cmd)$/i;

/** At most so many files are offered to apply code to. */
const MAX_NEAR = 5;

export function isForShell(lang: string): boolean {
  return SHELL.test(lang);
}

export function codeActions(lang: string): readonly CodeAction[] {
  const isShell = isForShell(lang);
  const apply: CodeAction = {
    id: 'applyCode',
    icon: 'git-pull-request-go-to-changes',
    label: l10n.t('Apply to File…'),
    isMore: isShell,
  };
  const run: CodeAction = { id: 'runCode', icon: 'terminal', label: l10n.t('Run in Terminal…') };
  return [
    ...(isShell ? [run] : []),
    apply,
    { id: 'newFile', icon: 'new-file', label: l10n.t('New File'), isMore: true },
    {
      id: 'insertAtCursor',
      icon: 'insert',
      label: l10n.t('Insert at Cursor'),
      isMore: true,
    },
    { id: 'copy', icon: 'copy', label: l10n.t('Copy') },
  ];
}

/** What a button of `figure`, which holds the code, asks of the host. */
export function codeIntent(action: string | undefined, figure: HTMLElement): Intent | undefined {
  const text = codeOf(figure);
  const info = figure.dataset['info'] ?? '';
  switch (action) {
    case 'insertAtCursor':
      return { type: action, text };
    case 'newFile':
    case 'runCode':
      return { type: action, text, info };
    case 'applyCode':
      return { type: action, text, info, near: linksBefore(figure) };
    default:
      return undefined;
  }
}

export function codeOf(figure: HTMLElement): string {
  return figure.querySelector('pre')?.textContent ?? '';
}

function linksBefore(figure: HTMLElement): readonly string[] {
  const links = figure.closest('.md')?.querySelectorAll<HTMLElement>('a[data-href]') ?? [];
  const before = [...links].filter(
    link => figure.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_PRECEDING,
  );
  const hrefs = before.reverse().flatMap(link => link.dataset['href'] ?? []);
  return [...new Set(hrefs)].slice(0, MAX_NEAR);
}
