import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Traffic recorded from real agents. Times are milliseconds since the recording began. `timeout` marks a
 * request whose response the recorder gave up on (it may come later all the same).
 */
export type Entry =
  | { readonly kind: 'request'; readonly from: Side; readonly t: number } & RecordedRequest
  | { readonly kind: 'notification'; readonly from: Side; readonly t: number } & RecordedCall
  | { readonly kind: 'response'; readonly from: Side; readonly t: number } & RecordedResponse
  | { readonly kind: 'stderr'; readonly t: number; readonly line: string }
  | { readonly kind: 'exit'; readonly t: number; readonly code: number | null; readonly signal: string | null };

export type Side = 'client' | 'agent';

export interface RecordedCall {
  readonly method: string;
  readonly params: unknown;
}

export interface RecordedRequest extends RecordedCall {
  readonly id: number | string;
}

export interface RecordedResponse {
  /** Null or absent when the agent could not tell what it answers. */
  readonly id: number | string | null | undefined;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Transcript {
  /** `gemini-edit`. */
  readonly name: string;
  /** `gemini`. */
  readonly agent: string;
  /** `edit`. */
  readonly scenario: string;
  /** Working directory of the recorded session. */
  readonly cwd: string;
  readonly entries: readonly Entry[];
}

/** Tests run from bundles below the root, so the root is found by walking up. */
function transcriptsFolder(): string {
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'test/golden/transcripts');
    try {
      readdirSync(candidate);
      return candidate;
    } catch {
      if (folder === path.dirname(folder)) throw new Error('test/golden/transcripts not found');
    }
  }
}

/** Paths of all recorded transcripts, sorted by name. */
export function transcriptPaths(): string[] {
  const folder = transcriptsFolder();
  return readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .map(name => path.join(folder, name));
}

/** @param name as in `gemini-edit` */
export function transcriptPath(name: string): string {
  return path.join(transcriptsFolder(), `${name}.jsonl`);
}

interface Line {
  readonly t: number;
  readonly dir: 'c2a' | 'a2c' | 'stderr' | 'meta';
  readonly msg?: Record<string, unknown>;
  readonly line?: string;
  readonly cwd?: string;
  readonly exit?: number | null;
  readonly signal?: string | null;
}

export function loadTranscript(file: string): Transcript {
  const name = path.basename(file, '.jsonl');
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line) as Line);
  const dash = name.indexOf('-');
  return {
    name,
    agent: name.slice(0, dash),
    scenario: name.slice(dash + 1),
    cwd: lines.find(line => line.cwd !== undefined)?.cwd ?? '/',
    entries: lines.flatMap(entriesOf),
  };
}

function entriesOf(line: Line): Entry[] {
  const { t } = line;
  switch (line.dir) {
    case 'stderr':
      return [{ kind: 'stderr', t, line: line.line ?? '' }];
    case 'meta':
      return line.exit === undefined
        ? []
        : [{ kind: 'exit', t, code: line.exit, signal: line.signal ?? null }];
    case 'c2a':
    case 'a2c':
      // Raw lines (the recorder sent some that are no JSON) have no message.
      return line.msg === undefined ? [] : [entryOf(line.msg, line.dir, t)];
  }
}

function entryOf(message: Record<string, unknown>, dir: 'c2a' | 'a2c', t: number): Entry {
  const from = dir === 'c2a' ? 'client' : 'agent';
  const { id, method, params } = message as { id?: number | string; method?: string; params?: unknown };
  if (method === undefined) {
    return { ...(message as unknown as RecordedResponse), kind: 'response', from, t };
  }
  return id === undefined
    ? { kind: 'notification', from, t, method, params }
    : { kind: 'request', from, t, id, method, params };
}
