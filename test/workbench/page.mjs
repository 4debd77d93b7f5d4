/** Opens the workbench in a browser page, for use or for extension tests. */
import path from 'node:path';
import { format } from 'node:util';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{
 *   folder?: string,
 *   workspace?: string,
 *   development?: readonly string[],
 *   tests?: string,
 *   viewport?: { width: number, height: number },
 *   language?: string,
 *   onLog?: (type: string, args: unknown[]) => void,
 *   onExit?: (code: number) => void,
 * }} PageOptions absolute paths; `tests` is the module whose `run` the extension host calls;
 * extensions are in `language`, the workbench itself only where it has a language pack
 */

/**
 * Opens a page in a new context: state such as open views and Parley's chats lives as long as the context.
 * @param {import('playwright-core').Browser} browser
 * @param {import('./server.mjs').WorkbenchServer} server
 * @param {PageOptions} options
 * @returns {Promise<Page>}
 */
export async function openPage(browser, server, options) {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Without a GPU, a spinner that turns draws the whole window again and again.
    reducedMotion: 'reduce',
  });
  // The first page of a server on a busy machine takes longer than Playwright's own 30 s.
  context.setDefaultNavigationTimeout(120_000);
  const page = await context.newPage();
  if (options.language) {
    await page.addInitScript(language => {
      Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: language });
    }, options.language);
  }
  if (options.onLog) await page.exposeFunction('codeAutomationLog', options.onLog);
  if (options.onExit) await page.exposeFunction('codeAutomationExit', options.onExit);
  const { development = [], tests } = options;
  if (development.length > 0 || tests)
    await addDevelopmentOptions(page, server, development, tests);
  const query = new URLSearchParams();
  if (options.workspace) query.set('workspace', options.workspace);
  else if (options.folder) query.set('folder', options.folder);
  else query.set('ew', 'true');
  await page.goto(`${server.url}/?${query.toString()}`);
  return page;
}

/**
 * Waits until the workbench is drawn and has read every extension's manifest, so that all commands and
 * views are known. (A palette opened earlier never lists late commands.)
 * @param {Page} page
 * @param {number} [timeout] milliseconds
 */
export async function waitUntilReady(page, timeout = 120_000) {
  await page.waitForFunction(
    marks => marks.every(mark => performance.getEntriesByName(mark).length > 0),
    // Before all is restored, a view that comes back may still take the focus.
    ['code/didLoadExtensions', 'code/LifecyclePhase/Restored'],
    { timeout, polling: 100 },
  );
  await page
    .locator('.monaco-workbench .part.statusbar .statusbar-item')
    .first()
    .waitFor({ timeout });
}

/**
 * A released server ignores extensions under development in the URL, so they are put into the page's own
 * configuration while the workbench reads it.
 * @param {Page} page
 * @param {import('./server.mjs').WorkbenchServer} server
 * @param {readonly string[]} development
 * @param {string | undefined} tests
 */
async function addDevelopmentOptions(page, server, development, tests) {
  /** @param {string} file */
  const remote = file => ({
    scheme: 'vscode-remote',
    authority: `127.0.0.1:${server.port}`,
    path: path.resolve(file),
  });
  const added = {
    extensions: development.map(remote),
    ...(tests ? { extensionTestsPath: remote(tests) } : {}),
  };
  await page.addInitScript(options => {
    const getAttribute = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (/** @type {string} */ name) {
      const value = getAttribute.call(this, name);
      const isConfiguration =
        name === 'data-settings' && this.id === 'vscode-workbench-web-configuration';
      if (!isConfiguration || value === null) return value;
      const configuration = JSON.parse(value);
      configuration.developmentOptions = { ...configuration.developmentOptions, ...options };
      return JSON.stringify(configuration);
    };
  }, added);
}

/** The workbench's own chatter on the console, which is not what a test prints. */
const CHATTER =
  /^(Creating a socket|Resolv(ing|ed) connection token|Ignoring fetching additional|Updating additional builtin|\[|Timed out waiting for authentication provider|Error while fetching the extension under development|Extension host \(Remote\) is (un)?responsive|%c)/;

/**
 * Runs extension tests in the real extension host and prints what they print.
 * @param {import('playwright-core').Browser} browser
 * @param {import('./server.mjs').WorkbenchServer} server
 * @param {PageOptions & { timeout: number }} options `timeout` in milliseconds
 * @returns {Promise<number>} the exit code: 0 when the tests' `run` resolved
 */
export async function runExtensionTests(browser, server, { timeout, ...options }) {
  /** @type {Page | undefined} */
  let page;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let over = false;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`The tests did not end within ${timeout / 1000} s.`)),
        timeout,
      );
      openPage(browser, server, {
        ...options,
        onExit: code => {
          over = true;
          resolve(code);
        },
        onLog: (type, args) => {
          // The workbench complains about everything it had not finished when the page goes.
          if (over) return;
          const line = format(...args);
          if (type !== 'warn' && line !== '' && !CHATTER.test(line)) console.log(line);
        },
      }).then(opened => {
        page = opened;
      }, reject);
    });
  } finally {
    clearTimeout(timer);
    await page?.context().close();
  }
}
