/** What a user sees and does in VS Code, for tests of the installed extension. */
import type { Browser, FrameLocator, Locator, Page, Route } from 'playwright-core';
import { eventually } from './eventually';
import { openPage, waitUntilReady } from './page.mjs';
import { processesMentioning } from './processes';
import type { WorkbenchServer } from './server.mjs';

const EXTENSION_ID = 'parley.parley-acp';

export class Workbench {
  private constructor(
    readonly page: Page,
    private readonly server: WorkbenchServer,
  ) {
    page.setDefaultTimeout(30_000);
  }

  /** Opens `folder` in a new browser context: nothing is remembered from earlier ones. @param language of extensions */
  static async open(
    browser: Browser,
    server: WorkbenchServer,
    folder: string,
    language?: string,
  ): Promise<Workbench> {
    const options = { folder, ...(language !== undefined && { language }) };
    const workbench = new Workbench(await openPage(browser, server, options), server);
    await waitUntilReady(workbench.page);
    return workbench;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** Loads the window again, and the panel in it. By command: only then is kept what happened in the last seconds. */
  async reload(): Promise<void> {
    const panel = this.parleyFrame('sidebar').locator('parley-app');
    const wasShown = await panel.isVisible();
    const before = extensionHosts(this.server);
    const isGone = () => {
      const now = extensionHosts(this.server);
      return before.some(pid => !now.includes(pid));
    };
    // Held back until the extension host has ended: beside it, the next one would get another folder for what is stored.
    const isWindow = (url: URL) => url.pathname === '/' && url.port === String(this.server.port);
    const hold = async (route: Route) => {
      await eventually('the extension host has ended', isGone, 60_000);
      await route.continue();
      // While anything is held back, nothing comes from the browser's cache.
      await this.page.unroute(isWindow, hold);
    };
    await this.page.route(isWindow, hold);
    const loaded = this.page.waitForEvent('domcontentloaded', { timeout: 120_000 });
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await waitUntilReady(this.page);
    // The extension host starts anew, and then the panel: on a busy machine that takes longer than anything else.
    if (wasShown) await panel.waitFor({ timeout: 120_000 });
  }

  // ── commands and pickers ───────────────────────────────────────────────────────────────────────────

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** Where one types into the open picker. Keys go there, whatever has taken the focus. */
  get pickerInput(): Locator {
    return this.quickInput.locator('.quick-input-box input');
  }

  /** Runs a command from the palette; `title` as it is listed, category included. */
  async runCommand(title: string): Promise<void> {
    const row = await this.searchCommand(title);
    await row.click();
  }

  /** Whether the palette lists `title` now. */
  async offersCommand(title: string): Promise<boolean> {
    const row = await this.searchCommand(title);
    const none = this.quickInput.getByText('No matching commands');
    await row.or(none).first().waitFor();
    const listed = await row.isVisible();
    await this.pickerInput.press('Escape');
    return listed;
  }

  private async searchCommand(title: string): Promise<Locator> {
    // The palette opens through its key, which a focused webview passes on to the workbench.
    await this.page.keyboard.press('F1');
    await this.pickerInput.fill(`>${title}`);
    return this.pickerRow(title).first();
  }

  /** A row of the open picker by its whole label. */
  pickerRow(label: string): Locator {
    const whole = new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    return this.quickInput
      .locator('.monaco-list-row')
      .filter({ has: this.page.locator('.label-name', { hasText: whole }) });
  }

  /** Chooses the row with this label in the open picker. */
  async pick(label: string): Promise<void> {
    await this.pickerRow(label).first().click();
  }

  /** Chooses an agent in the picker of *New Chat With…*: by its name, since a long list is not all there. */
  async pickAgent(name: string): Promise<void> {
    await this.quickInput.locator('.quick-input-title', { hasText: 'New Chat With…' }).waitFor();
    await this.pickerInput.fill(name);
    await this.pick(name);
  }

  /** Types into the open input and confirms. */
  async answerInput(text: string): Promise<void> {
    await this.pickerInput.fill(text);
    await this.pickerInput.press('Enter');
  }

  // ── parts of the window ────────────────────────────────────────────────────────────────────────────

  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  get sideBar(): Locator {
    return this.page.locator('.part.auxiliarybar');
  }

  tab(title: string | RegExp): Locator {
    return this.page.locator('.part.editor .tab').filter({ hasText: title });
  }

  get activeTab(): Locator {
    return this.page.locator('.part.editor .editor-group-container.active .tab.active');
  }

  async closeActiveTab(): Promise<void> {
    await this.runCommand('View: Close Editor');
  }

  async openFile(path: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+P');
    const name = path.split('/').at(-1) ?? path;
    await this.pickerInput.fill(path);
    // Not by a click: the rows move while they are found, and what is under the pointer is opened.
    await this.quickInput.locator('.monaco-list-row.focused').filter({ hasText: name }).waitFor();
    await this.pickerInput.press('Enter');
    await this.activeTab.filter({ hasText: name }).waitFor();
    // Until it has the focus it would take it from the next picker.
    await this.focusedEditor.waitFor();
  }

  /** Shows a file that the Explorer lists, with a click there: nothing can take the focus from a picker. */
  async openInExplorer(name: string): Promise<void> {
    await this.page.locator('.explorer-folders-view').getByRole('treeitem', { name }).click();
    await this.activeTab.filter({ hasText: name }).waitFor();
  }

  /** Locks the editor group in front while `test` runs: nothing may open in it. @param test can ask for the names of its tabs */
  async withLockedGroup(
    test: (names: () => Promise<readonly (string | null)[]>) => Promise<void>,
  ): Promise<void> {
    await this.runCommand('View: Lock Editor Group');
    const tabs = this.page.locator('.editor-group-container.locked .tab');
    await tabs.first().waitFor();
    try {
      await test(() =>
        tabs.evaluateAll(all => all.map(tab => tab.getAttribute('data-resource-name'))),
      );
    } finally {
      await this.runCommand('View: Focus First Editor Group');
      await this.runCommand('View: Unlock Editor Group');
      await tabs.first().waitFor({ state: 'hidden' });
    }
  }

  /** The text editor in front. */
  get editor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor').first();
  }

