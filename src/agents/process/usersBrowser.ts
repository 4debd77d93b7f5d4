/**
 * Browsers of the user: what an agent opens a page with (to sign in) starts the user's browser when none runs, and all
 * its tabs with it. It inherits the agent's mark, and yet is not the agent's. On Linux alone it can be known.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { withDescendants, type ProcessEntry } from './processTable';

const FIREFOX = 'firefox|librewolf|waterfox|floorp|zen';
const CHROMIUM = 'chrome|google-chrome|chromium|msedge|microsoft-edge|brave|opera|vivaldi';
const OTHERS = 'epiphany|falkon|konqueror';

/** What the paths of their programs end with; an extended regular expression, for `grep` too. */
export const BROWSER_PROGRAM = `/\\.?(${FIREFOX}|${CHROMIUM}|${OTHERS})(-(bin|esr|stable|beta|dev|unstable|browser|wrapped))*( \\(deleted\\))?$`;

/** What the command line, with spaces between its words, has when a program drives the browser; also for `grep`. */
export const BROWSER_AUTOMATION =
  ' --?(headless|remote-debugging-|user-data-dir|profile([ =]|$)|enable-automation|automation-mode|marionette|juggler)';

/** Parts of a browser, which are its children: whose they are is known by it. */
const PART = / (--type=|-contentproc)/;

const PROGRAM = new RegExp(BROWSER_PROGRAM);
const AUTOMATION = new RegExp(BROWSER_AUTOMATION);

/**
 * The processes of `table` without the user's browsers and all below them.
 * @param own the process id of what was asked for, which stays even if it is a browser
 */
export function withoutUsersBrowsers(
  table: readonly ProcessEntry[],
  own?: number,
): readonly ProcessEntry[] {
  if (process.platform !== 'linux') return table;
  const browsers = table.map(({ pid }) => pid).filter(pid => pid !== own && isRoot(pid));
  if (browsers.length === 0) return table;
  const spared = withDescendants(browsers, table);
  return table.filter(({ pid }) => !spared.has(pid));
}

function isRoot(pid: number): boolean {
  try {
    if (!PROGRAM.test(readlinkSync(`/proc/${pid}/exe`))) return false;
    // Some browsers rewrite their command line, with spaces.
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return !AUTOMATION.test(line) && !PART.test(line);
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}
