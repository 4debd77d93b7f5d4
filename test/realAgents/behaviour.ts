/** What each agent can be brought to do, and how one sees that it did. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import * as path from 'node:path';
import type * as schema from '../../src/acp/schema/schema';
import { WRITTEN } from './llm/toolChoice';
import type { AgentKey } from './manifest';

export interface Behaviour {
  readonly plain: { readonly prompt: string; readonly answer: RegExp };
  readonly edit: {
    prompt(cwd: string): string;
    /** False for an agent that never asks before it edits. */
    readonly asks: boolean;
    /** False for an agent that only pretends to. */
    readonly isReal: boolean;
    /** What the request shows of the change. */
    readonly shows?: RegExp;
    /** What the turn says after a no, where that ends it. */
    readonly ends?: RegExp;
    /** @throws AssertionError when the files are not as they must be. */
    check(cwd: string, allowed: boolean): void;
  };
  /** Absent for an agent that runs no commands. */
  readonly shell?: {
    readonly prompt: string;
    /** A file that the command makes. */
    readonly makes: string;
    /** What it prints. */
    readonly output: RegExp;
    /** False for an agent whose commands live on in the background when their turn is cancelled. */
    readonly endsWithTurn: boolean;
  };
  /** For an agent that is tried without a window: what one shows of it, others show. */
  readonly isWireOnly?: boolean;
  /** For an agent that speaks v2 of the protocol beside v1. */
  readonly speaksV2?: boolean;
  /** For an agent that shows its commands as terminals. */
  readonly terminals?: boolean;
  /** For an agent that gives work to subagents with sessions of their own. */
  readonly subagents?: boolean;
  /** For an agent that runs commands in the background, and stops them. */
  readonly background?: boolean;
  /** For an agent that takes in what is said while it works. */
  readonly steers?: boolean;
  /** For an agent with a mode `plan`, in which it proposes one. */
  readonly proposesPlans?: boolean;
  /** The option that has the mode `plan` among its values. */
  readonly planOption: string;
  /** False for an agent whose sessions end with its process. */
  readonly remembers: boolean;
  /** Does to what it keeps in its home what an hour would, for an agent that finds older sessions only. */
  readonly age?: (home: string) => void;
  /** For an agent that summarizes a chat when asked to with `/compact`. */
  readonly compacts?: boolean;
  /** For an agent of which one process at a time has a session. */
  readonly hasOneWriter?: boolean;
  /** For an agent whose sessions are listed, replayed and copied. */
  readonly forks?: boolean;
  /** For an agent that keeps sessions out of its list where the user wants that. */
  readonly archives?: boolean;
  /** When it says that it wants a sign-in; absent for one that never does, or needs none. */
  readonly wantsSignIn?: 'start' | 'prompt';
  /** A question with the answers Red and Blue, for an agent that asks the user by a form. */
  readonly ask?: {
    readonly prompt: string;
    /** The mode in which it asks, as it is shown. */ readonly mode?: string;
  };
  /** False for an agent that makes nothing of the MCP servers it is given. */
  readonly mcp: false | { readonly prompt: string; readonly answer: RegExp };
  /** For an agent that offers settings with more than one value. */
  readonly settings?: boolean;
  readonly slow: {
    readonly prompt: string;
    started(update: schema.SessionUpdate): boolean;
    /** Text that is there long before the answer is complete. */
    readonly shows: RegExp;
  };
}

/** The workspace holds `hello.txt` with this text. */
export const HELLO = 'alpha\ngamma\n';

// In its own pseudo-terminal gemini runs commands without ever sending their output (its update says
// `content: []`), so agents.json turns that terminal off, as its users can.
const SHELL = {
  // What it prints does not stand in the command, so finding it means that it ran.
  prompt: '[[SHELL printf "out-%d\\n" 42; touch made-by-shell]] please',
  makes: 'made-by-shell',
  output: /out-42/,
  endsWithTurn: true,
};

