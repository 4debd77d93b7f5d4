/** Serves the built page to the browser, as the extension would: same files, same content security policy. */
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { textsOf } from './texts';

const root = path.resolve(import.meta.dirname, '../..');
const NONCE = 'test';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

export interface PageServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Builds the webview as `npm run build` does, in memory, and serves it on loopback. */
export async function servePage(): Promise<PageServer> {
  const files = await buildWebview();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    content(url, files).then(
      body => {
        const type = TYPES[path.extname(url.pathname)] ?? TYPES['.html'];
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => closed(server) };
}

async function buildWebview(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { bundles } = (await import(pathToFileURL(path.join(root, 'esbuild.mjs')).href)) as {
    bundles(mode: { production: boolean }): Record<'webview' | 'pages', esbuild.BuildOptions>;
  };
  const { webview, pages } = bundles({ production: !process.env['PARLEY_TEST_SOURCES'] });
  const built = await Promise.all(
    [webview, pages].map(options =>
      esbuild.build({ ...options, write: false, logLevel: 'warning' }),
    ),
  );
  const files = built.flatMap(({ outputFiles }) => outputFiles ?? []);
  return new Map(files.map(file => [path.basename(file.path), file.contents]));
}

async function content(
  url: URL,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<string | Uint8Array> {
  if (url.pathname === '/') return html(url.searchParams);
  const built = files.get(path.basename(url.pathname));
  if (url.pathname.startsWith('/dist/') && built) return built;
  if (/^\/(themes\/[\w-]+|hostDefaults)\.css$/.test(url.pathname)) {
    return readFile(path.join(import.meta.dirname, url.pathname));
  }
  throw new Error('not found');
}

function html(query: URLSearchParams): string {
  const host = query.get('host') === 'editor' ? 'editor' : 'sidebar';
  // A page of an editor tab, or the panel.
  const tab = query.get('tab')?.replaceAll(/[^\w-]/g, '');
  const bundle = tab ? 'pages' : 'webview';
  const element = tab || 'parley-app';
  const theme = (query.get('theme') ?? 'dark-modern').replaceAll(/[^\w-]/g, '');
  const language = query.get('language') === 'de' ? 'de' : 'en';
  const texts = JSON.stringify(textsOf(language)).replaceAll('<', '\\u003c');
  const kind = theme.startsWith('hc')
    ? 'vscode-high-contrast'
    : theme.startsWith('light')
      ? 'vscode-light'
      : 'vscode-dark';
  const classes = [
    kind,
    theme === 'hc-light' ? 'vscode-high-contrast-light' : '',
    query.get('motion') === 'full' ? '' : 'vscode-reduce-motion',
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data: blob:; media-src data:; font-src 'self'; style-src 'self' 'nonce-${NONCE}'; script-src 'nonce-${NONCE}';">
<meta property="csp-nonce" content="${NONCE}">
<title>Parley</title>
<link rel="stylesheet" href="/hostDefaults.css">
<link rel="stylesheet" id="theme" href="/themes/${theme}.css">
<link rel="stylesheet" href="/dist/${bundle}.css">
</head>
<body class="${classes.join(' ').trim()}" data-host="${host}">
<${element}></${element}>
<script type="application/json" id="l10n" nonce="${NONCE}">${texts}</script>
<script nonce="${NONCE}">
// The part of VS Code's API that a webview gets, recording what it is told.
// A page that is loaded anew remembers; one that another test has used does not.
if (performance.getEntriesByType('navigation')[0]?.type !== 'reload') sessionStorage.clear();
window.__posts = [];
window.__errors = [];
addEventListener('error', event => window.__errors.push(String(event.message)));
addEventListener('unhandledrejection', event => window.__errors.push(String(event.reason)));
addEventListener('securitypolicyviolation', event =>
  window.__errors.push('CSP: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber));
window.acquireVsCodeApi = () => ({
  postMessage: message => window.__posts.push(message),
  getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
  setState: state => (sessionStorage.setItem('state', JSON.stringify(state)), state),
});
</script>
<script type="module" nonce="${NONCE}" src="/dist/${bundle}.js"></script>
</body>
</html>`;
}

function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
