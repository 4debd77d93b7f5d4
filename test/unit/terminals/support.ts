import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { ProcessTracker } from '../../../src/agents/process/processTracker';
import { nullLogger } from '../../../src/base/logger';
import type { TerminalProcess, TerminalRequest } from '../../../src/session/ports';
import type { FoundPty } from '../../../src/terminals/nodePty';
import { ProcessTerminals } from '../../../src/terminals/processTerminals';
import { assertGone, marked, processesWith } from '../agents/support';

/** Terminals whose commands must all be gone when the test ends. */
export function rig(
  t: TestContext,
  env: Record<string, string> = {},
  findPty?: () => Promise<FoundPty>,
) {
  const id = randomUUID();
  const processes = new ProcessTracker();
  const terminals = new ProcessTerminals({
    logger: nullLogger,
    processes,
    environment: {
      get: () => Promise.resolve({ PATH: process.env['PATH'] ?? '', ...env, ...marked(id) }),
    },
    ...(findPty && { findPty }),
  });
  const open: TerminalProcess[] = [];
  t.after(async () => {
    for (const terminal of open) terminal.dispose();
    await assertGone(id, 2000);
  });
  return {
    processes,
    running: () => processesWith(id),
    async create(command: string, request: Partial<TerminalRequest> = {}) {
      const terminal = await terminals.create({
        command,
        args: [],
        env: {},
        cwd: tmpdir(),
        ...request,
      });
      open.push(terminal);
      return terminal;
    },
  };
}

/** Runs to the end and returns what it wrote. */
export async function outputOf(terminal: TerminalProcess): Promise<string> {
  await terminal.exited;
  return terminal.snapshot().output;
}

/** Resolves when the output so far contains `text`. */
export function said(terminal: TerminalProcess, text: string): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      if (terminal.snapshot().output.includes(text)) resolve();
    };
    look();
    terminal.onOutput(look);
  });
}
