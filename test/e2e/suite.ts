/**
 * One server, one browser and one window for all end-to-end tests: the installed VSIX in a real workbench.
 * A workbench takes ten seconds to open, so tests share it, and each starts a new chat.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../workbench/browser.mjs';
import { eventually } from '../workbench/eventually';
import { processesMentioning, type RunningProcess } from '../workbench/processes';
import { startServer, type WorkbenchServer } from '../workbench/server.mjs';
import { Workbench } from '../workbench/workbench';
import { ParleyPanel } from './parleyPanel';

interface Shared {
  /** A directory of this run: settings, extensions, workspace, fixtures. */
  readonly root: string;
  readonly server: WorkbenchServer;
  readonly browser: Browser;
  readonly workbench: Workbench;
}

let shared: Promise<Shared> | undefined;

// Here and not in `start`: inside a test it would belong to that test.
after(stop);

/** The window, opened by the first test that asks for it. */
export async function suite(): Promise<Shared> {
  shared ??= start();
  return shared;
}

/** A test of what a user sees. When it fails, a picture of the window is kept in out/e2e, and what it left open is closed. */
export function userTest(name: string, body: () => Promise<void>): void {
  test(name, async () => {
    try {
      await body();
    } catch (error) {
      const started = await shared;
      const file = `out/e2e/${name.replace(/[^\w]+/g, '-')}.png`;
      await started?.workbench.page.screenshot({ path: file }).catch(() => undefined);
      await started?.workbench.closeWhatAsks().catch(() => undefined);
      if (started) await stopTurn(started.workbench).catch(() => undefined);
      throw error;
    }
  });
}

/** While a turn is open, what later tests do to files counts as changed while its agent worked. */
async function stopTurn(workbench: Workbench): Promise<void> {
  const { stop } = new ParleyPanel(workbench);
  if (await stop.isVisible()) await stop.click();
}

/** The chat panel with a new, empty chat with the demo agent. */
export async function newChat(): Promise<ParleyPanel> {
  const panel = await newChatWith('Parley Demo');
  await panel.config('Mode').waitFor({ timeout: 60_000 });
  await eventually('the new chat is empty', async () => (await panel.turns.count()) === 0);
  await panel.waitUntilFocused();
  return panel;
}

/** A new chat with an agent of the settings, which may have been added a moment ago. */
export async function newChatWith(agent: string): Promise<ParleyPanel> {
  const { workbench } = await suite();
  const panel = new ParleyPanel(workbench);
  const before = await panel.chatId();
  await eventually(`${agent} can be chosen`, async () => {
    await workbench.runCommand('Parley: New Chat With…');
    await workbench.pickerRow('Parley Demo').waitFor();
    if (await workbench.pickerRow(agent).isVisible()) return true;
    await workbench.pickerInput.press('Escape');
    return false;
  });
  await workbench.pick(agent);
  // What is typed earlier stays with the chat that was shown before; after a reload that one may come first.
  await eventually(
    'the new chat is shown',
    async () =>
      ![undefined, before].includes(await panel.chatId()) &&
      (await panel.agentName()) === agent &&
      (await panel.turns.count()) === 0,
    60_000,
  );
  return panel;
}

/** The workspace folder. */
export async function workspace(): Promise<string> {
  return path.join((await suite()).root, 'sample');
}

export async function readWorkspaceFile(name: string): Promise<string> {
  return readFileSync(path.join(await workspace(), name), 'utf8');
}

/**
 * Puts the files of the sample workspace back as they were: in place, and only those that are not. A copy would delete
 * each first, and the Explorer may miss that it is there again.
 */
export async function restoreWorkspace(): Promise<void> {
  const sample = 'test/workbench/sample-workspace';
  const folder = await workspace();
  for (const name of readdirSync(sample, { recursive: true, encoding: 'utf8' })) {
    const [file, target] = [path.join(sample, name), path.join(folder, name)];
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    if (existsSync(target) && readFileSync(target).equals(bytes)) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}

/** The path of one of the misbehaving agents of test/agents, in this run's own directory. */
export async function fixtureAgent(name: string): Promise<string> {
  return path.join((await suite()).root, 'agents', `${name}.mjs`);
}

/** Sets `settings` as the user's, and takes them back after `test`. */
export async function withSettings(
  settings: Record<string, unknown>,
  test: () => Promise<void>,
): Promise<void> {
  const { server } = await suite();
  const before = server.settingsFiles.map(file => readFileSync(file, 'utf8'));
  server.writeSettings(settings);
  try {
    await test();
  } finally {
    server.settingsFiles.forEach((file, index) => writeFileSync(file, before[index] ?? '{}'));
  }
}

/** How many times Parley has logged `words`, in all windows so far: their files have no order of time. */
export async function timesLogged(words: string): Promise<number> {
  const logs = path.join((await suite()).root, 'user', 'logs');
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter(file => path.basename(file) === 'Parley.log')
    .map(file => readFileSync(path.join(logs, file), 'utf8').split(words).length - 1)
    .reduce((sum, times) => sum + times, 0);
}

/** Agents and their commands: what the extension host has started in this run's directories. */
export async function agentProcesses(): Promise<RunningProcess[]> {
  const { root, server } = await suite();
  // A shell is VS Code's own: it opens one where its terminals were shown last.
  return processesMentioning(root).filter(
    ({ group, command }) => group !== server.pid && !command.includes('shellIntegration-bash.sh'),
  );
}

/**
 * Resolves when no agent and no command runs; fails after the two seconds that are promised.
 * @param counts which processes must be gone; all by default
 */
export async function nothingLeft(
  counts: (running: RunningProcess) => boolean = () => true,
): Promise<void> {
  const started = Date.now();
  let left: RunningProcess[] = [];
  try {
    await eventually(
      'no agent is running',
      async () => {
        left = (await agentProcesses()).filter(counts);
        return left.length === 0;
      },
      2_000,
    );
  } catch {
    const commands = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
    throw new Error(`Still running ${Date.now() - started} ms later:\n${commands}`);
  }
}

async function start(): Promise<Shared> {
  const vsix = process.env['PARLEY_VSIX'];
  if (!vsix) throw new Error('PARLEY_VSIX must name the package under test.');
  const root = mkdtempSync(path.join(os.tmpdir(), 'parley-e2e-'));
  const folder = path.join(root, 'sample');
  cpSync('test/workbench/sample-workspace', folder, { recursive: true });
  cpSync('test/agents', path.join(root, 'agents'), { recursive: true });
  // What waits for the demo agent's typing waits for no fact.
  const env = {
    PARLEY_DEMO_PACE: '0.1',
    // npm as a test sets it up: what is empty counts as not set.
    npm_config_registry: '',
    npm_config_update_notifier: 'false',
    npm_config_userconfig: path.join(root, 'npmrc'),
    npm_config_cache: path.join(root, 'npm-cache'),
  };
  const server = await startServer({ root, extensions: [vsix], env });
  const browser = await launchBrowser();
  const workbench = await Workbench.open(browser, server, folder);
  return { root, server, browser, workbench };
}

async function stop(): Promise<void> {
  if (!shared) return;
  const { root, server, browser } = await shared;
  await browser.close();
  await server.stop();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
