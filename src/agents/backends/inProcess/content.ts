/** What tools show, as content of ACP. */
import { isAbsolute, relative, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';

export function textContent(text: string): object {
  return { type: 'content', content: { type: 'text', text } };
}

/** As a block of code, whatever stands in it. */
export function fenced(code: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}

/** A path as it is named in titles. @param cwd of the session: places in it are named from there */
export function shownPath(path: string | undefined, cwd: string): string {
  if (path === undefined) return l10n.t('file');
  const within = relative(cwd, resolve(cwd, path));
  return within === '' || within.startsWith('..') || isAbsolute(within) ? path : within;
}
