import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The folder of the built page, relative to the extension. */
export function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist');
}

/**
 * The page of a chat view. It renders what agents write, so nothing is loaded but the bundle, and only
 * the script with this page's nonce runs.
 */
export function chatHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  host: 'sidebar' | 'editor',
): string {
  const nonce = randomBytes(16).toString('base64url');
  const source = webview.cspSource;
  const file = (name: string) =>
    attribute(
      webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extensionUri), name)).toString(),
    );
  const policy = [
    `default-src 'none'`,
    `img-src ${source} data: blob:`,
    `media-src data:`,
    `font-src ${source}`,
    `style-src ${source} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const { bundle } = vscode.l10n;
  // `<` must not end the script element that carries the texts.
  const texts = bundle === undefined ? '' : JSON.stringify(bundle).replace(/</g, '\\u003c');
  const l10n =
    texts === ''
      ? ''
      : `<script type="application/json" id="l10n" nonce="${nonce}">${texts}</script>`;
  return `<!DOCTYPE html>
<html lang="${attribute(vscode.env.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
    <meta property="csp-nonce" content="${nonce}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${file('webview.css')}">
    <title>Parley</title>
  </head>
  <body data-host="${host}">
    <parley-app></parley-app>
    ${l10n}
    <script type="module" nonce="${nonce}" src="${file('webview.js')}"></script>
  </body>
</html>`;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
