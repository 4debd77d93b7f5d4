/** The part of the list of chats that agents keep: read from them when the user asks, a page at a time. */
import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import {
  AgentSessions,
  abilitiesOf,
  type AgentSession,
  type SessionAbilities,
} from './agentSessions';
import type { Chat, Chats } from '../chats';
import type { Agent, Environment } from '../ports';
import { isAuthRequired } from '../lifecycle/problems';

/** What one agent keeps, as far as it was read. Plain JSON. */
export interface SessionList {
  readonly agentName: string;
  readonly state: 'unread' | 'reading' | 'read';
  /** In the agent's order, without those that are chats of Parley's. */
  readonly sessions: readonly AgentSession[];
  readonly hasMore: boolean;
  readonly canDelete: boolean;
  readonly canCopy: boolean;
  /** Why it cannot be read, in sentences. */
  readonly problem?: string;
}

interface Entry {
  readonly agent: Agent;
  readonly state: SessionList['state'];
  /** Everything that was read, also what is not shown yet: some agents have pages of a thousand. */
  readonly sessions: readonly AgentSession[];
  readonly next?: string;
  readonly shown: number;
  readonly abilities?: SessionAbilities;
  readonly problem?: string;
}

/** How many more sessions are shown at a time. */
const STEP = 30;
/** Pages asked for in one go, of an agent whose pages have nothing that is shown. */
const MAX_PAGES = 10;
/** How long an agent runs on for its list, in milliseconds: what the user opens next need not start it again. */
const KEEP_RUNNING = 60_000;

