import type * as vscode from 'vscode';
import { pageHtml } from '../pages/pageHtml';

/** The page of a chat view. */
export function chatHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  host: 'sidebar' | 'editor',
): string {
  const body = '<parley-app></parley-app>';
  return pageHtml({ webview, extensionUri, bundle: 'webview', body, host });
}
