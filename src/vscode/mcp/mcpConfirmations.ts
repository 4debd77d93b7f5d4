import type { McpServerConfig } from '../../agents/mcp/mcpConfig';
import type { Logger } from '../../base/logger';
import type { RememberedAnswers } from '../rememberedAnswers';
import type { McpSource } from './mcpFiles';

/** A server and where it stands. */
export interface McpCandidate {
  readonly server: McpServerConfig;
  readonly source: Pick<McpSource, 'id' | 'name' | 'file' | 'folder' | 'config' | 'placeOf'>;
}

/** `undefined`: the user did not say. */
export type McpAnswer = 'use' | 'refuse' | 'refuseAll' | undefined;

export interface McpConfirmationParts {
  readonly answers: RememberedAnswers;
  /** Whether a file has changes of agents that wait for review. */
  isPending(file: string): Promise<boolean>;
  /** @param others how many servers more wait for an answer */
  ask(candidate: McpCandidate, others: number): Promise<McpAnswer>;
  readonly logger: Logger;
}

/** Of the servers that were offered. */
export interface McpChoice {
  readonly chosen: readonly McpCandidate[];
  /** Left out because their file waits for review. */
  readonly pending: readonly McpCandidate[];
  /** How many were left out because enough questions were asked. */
  readonly unasked: number;
}

/** What becomes of one name. */
interface Standing {
  readonly chosen?: McpCandidate;
  /** Needs an answer before anything less specific counts. */
  readonly open?: McpCandidate;
  readonly pending: readonly McpCandidate[];
}

/** Questions for one chat; the next chat asks on. */
const MAX_QUESTIONS = 5;

/**
 * Servers that a workspace brings are used once the user has agreed to each, as it is written. What an
 * agent wrote is neither asked about nor used until it is reviewed. The user's own need no question.
 */
export class McpConfirmations {
  /** What the user closed without an answer, until no chat that waited then is left. */
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
    const pendingFiles = new Map<string, Promise<boolean>>();
    for (let asked = 0; ; asked += 1) {
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
    const pending: McpCandidate[] = [];
    for (const candidate of candidates) {
      const { file } = candidate.source;
      if (file === undefined) return { chosen: candidate, pending };
      const answer = this.parts.answers.of(subjectOf(candidate));
      if (answer === true) return { chosen: candidate, pending };
      if (answer === false || this.dismissed.has(keyOf(candidate))) continue;
      const isPending = pendingFiles.get(file) ?? this.isPending(file);
      pendingFiles.set(file, isPending);
      if (!(await isPending)) return { open: candidate, pending };
      pending.push(candidate);
    }
    return { pending };
  }

  private async isPending(file: string): Promise<boolean> {
    try {
      return await this.parts.isPending(file);
    } catch (error) {
      this.parts.logger.error(`It is not known whether ${file} was reviewed`, error);
      return true;
    }
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

/** What is agreed to: anything else of it is another server. */
function subjectOf({ server, source }: McpCandidate): unknown {
  return [source.id, server];
}

function keyOf(candidate: McpCandidate): string {
  return JSON.stringify(subjectOf(candidate));
}
