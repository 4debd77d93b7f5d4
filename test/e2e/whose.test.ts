/**
 * Whose a change is: the mixed situations of docs/review.md in a real window, with an agent of a process of its own,
 * files on disk and git. What only the table of `whose.test.ts` (unit) can order exactly is there.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import { ChangesBar } from './changesBar';
import type { ParleyPanel } from './parleyPanel';
import {
  fixtureAgent,
  newChatWith,
  restoreWorkspace,
  suite,
  userTest,
  withSettings,
  workspace,
} from './suite';

/** Files that this suite works on, all committed. */
const FILES = ['a.txt', 'b.txt', 'c.txt'];
/** Files that situations make. */
const MADE = ['package-lock.json', 'later.txt', 'made.txt', 'quiet.txt', 'pulled.txt'];
/** What the agent waits for; git ignores it. */
const GO = 'go.log';

let folder: string;

function gitIn(cwd: string, ...args: string[]): void {
  const as = ['-c', 'user.name=User', '-c', 'user.email=user@example.com'];
  execFileSync('git', [...as, ...args], { cwd, stdio: 'pipe' });
}

const git = (...args: string[]): void => gitIn(folder, ...args);

const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
const go = (): void => write(GO, '');

/** The names of what is pending: an agent's, then what changed while agents worked. */
interface Pending {
  readonly agents?: readonly string[];
  readonly while?: readonly string[];
}

/** Waits until the Changes bar says just this, and goes on doing so when everything has been looked at. */
async function shows(panel: ParleyPanel, expected: Pending): Promise<void> {
  const bar = new ChangesBar(panel);
  const { agents = [], while: unclaimed = [] } = expected;
  let seen: unknown;
  const isShown = async () => {
    seen = await bar.groups();
    return JSON.stringify(seen) === JSON.stringify({ agents, unclaimed });
  };
  const message = () => `expected ${JSON.stringify(expected)}, shown is ${JSON.stringify(seen)}`;
  await eventually('the Changes bar says whose it is', isShown).catch((error: unknown) => {
    throw new Error(message(), { cause: error });
  });
}

/** A situation: what the agent is asked, and what the user does while it waits for `go`. */
interface Situation {
  readonly name: string;
  readonly prompt: string;
  readonly meanwhile?: () => Promise<void> | void;
  readonly expected: Pending;
  readonly afterwards?: () => Promise<void>;
}

const SITUATIONS: readonly Situation[] = [
  {
    name: 'the user saves, and what runs on save with it, while the agent works',
    prompt: `until: ${GO} ;; run: echo agent >> b.txt`,
    async meanwhile() {
      const { workbench } = await suite();
      await workbench.openFile('a.txt');
      await workbench.page.keyboard.press('ControlOrMeta+End');
      await workbench.page.keyboard.type('typed, with blanks at its end   ');
      await workbench.runCommand('File: Save');
      const isTrimmed = () => execFileSync('tail', ['-c', '6', path.join(folder, 'a.txt')]);
      await eventually('it is saved without them', () => String(isTrimmed()).includes(' end'));
    },
    expected: { agents: ['b.txt'] },
  },
  {
    name: "the user's terminal runs an install while the agent thinks",
    prompt: `until: ${GO}`,
    meanwhile: () => {
      execFileSync('sh', ['-c', 'echo {} > package-lock.json; echo installed >> c.txt'], {
        cwd: folder,
      });
    },
    expected: { while: ['c.txt', 'package-lock.json'] },
  },
  {
    name: 'a stash and its pop',
    prompt: `run: echo agent >> b.txt ;; until: ${GO}`,
    async meanwhile() {
      const panel = current();
      await shows(panel, { agents: ['b.txt'] });
      git('stash', '-q');
      await new ChangesBar(panel).gone();
      git('stash', 'pop', '-q');
    },
    expected: { agents: ['b.txt'] },
  },
  {
    name: 'a code generator of the user writes after an edit of the agent',
    prompt: `run: echo source >> b.txt ;; until: ${GO}`,
    async meanwhile() {
      await shows(current(), { agents: ['b.txt'] });
      const generator = spawn('sh', ['-c', 'cat b.txt > c.txt'], { cwd: folder });
      await new Promise(resolve => generator.once('exit', resolve));
    },
    expected: { agents: ['b.txt'], while: ['c.txt'] },
  },
  {
    name: 'a background process of the agent writes after its turn',
    prompt: `leave: while [ ! -e ${GO} ]; do sleep 0.1; done; echo later >> a.txt; echo made > later.txt`,
    async meanwhile() {
      await current().waitUntilIdle();
    },
    expected: { while: ['a.txt', 'later.txt'] },
    // What the process may do until it is known to have ended is in the group as well.
    afterwards: async () => {
      const bar = new ChangesBar(current());
      await bar.button("Not the Agent's").click();
      await bar.gone();
    },
  },
  {
    name: 'a tool of an MCP server writes',
    prompt: 'mcp: echo generated >> a.txt; echo made > made.txt',
    expected: { agents: ['a.txt', 'made.txt'] },
  },
  {
    name: 'a subagent edits',
    prompt: 'subagent: echo agent >> a.txt',
    expected: { agents: ['a.txt'] },
  },
  {
    name: 'an edit outside any tool call',
    prompt: 'quietly: echo agent >> a.txt; rm c.txt; echo made > quiet.txt',
    expected: { while: ['a.txt', 'c.txt', 'quiet.txt'] },
  },
  {
    name: 'a pull during a turn',
    prompt: `until: ${GO} ;; run: echo agent >> b.txt`,
    async meanwhile() {
      const upstream = path.join((await suite()).root, 'upstream');
      gitIn(folder, 'clone', '-q', '.', upstream);
      writeFileSync(path.join(upstream, 'a.txt'), 'upstream\n');
      rmSync(path.join(upstream, 'c.txt'));
      writeFileSync(path.join(upstream, 'pulled.txt'), 'new\n');
      gitIn(upstream, 'add', '-A');
      gitIn(upstream, 'commit', '-qm', 'upstream');
      git('pull', '-q', '--ff-only', upstream, 'main');
    },
    expected: { agents: ['b.txt'] },
  },
];

