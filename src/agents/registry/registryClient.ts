import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { FetchError, hostOf, httpGet } from './httpGet';
import { parseRegistry, type RegistryAgent } from './registryList';

export interface RegistryList {
  readonly agents: readonly RegistryAgent[];
  readonly fetchedAt: number;
  /** Why it is an earlier one. */
  readonly problem?: string;
}

interface Kept {
  readonly address: string;
  readonly fetchedAt: number;
  readonly text: string;
}

export interface RegistryClientOptions {
  /** Where the last list is kept. */
  readonly file: string;
  readonly now: () => number;
  readonly stallMs?: number;
}

const MAX_BYTES = 16_000_000;
const STALL_MS = 20_000;

/** The list of agents of a registry: the present one, or the last that could be had. */
export class RegistryClient {
  constructor(private readonly options: RegistryClientOptions) {}

  /** @throws FetchError when there is neither the list nor an earlier one */
  async fetch(address: string, signal: AbortSignal): Promise<RegistryList> {
    try {
      const text = await this.read(address, signal);
      const fetchedAt = this.options.now();
      const list = { agents: parse(address, text), fetchedAt };
      await this.keep({ address, fetchedAt, text });
      return list;
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const last = await this.last(address);
      if (!last) throw error;
      return { ...last, problem: error.message };
    }
  }

  /** The last list that was fetched from there. */
  async last(address: string): Promise<RegistryList | undefined> {
    try {
      const kept = JSON.parse(await readFile(this.options.file, 'utf8')) as Kept;
      if (kept.address !== address) return undefined;
      return { agents: parseRegistry(kept.text), fetchedAt: kept.fetchedAt };
    } catch {
      return undefined;
    }
  }

  private async read(address: string, signal: AbortSignal): Promise<string> {
    const pieces: Uint8Array[] = [];
    await httpGet(address, {
      signal,
      stallMs: this.options.stallMs ?? STALL_MS,
      maxBytes: MAX_BYTES,
      onBytes: piece => void pieces.push(piece),
    });
    return Buffer.concat(pieces).toString('utf8');
  }

  private async keep(list: Kept): Promise<void> {
    const { file } = this.options;
    const fresh = `${file}.${process.pid}.new`;
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(fresh, JSON.stringify(list));
      await rename(fresh, file);
    } catch {
      // Without it there is no list while offline, and nothing else.
      await rm(fresh, { force: true });
    }
  }
}

function parse(address: string, text: string): RegistryAgent[] {
  try {
    return parseRegistry(text);
  } catch (error) {
    throw new FetchError(l10n.t('{0} did not send a list of agents.', hostOf(address)), {
      cause: error,
    });
  }
}