export class SessionLists implements Disposable {
  private readonly entries = new Map<string, Entry>();
  private readonly running = new Map<string, Disposable>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly chats: Chats,
    private readonly agentNamed: (name: string) => Agent,
    private readonly environment: Environment,
  ) {}

  /** Undefined when the agent is known to keep no list that could be opened. */
  of(agentName: string): SessionList | undefined {
    const entry = this.entry(agentName);
    const { state, problem } = entry;
    const abilities = entry.abilities ?? runningAbilities(entry.agent);
    if (abilities && problem === undefined && !(abilities.list && abilities.open)) return undefined;
    const unknown = this.unknownOf(agentName, entry);
    return {
      agentName,
      state,
      sessions: unknown.slice(0, entry.shown),
      hasMore: entry.next !== undefined || unknown.length > entry.shown,
      canDelete: abilities?.delete ?? false,
      canCopy: abilities?.fork ?? false,
      ...(problem !== undefined && { problem }),
    };
  }

  /** Reads the list again, from its beginning; starts the agent if need be. Never rejects: the list says why. */
  async read(agentName: string): Promise<void> {
    const { problem: _, ...entry } = this.entry(agentName);
    if (entry.state === 'reading') return;
    this.set(agentName, { ...entry, state: 'reading' });
    this.keepRunning(agentName, entry.agent);
    const sessions = new AgentSessions(entry.agent, this.chats.cwd);
    try {
      const abilities = await sessions.abilities();
      if (!abilities.list || !abilities.open) {
        const problem = abilities.list
          ? l10n.t('{0} keeps sessions but cannot open them again.', agentName)
          : l10n.t('{0} does not list its sessions.', agentName);
        this.set(agentName, { ...fresh(entry.agent), state: 'read', abilities, problem });
        return;
      }
      const begun: Entry = { ...fresh(entry.agent), state: 'reading', abilities };
      this.set(agentName, await this.filled(agentName, begun, sessions, undefined));
    } catch (error) {
      this.fail(agentName, error);
    }
  }

  /** Shows more of what `read` began. Never rejects. */
  async more(agentName: string): Promise<void> {
    const entry = this.entry(agentName);
    if (entry.state !== 'read') return;
    const wanted: Entry = { ...entry, shown: entry.shown + STEP };
    this.set(agentName, { ...wanted, state: 'reading' });
    this.keepRunning(agentName, entry.agent);
    const sessions = new AgentSessions(entry.agent, this.chats.cwd);
    try {
      this.set(agentName, await this.filled(agentName, wanted, sessions, entry.next));
    } catch (error) {
      this.fail(agentName, error);
    }
  }

  /** A chat with that session, or (`copy`) with one that begins with what it knows; undefined if it is not listed. */
  open(agentName: string, sessionId: string, copy = false): Chat | undefined {
    const session = this.entry(agentName).sessions.find(other => other.sessionId === sessionId);
    return session && this.chats.adopt(agentName, session, copy);
  }

  /** Ends it for good, at the agent. @throws Error in the user's words. */
  async delete(agentName: string, sessionId: string): Promise<void> {
    const { agent } = this.entry(agentName);
    try {
      await new AgentSessions(agent, this.chats.cwd).delete(sessionId);
    } catch (error) {
      throw new Error(l10n.t('{0} did not delete it: {1}', agentName, wordsOf(error)), {
        cause: error,
      });
    }
    const entry = this.entry(agentName);
    const left = entry.sessions.filter(other => other.sessionId !== sessionId);
    this.set(agentName, { ...entry, sessions: left });
  }

  dispose(): void {
    for (const held of this.running.values()) held.dispose();
    this.running.clear();
    this.changed.dispose();
  }

  /** `entry` with as much as it is to show, as far as there is. */
  private async filled(
    agentName: string,
    entry: Entry,
    from: AgentSessions,
    cursor: string | undefined,
  ): Promise<Entry> {
    let filled: Entry = entry;
    let next = cursor;
    // The first page has no cursor, as has what comes after the last.
    let pages = entry.sessions.length > 0 && cursor === undefined ? 0 : MAX_PAGES;
    while (pages > 0 && this.unknownOf(agentName, filled).length < filled.shown) {
      const page = await from.list(next);
      this.nameChats(agentName, page.sessions);
      next = page.next;
      filled = { ...filled, sessions: merged(filled.sessions, page.sessions) };
      pages = next === undefined ? 0 : pages - 1;
    }
    const { next: _, ...rest } = filled;
    return { ...rest, state: 'read', ...(next !== undefined && { next }) };
  }

  /** Chats that have no title take the one that their agent lists. */
  private nameChats(agentName: string, sessions: readonly AgentSession[]): void {
    for (const { store } of this.chats.all) {
      const { agent, sessionId, title } = store.state;
      if (agent.name !== agentName || title !== undefined) continue;
      const listed = sessions.find(session => session.sessionId === sessionId)?.title;
      if (listed !== undefined) store.dispatch({ type: 'titleChanged', title: listed });
    }
  }

  private unknownOf(agentName: string, { sessions }: Entry): readonly AgentSession[] {
    const known = new Set(
      this.chats.all.flatMap(({ store: { state } }) =>
        state.agent.name === agentName ? (state.sessionId ?? []) : [],
      ),
    );
    return sessions.filter(({ sessionId }) => !known.has(sessionId));
  }

  private fail(agentName: string, error: unknown): void {
    const problem = isAuthRequired(error)
      ? l10n.t('{0} needs a sign-in. Start a chat with it to sign in.', agentName)
      : l10n.t('{0} did not list its sessions: {1}', agentName, wordsOf(error));
    this.set(agentName, { ...this.entry(agentName), state: 'read', problem });
  }

  private entry(agentName: string): Entry {
    return this.entries.get(agentName) ?? fresh(this.agentNamed(agentName));
  }

  private set(agentName: string, entry: Entry): void {
    this.entries.set(agentName, entry);
    this.changed.fire();
  }

  private keepRunning(agentName: string, agent: Agent): void {
    const lease = agent.lease();
    const before = this.running.get(agentName);
    const timer = this.environment.after(KEEP_RUNNING, () => {
      this.running.delete(agentName);
      lease.dispose();
    });
    this.running.set(agentName, {
      dispose() {
        timer.dispose();
        lease.dispose();
      },
    });
    before?.dispose();
  }
}

function fresh(agent: Agent): Entry {
  return { agent, state: 'unread', sessions: [], shown: STEP };
}

function runningAbilities({ status }: Agent): SessionAbilities | undefined {
  return status.kind === 'ready' ? abilitiesOf(status.link.initialized) : undefined;
}

/** Lists change while they are read: what moved to a later page is not shown twice. */
function merged(
  known: readonly AgentSession[],
  more: readonly AgentSession[],
): readonly AgentSession[] {
  const ids = new Set(known.map(({ sessionId }) => sessionId));
  return [...known, ...more.filter(({ sessionId }) => !ids.has(sessionId))];
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
