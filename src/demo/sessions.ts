/** The sessions of this agent: in memory, and in a folder of JSON files when there is one. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type * as schema from '../acp/schema/schema';
import { ErrorCode, RpcError } from './peer';
import { DEFAULT_SETTINGS, type Settings } from './settings';

export type Consent = 'edit' | 'execute';

export interface Session {
  readonly id: string;
  readonly cwd: string;
  title?: string;
  updatedAt: string;
  settings: Settings;
  /** Pretend tokens in the context window. */
  usage: { used: number };
  history: schema.SessionUpdate[];
  /** Answers the user gave for good. They end with the process: a new day asks again. */
  readonly standing: Map<Consent, 'allow' | 'reject'>;
  running?: AbortController;
}

type Saved = Omit<Session, 'standing' | 'running'>;

/** Sessions kept on disk; the oldest go first. */
const MAX_SAVED = 50;

export class Sessions {
  private readonly open = new Map<string, Session>();

  /** @param folder where sessions outlive the process; none keeps them in memory only. */
  constructor(private readonly folder: string | undefined) {}

  create(cwd: string): Session {
    const session: Session = {
      id: randomUUID(),
      cwd,
      updatedAt: new Date().toISOString(),
      settings: { ...DEFAULT_SETTINGS },
      usage: { used: 1200 },
      history: [],
      standing: new Map(),
    };
    this.open.set(session.id, session);
    return session;
  }

  /** @throws RpcError (not found) when there is no such session, here or on disk. */
  get(id: unknown): Session {
    if (typeof id !== 'string') throw new RpcError(ErrorCode.invalidParams, 'sessionId is missing');
    const session = this.open.get(id) ?? this.restore(id);
    if (!session) throw new RpcError(ErrorCode.notFound, 'There is no such session');
    this.open.set(id, session);
    return session;
  }

  /** Those with something in them, latest first. */
  list(cwd: string | undefined): schema.SessionInfo[] {
    const known = new Map<string, Saved>();
    for (const id of this.savedIds()) {
      const saved = this.restore(id);
      if (saved) known.set(id, saved);
    }
    for (const session of this.open.values()) known.set(session.id, session);
    return [...known.values()]
      .filter(({ history, cwd: own }) => history.length > 0 && (cwd === undefined || own === cwd))
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
      .map(({ id, cwd: own, title, updatedAt }) => ({
        sessionId: id,
        cwd: own,
        updatedAt,
        ...(title === undefined ? {} : { title }),
      }));
  }

  save(session: Session): void {
    session.updatedAt = new Date().toISOString();
    if (this.folder === undefined) return;
    const { id, cwd, title, updatedAt, settings, usage, history } = session;
    const saved = { id, cwd, title, updatedAt, settings, usage, history };
    try {
      fs.mkdirSync(this.folder, { recursive: true });
      const file = this.file(id);
      fs.writeFileSync(`${file}.new`, JSON.stringify(saved));
      fs.renameSync(`${file}.new`, file);
      this.trim();
    } catch (error) {
      process.stderr.write(`Could not save the session: ${String(error)}\n`);
    }
  }

  close(id: unknown): void {
    const session = this.get(id);
    session.running?.abort();
    this.open.delete(session.id);
    // Without a folder a closed session could not be loaded again.
    if (this.folder === undefined) this.open.set(session.id, session);
  }

  delete(id: unknown): void {
    const session = this.get(id);
    session.running?.abort();
    this.open.delete(session.id);
    if (this.folder !== undefined) fs.rmSync(this.file(session.id), { force: true });
  }

  private trim(): void {
    const dated = this.savedIds().map(id => ({ id, at: fs.statSync(this.file(id)).mtimeMs }));
    for (const { id } of dated.sort((a, b) => b.at - a.at).slice(MAX_SAVED)) {
      fs.rmSync(this.file(id), { force: true });
    }
  }

  private savedIds(): string[] {
    if (this.folder === undefined || !fs.existsSync(this.folder)) return [];
    const names = fs.readdirSync(this.folder).filter(name => name.endsWith('.json'));
    return names.map(name => name.slice(0, -'.json'.length));
  }

  private restore(id: string): Session | undefined {
    if (this.folder === undefined || !/^[\w-]+$/.test(id)) return undefined;
    try {
      const saved = JSON.parse(fs.readFileSync(this.file(id), 'utf8')) as Saved;
      return {
        ...saved,
        settings: { ...DEFAULT_SETTINGS, ...saved.settings },
        standing: new Map(),
      };
    } catch {
      return undefined;
    }
  }

  private file(id: string): string {
    return path.join(this.folder ?? '', `${id}.json`);
  }
}