const COMMON: Behaviour = {
  plain: { prompt: '[[PLAIN]] please', answer: /Hello from the scripted model/ },
  edit: {
    prompt: cwd => `[[READEDIT ${path.join(cwd, 'hello.txt')}]] please`,
    isReal: true,
    asks: true,
    shows: /beta/,
    check(cwd, allowed) {
      assert.equal(content(cwd, 'hello.txt'), allowed ? 'beta\ngamma\n' : HELLO);
    },
  },
  shell: SHELL,
  planOption: 'mode',
  remembers: true,
  settings: true,
  mcp: { prompt: '[[MCP are you there]] please', answer: /ARE YOU THERE, the secret is known/ },
  slow: {
    prompt: '[[SLOW]] please',
    started: update => update.sessionUpdate === 'agent_message_chunk',
    shows: /piece 2/,
  },
};

/** Where an agent departs from the common behaviour. */
const SPECIAL: Partial<Record<AgentKey, Partial<Behaviour>>> = {
  // Speaks its lines whatever it is asked, and pretends to edit a file that does not exist.
  sdkexample: {
    plain: { prompt: 'hello', answer: /I'll help you with that/ },
    edit: { prompt: () => 'hello', isReal: false, asks: true, check: () => undefined },
    slow: { ...COMMON.slow, prompt: 'hello', shows: /I'll help you with that/ },
    remembers: false,
    mcp: false,
  },
  // Reads files for a patch in a sandbox that not every machine allows; adding a file needs none.
  zcodex: {
    terminals: true,
    // Cancelling ends its wait for the command, not the command: that ends with the agent.
    shell: { ...SHELL, endsWithTurn: false },
    edit: {
      prompt: cwd => `[[WRITE ${path.join(cwd, 'new.txt')}]] please`,
      isReal: true,
      asks: true,
      shows: /written by the scripted model/,
      ends: /The agent stopped when you rejected its request/,
      check(cwd, allowed) {
        assert.equal(content(cwd, 'new.txt'), allowed ? WRITTEN : undefined);
      },
    },
  },
  // Offers one model, and nothing else to set; has no MCP.
  pi: {
    edit: { ...COMMON.edit, asks: false },
    settings: false,
    mcp: false,
    wantsSignIn: 'start',
  },
  // Keeps a session in a file that is named by the minute. Where it is loaded in that very minute, a new one
  // is begun in the same file first, and the old one is not found any more.
  gemini: {
    wantsSignIn: 'start',
    age(home) {
      for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
        const older = name.replace(
          /(\/session-)[\d-]+T[\d-]+(-\w+\.jsonl)$/,
          '$12026-01-01T00-00$2',
        );
        if (older !== name) renameSync(path.join(home, name), path.join(home, older));
      }
    },
  },
  claude: {
    wantsSignIn: 'prompt',
    speaksV2: true,
    terminals: true,
    subagents: true,
    steers: true,
    background: true,
    proposesPlans: true,
    ask: { prompt: '[[ASK]] please' },
  },
  codex: {
    isWireOnly: true,
    // A command that reads is asked about too, and shows no change.
    edit: {
      ...COMMON.edit,
      prompt: cwd => `[[EDIT ${path.join(cwd, 'hello.txt')}]] please`,
    },
    wantsSignIn: 'prompt',
    speaksV2: true,
    terminals: true,
    steers: true,
    forks: true,
    hasOneWriter: true,
    proposesPlans: true,
    planOption: 'collaboration_mode',
    ask: { prompt: '[[ASK]] please', mode: 'Plan' },
  },
  codexDirect: {
    edit: {
      ...COMMON.edit,
      prompt: cwd => `[[EDIT ${path.join(cwd, 'hello.txt')}]] please`,
    },
    compacts: true,
    hasOneWriter: true,
    forks: true,
    archives: true,
    wantsSignIn: 'prompt',
    terminals: true,
    steers: true,
    background: true,
    proposesPlans: true,
    // Codex asks in its mode for plans alone.
    ask: { prompt: '[[ASK]] please', mode: 'Plan' },
  },
  claudeDirect: {
    compacts: true,
    forks: true,
    wantsSignIn: 'prompt',
    terminals: true,
    subagents: true,
    steers: true,
    background: true,
    proposesPlans: true,
    ask: { prompt: '[[ASK]] please' },
  },
};

export function behaviourOf(key: AgentKey): Behaviour {
  const behaviour = { ...COMMON, ...SPECIAL[key] };
  if (key !== 'sdkexample') return behaviour;
  const { shell: _, settings: __, ...rest } = behaviour;
  return rest;
}

function content(cwd: string, name: string): string | undefined {
  const file = path.join(cwd, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
