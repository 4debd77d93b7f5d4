import {
  isAuthRequired,
  isCredentialsRefused,
  promptFailure,
  signInFailure,
  signInHint,
} from './problems';
import type { Agent } from '../ports';
import type { Connection } from '../state/state';

/** The sign-in that a chat waits for: shown with the ways that the agent offers, and carried out by one of them. */
export class SignInCard {
  /** Of the sign-in that runs. */
  private running: AbortController | undefined;

  constructor(
    private readonly agent: Agent,
    private readonly changed: (connection: Connection) => void,
  ) {}

  /** Refused credentials are a matter of signing in only where there is a way to. */
  isAskedForBy(error: unknown): boolean {
    return (
      isAuthRequired(error) || (isCredentialsRefused(error) && this.agent.authMethods().length > 0)
    );
  }

  /** Shows what is offered, with what `error` says about it. */
  show(error: unknown): void {
    const methods = this.agent.authMethods();
    if (isCredentialsRefused(error)) {
      const problem = promptFailure(this.agent.name, error).detail;
      this.changed({ kind: 'signIn', methods, problem });
    } else {
      const hint = signInHint(error);
      this.changed({ kind: 'signIn', methods, ...(hint !== undefined && { hint }) });
    }
  }

  /**
   * Signs in by that method. Whoever gives up, or is refused, has the choice again.
   * @returns whether the user is signed in; undefined when it was refused, or is of no interest any more
   */
  async signIn(methodId: string): Promise<boolean | undefined> {
    this.end();
    const abort = new AbortController();
    this.running = abort;
    const methods = this.agent.authMethods();
    this.changed({ kind: 'signIn', methods, busy: true });
    let isSignedIn: boolean | undefined = false;
    let problem: string | undefined;
    try {
      isSignedIn = await this.agent.signIn(methodId, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) {
        isSignedIn = undefined;
        problem = signInFailure(error);
      }
    }
    if (this.running !== abort) return undefined;
    this.running = undefined;
    if (isSignedIn !== true) {
      this.changed({ kind: 'signIn', methods, ...(problem !== undefined && { problem }) });
    }
    return isSignedIn;
  }

  /** The user does not want to wait for it. */
  cancel(): void {
    this.running?.abort();
  }

  /** As `cancel`, and nothing is shown of it. */
  end(): void {
    const { running } = this;
    this.running = undefined;
    running?.abort();
  }
}
