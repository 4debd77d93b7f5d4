import type { EnvFile } from '../../agents/mcp/envFile';
import type { McpServerConfig } from '../../agents/mcp/mcpConfig';
import type { Logger } from '../../base/logger';
import type { RememberedAnswers } from '../rememberedAnswers';
import type { McpSource } from './mcpFiles';

/** A server and where it stands. */
export interface McpCandidate {
  readonly server: McpServerConfig;
  readonly source: Pick<McpSource, 'id' | 'name' | 'file' | 'folder' | 'config' | 'placeOf'>;
  /** For a server of the workspace: a part of what is agreed to. */
  readonly envFile?: EnvFile;
  /** Files of the workspace that it runs or reads: absolute. */
  readonly files: readonly string[];
}

/** A server that is left out because `file` waits for review. */
export interface PendingMcpServer extends McpCandidate {
  readonly file: string;
}

/** `undefined`: the user did not say. */
export type McpAnswer = 'use' | 'refuse' | 'refuseAll' | undefined;

export interface McpConfirmationParts {
  readonly answers: RememberedAnswers;
  /** Whether a file has changes of agents that wait for review. Never rejects. */
  isPending(file: string): Promise<boolean>;
  /** @param others how many servers more wait for an answer */
  ask(candidate: McpCandidate, others: number): Promise<McpAnswer>;
  readonly logger: Logger;
}

/** Of the servers that were offered. */
export interface McpChoice {
  readonly chosen: readonly McpCandidate[];
  readonly pending: readonly PendingMcpServer[];
  /** How many were left out because enough questions were asked. */
  readonly unasked: number;
}

/** What becomes of one name. */
interface Standing {
  readonly chosen?: McpCandidate;
  /** Needs an answer before anything less specific counts. */
  readonly open?: McpCandidate;
  readonly pending: readonly PendingMcpServer[];
}

/** Questions for one chat; the next chat asks on. */
const MAX_QUESTIONS = 5;

/**
 * Servers that a workspace brings are used once the user has agreed to each, as it is written. The user's
 * own need no question. What an agent wrote is neither asked about nor used until it is reviewed, and no
 * server is used while a file that it is made of waits for review.
 */
export class McpConfirmations {
  /** Servers whose question was closed without an answer; kept while a chat waits. */
  private readonly dismissed = new Set<string>();
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: McpConfirmationParts) {}

  /**
   * Chooses one server of each name, or none. Chats that open together ask one after the other.
   * @param names for each name its servers, the most specific first
   */
  choose(names: readonly (readonly McpCandidate[])[], signal: AbortSignal): Promise<McpChoice> {
    this.waiting += 1;
    const choice = this.last
      .then(() => this.askOn(names, signal))
      .finally(() => {
        this.waiting -= 1;
        if (this.waiting === 0) this.dismissed.clear();
      });
    this.last = choice.catch(() => undefined);
    return choice;
  }

  /** Forgets every answer, so that each server is asked about again. */
  forget(): Promise<void> {
    return this.parts.answers.forget();
  }

  private async askOn(
    names: readonly (readonly McpCandidate[])[],
    signal: AbortSignal,
  ): Promise<McpChoice> {
    for (let asked = 0; ; asked += 1) {
      // Looked at after each question: agents go on while the user thinks.
      const pendingFiles = new Map<string, Promise<boolean>>();
      const standings = await Promise.all(names.map(name => this.standing(name, pendingFiles)));
      const open = standings.flatMap(({ open }) => open ?? []);
      const [next] = open;
      if (!next || asked === MAX_QUESTIONS || signal.aborted) {
        return {
          chosen: standings.flatMap(({ chosen }) => chosen ?? []),
          pending: standings.flatMap(({ pending }) => pending),
          unasked: open.length,
        };
      }
      await this.settle(next, open);
    }
  }

  private async standing(
    candidates: readonly McpCandidate[],
    pendingFiles: Map<string, Promise<boolean>>,
  ): Promise<Standing> {
    const pending: PendingMcpServer[] = [];
    for (const candidate of candidates) {
      const { source, files } = candidate;
      const isOwn = source.file === undefined;
      const answer = isOwn || this.parts.answers.of(subjectOf(candidate));
      const isAgreed = answer === true;
      if (answer === false || (!isAgreed && this.dismissed.has(keyOf(candidate)))) continue;
      // A server that was agreed to is still the same, whatever else its source says now.
      const looked = isOwn || isAgreed ? files : [...files, source.file];
      const file = await this.findPending(looked, pendingFiles);
      if (file !== undefined) pending.push({ ...candidate, file });
      else if (isAgreed) return { chosen: candidate, pending };
      else return { open: candidate, pending };
    }
    return { pending };
  }

  private async findPending(
    files: readonly string[],
    pendingFiles: Map<string, Promise<boolean>>,
  ): Promise<string | undefined> {
    for (const file of files) {
      const isPending = pendingFiles.get(file) ?? this.parts.isPending(file);
      pendingFiles.set(file, isPending);
      if (await isPending) return file;
    }
    return undefined;
  }

  private async settle(next: McpCandidate, open: readonly McpCandidate[]): Promise<void> {
    const { answers, logger } = this.parts;
    let answer: McpAnswer;
    try {
      answer = await this.parts.ask(next, open.length - 1);
    } catch (error) {
      logger.error(`${next.server.name} could not be asked about`, error);
    }
    switch (answer) {
      case 'use':
        return answers.remember([subjectOf(next)], true);
      case 'refuse':
        return answers.remember([subjectOf(next)], false);
      case 'refuseAll':
        return answers.remember(open.map(subjectOf), false);
      case undefined:
        // Whoever closes one question wants none now.
        for (const candidate of open) this.dismissed.add(keyOf(candidate));
    }
  }
}

/** What the user agrees to: a server that differs in any of it is another one. */
function subjectOf({ server, source, envFile }: McpCandidate): unknown {
  if (!envFile) return [source.id, server];
  return [source.id, server, 'variables' in envFile ? envFile.variables : null];
}

function keyOf(candidate: McpCandidate): string {
  return JSON.stringify(subjectOf(candidate));
}
