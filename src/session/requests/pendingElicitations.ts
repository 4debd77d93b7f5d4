import { withoutEscapes } from '../../base/escapeSequences';
import { RequestError } from '../../acp/rpc/errors';
import type * as schema from '../../acp/schema/schema';
import { toJson } from '../../base/json';
import * as l10n from '@vscode/l10n';
import type { Elicitation, FormValue, FormValues } from '../state/elicitation';
import { formOf, pageOf } from '../translate/elicitationForm';
import { checkAnswer } from '../state/formAnswer';
import type { Environment, QuestionTools } from '../ports';
import type { SessionStore } from '../state/store';

interface OpenQuestion {
  /** The agent's id of a page. */
  readonly elicitationId?: string;
  answer(response: schema.CreateElicitationResponse): void;
}

/** Holds the forms and pages that the agent asks for until the user, or the end of the turn, answers. */
export class PendingElicitations {
  private readonly open = new Map<string, OpenQuestion>();

  constructor(
    private readonly store: SessionStore,
    private readonly environment: Environment,
    private readonly tools: QuestionTools,
  ) {}

  /** Shows the question and waits. Aborting `signal` (the agent took it back) answers `cancel`. */
  request(
    params: schema.CreateElicitationRequest,
    signal: AbortSignal,
  ): Promise<schema.CreateElicitationResponse> {
    // What is asked after Stop is answered as what was open then.
    if (signal.aborted || this.store.state.cancelling) return Promise.resolve(CANCEL);
    if (toJson(params).length > MAX_QUESTION) {
      const message = `Invalid params: a question may have at most ${MAX_QUESTION} characters of JSON`;
      return Promise.reject(RequestError.invalidParams(message));
    }
    const id = this.environment.newId();
    const elicitation = this.elicitation(id, params);
    const elicitationId = params.mode === 'url' ? String(params['elicitationId']) : undefined;
    return new Promise(resolve => {
      this.open.set(id, {
        ...(elicitationId !== undefined && { elicitationId }),
        answer: resolve,
      });
      signal.addEventListener('abort', () => this.settle(id, CANCEL));
      this.store.dispatch({ type: 'elicitationRequested', elicitation });
    });
  }

  /**
   * The user's answer. A form that is not filled in as it asks stays, with what is wrong; so does a page that
   * could not be opened. Unknown ids are ignored: the question may just have been taken back.
   * @param values JSON of an object of what was filled in, by field name; used for accepting a form
   */
  async answer(requestId: string, action: string, values?: string): Promise<void> {
    const shown = this.store.state.elicitations.find(({ id }) => id === requestId);
    if (!shown) return;
    if (action === 'decline') this.settle(requestId, { action: 'decline' });
    else if (action === 'cancel') this.settle(requestId, CANCEL);
    else if (action === 'accept' && shown.kind === 'page') await this.openPage(shown);
    else if (action === 'accept' && shown.kind === 'form') {
      const { content, problems } = checkAnswer(
        shown.fields,
        parseValues(values),
        this.tools.matches,
      );
      if (Object.keys(problems).length > 0) {
        this.store.dispatch({ type: 'elicitationRefused', requestId, problems });
      } else {
        this.settle(requestId, { action: 'accept', content: mutable(content) });
      }
    }
  }

  /** The agent says that what the user did on a page is done. */
  complete({ elicitationId }: schema.CompleteElicitationNotification): void {
    for (const [id, question] of this.open) {
      // Done without this window's doing: the answer is the same.
      if (question.elicitationId === elicitationId) this.settle(id, { action: 'accept' });
    }
  }

  /** Answers everything `cancel`, as at the end of a turn. */
  cancelAll(): void {
    for (const id of [...this.open.keys()]) this.settle(id, CANCEL);
  }

  private async openPage(page: Elicitation & { readonly kind: 'page' }): Promise<void> {
    const question = this.open.get(page.id);
    if (!question || page.refused !== undefined || page.opened) return;
    if (!(await this.tools.openPage(page.url))) return;
    // The agent goes on; the page stays to be seen until it is done with.
    question.answer({ action: 'accept' });
    this.store.dispatch({ type: 'elicitationOpened', requestId: page.id });
  }

  private settle(requestId: string, response: schema.CreateElicitationResponse): void {
    const question = this.open.get(requestId);
    if (!question) return;
    this.open.delete(requestId);
    this.store.dispatch({ type: 'elicitationEnded', requestId, at: this.environment.now() });
    question.answer(response);
  }

  private elicitation(id: string, params: schema.CreateElicitationRequest): Elicitation {
    const { toolCallId } = params as { readonly toolCallId?: string };
    const common = {
      id,
      message: withoutEscapes(params.message) || l10n.t('The agent has a question.'),
      ...(toolCallId !== undefined && { toolCallId }),
      requestedAt: this.environment.now(),
    };
    if (params.mode === 'url') {
      const { url } = params as schema.ElicitationUrlMode;
      return { ...common, ...pageOf(url, host => this.tools.hostInLetters(host)) };
    }
    return { ...common, ...formOf((params as schema.ElicitationFormMode).requestedSchema) };
  }
}

/** A form that nobody could fill in must not fill the chat. */
const MAX_QUESTION = 200_000;

const CANCEL: schema.CreateElicitationResponse = { action: 'cancel' };

/** What is no JSON object of values counts as nothing filled in: the form then says what is missing. */
function parseValues(json: string | undefined): FormValues {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json ?? '{}');
  } catch {
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null) return {};
  return Object.fromEntries(Object.entries(parsed).filter(isValue));
}

function isValue(entry: [string, unknown]): entry is [string, FormValue] {
  const value = entry[1];
  if (Array.isArray(value)) return value.every(each => typeof each === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function mutable(content: FormValues): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      typeof value === 'object' ? [...value] : value,
    ]),
  );
}