  /** The text editor with the caret, also one of several in a diff of many files. */
  get focusedEditor(): Locator {
    return this.page.locator('.editor-group-container.active .monaco-editor.focused').first();
  }

  /** The two sides of the diff editor in front. */
  get diff(): { readonly before: Locator; readonly after: Locator } {
    const diff = this.page.locator('.monaco-diff-editor').last();
    return { before: diff.locator('.editor.original'), after: diff.locator('.editor.modified') };
  }

  /** The lenses with this title in the editors in front. */
  lens(title: string): Locator {
    return this.page
      .locator('.editor-group-container.active .codelens-decoration a')
      .filter({ hasText: new RegExp(`^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) });
  }

  /** A question in the middle of the window. */
  get dialog(): Locator {
    return this.page.getByRole('dialog').filter({ has: this.page.locator('.dialog-buttons') });
  }

  /** Closes dialogs and pickers, which would stand in the way of whatever is next. */
  async closeWhatAsks(): Promise<void> {
    for (const [open, keys] of [
      [this.dialog, this.page.keyboard],
      [this.quickInput, this.pickerInput],
    ] as const) {
      if (!(await open.first().isVisible())) continue;
      await keys.press('Escape');
      await open.first().waitFor({ state: 'hidden', timeout: 5_000 });
    }
  }

  /** A button in the title bar of the editor in front. */
  editorAction(name: string | RegExp): Locator {
    return this.page
      .locator('.editor-group-container.active .editor-actions')
      .getByRole('button', { name });
  }

  /** The rows of the terminal in front. */
  get terminal(): Locator {
    return this.page.locator('.terminal-wrapper.active .xterm-rows');
  }

  /** The lines of the Output panel. */
  get output(): Locator {
    return this.page
      .locator('.part.panel .output-view .view-lines, .part.panel .view-lines')
      .first();
  }

  /**
   * The page of Parley's view in the side bar, or of its editor tab. Nothing on a webview's frame tells
   * them apart for long, but their order does: whichever was shown first comes first, so show the side bar
   * before the tab. The tab is the second, not the last: while it opens, the last is still the side bar.
   */
  parleyFrame(place: 'sidebar' | 'editor'): FrameLocator {
    return this.page
      .locator(`iframe.webview[src*="extensionId=${EXTENSION_ID}"]`)
      .nth(place === 'sidebar' ? 0 : 1)
      .contentFrame()
      .frameLocator('iframe#active-frame');
  }
}

/** The extension hosts of the windows that are open, by process id. */
export function extensionHosts({ pid: server }: WorkbenchServer): readonly number[] {
  return processesMentioning('--type=extensionHost')
    .filter(({ group }) => group === server)
    .map(({ pid }) => pid);
}
