import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export interface PageParts {
  readonly webview: vscode.Webview;
  readonly extensionUri: vscode.Uri;
  /** Name of the bundle in `dist`, for script and style sheet. */
  readonly bundle: string;
  /** HTML of the body, from texts of Parley's own. */
  readonly body: string;
  /** The body's `data-host`. */
  readonly host: 'sidebar' | 'editor';
  /** Where images may come from besides. */
  readonly images?: readonly string[];
}

/** The folder of the built pages, relative to the extension. */
export function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist');
}

/**
 * The document of a page. Pages render what others write, so nothing is loaded but the bundle, and only the script
 * with this page's nonce runs.
 */
export function pageHtml({
  webview,
  extensionUri,
  bundle,
  body,
  host,
  images = [],
}: PageParts): string {
  const nonce = randomBytes(16).toString('base64url');
  const source = webview.cspSource;
  const file = (name: string) =>
    attribute(
      webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extensionUri), name)).toString(),
    );
  const policy = [
    `default-src 'none'`,
    ['img-src', source, 'data:', 'blob:', ...images].join(' '),
    `media-src data:`,
    `font-src ${source}`,
    `style-src ${source} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(vscode.env.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
    <meta property="csp-nonce" content="${nonce}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${file(`${bundle}.css`)}">
    <title>Parley</title>
  </head>
  <body data-host="${host}">
    ${body}
    ${translations(nonce)}
    <script type="module" nonce="${nonce}" src="${file(`${bundle}.js`)}"></script>
  </body>
</html>`;
}

/** The texts of the user's language; none for English. */
function translations(nonce: string): string {
  const { bundle } = vscode.l10n;
  if (bundle === undefined) return '';
  // `<` must not end the script element that carries the texts.
  const texts = JSON.stringify(bundle).replace(/</g, '\\u003c');
  return `<script type="application/json" id="l10n" nonce="${nonce}">${texts}</script>`;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
