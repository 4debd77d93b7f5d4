/** The requests between Parley and a program that wait for their answers, in both directions. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { Deferred } from '../../../base/deferred';
import type { ProgramEnded } from './jsonLines';

export class OpenRequests {
  /** Ours, by their ids. */
  private readonly asked = new Map<string, Deferred<Json>>();
  /** The program's, by their ids. */
  private readonly answering = new Map<string, AbortController>();

  /** @param send sends the request @returns its answer @throws what it was answered instead */
  async ask(id: string, send: () => void): Promise<Json> {
    const answer = new Deferred<Json>();
    this.asked.set(id, answer);
    send();
    return answer.promise;
  }

  /** The program has answered. An id that nobody waits for is no fault. */
  answered(id: string, outcome: Json | Error): void {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (outcome instanceof Error) asked?.reject(outcome);
    else asked?.resolve(outcome);
  }

  /**
   * Has `work` find the answer to what the program asks. Never rejects.
   * @param work its signal aborts when the program does not wait any more
   */
  async answer(
    id: string,
    work: (signal: AbortSignal) => Promise<Json>,
  ): Promise<{ readonly outcome: Json | Error; readonly isTakenBack: boolean }> {
    const abort = new AbortController();
    this.answering.set(id, abort);
    let outcome: Json | Error;
    try {
      outcome = await work(abort.signal);
    } catch (error) {
      outcome = error instanceof Error ? error : new Error(String(error));
    }
    if (this.answering.get(id) === abort) this.answering.delete(id);
    return { outcome, isTakenBack: abort.signal.aborted };
  }

  takenBack(id: string): void {
    this.answering.get(id)?.abort();
  }

  /** Nobody answers any more. */
  close(end: ProgramEnded): void {
    for (const asked of this.asked.values()) asked.reject(end);
    for (const abort of this.answering.values()) abort.abort();
    this.asked.clear();
  }
}