let shown: ParleyPanel | undefined;

function current(): ParleyPanel {
  assert.ok(shown);
  return shown;
}

async function inGit(test: () => Promise<void>): Promise<void> {
  const agent = { command: process.execPath, args: [await fixtureAgent('worksOnFiles')] };
  const settings = {
    'parley.agents': { Worker: agent, Other: agent },
    'files.trimTrailingWhitespace': true,
    'files.autoSave': 'off',
  };
  await withSettings(settings, test);
}

describe('whose a change is, in a window', () => {
  before(async () => {
    folder = await workspace();
    for (const name of FILES) write(name, `${name}\n`);
    write('.gitignore', '*.log\n');
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'first');
  });

  after(async () => {
    await (await suite()).workbench.runCommand('Parley: Keep All Changes');
    await new ChangesBar(current()).gone();
    for (const name of ['.git', '.gitignore', GO, ...FILES, ...MADE]) {
      rmSync(path.join(folder, name), { recursive: true, force: true });
    }
    await restoreWorkspace();
  });

  /** Nothing is pending, and what is committed is as committed: each situation makes files of its own. */
  beforeEach(async () => {
    const { workbench } = await suite();
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Parley: Keep All Changes');
    rmSync(path.join(folder, GO), { force: true });
    git('reset', '-q', '--hard');
  });

  // An agent that waits still can end.
  afterEach(go);

  for (const { name, prompt, meanwhile, expected, afterwards } of SITUATIONS) {
    userTest(name, () =>
      inGit(async () => {
        shown = await newChatWith('Worker');
        await shown.waitUntilReady();
        await shown.ask(prompt);
        await meanwhile?.();
        go();
        await shown.waitUntilIdle();
        await shows(shown, expected);
        await afterwards?.();
      }),
    );
  }

  userTest('two chats edit one file', () =>
    inGit(async () => {
      const one = await newChatWith('Worker');
      await one.waitUntilReady();
      await one.ask(`until: ${GO} ;; run: echo one >> a.txt`);
      const two = await newChatWith('Other');
      await two.waitUntilReady();
      await two.askAndWait('run: echo two >> a.txt');
      await shows(two, { agents: ['a.txt'] });
      go();
      await eventually('both have written', () =>
        String(execFileSync('cat', [path.join(folder, 'a.txt')])).endsWith('two\none\n'),
      );
      await shows(two, { agents: ['a.txt'] });
    }),
  );
});
