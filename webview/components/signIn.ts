import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type { AuthMethod, Connection } from '../../src/session/state/state';
import { emitIntent } from '../intent';
import { button } from '../ui/button';
import { icon } from '../ui/icon';

type SignIn = Extract<Connection, { kind: 'signIn' }>;

/** The ways to sign in that the agent offers; the first is the one to take. */
export function signInCard(connection: SignIn, agentName: string): TemplateResult {
  return html`<div class="hero">
    <div class="say">
      <h2>${l10n.t('Sign in to {0}', agentName)}</h2>
      <p>${l10n.t('The agent asks you to sign in before it continues. Your message is kept.')}</p>
      ${connection.hint ? html`<p>${connection.hint}</p>` : nothing}
    </div>
    ${
      connection.problem
        ? html`<p class="refusal plain" role="alert">
            ${icon('error', { small: true, tone: 'bad' })}<span>${connection.problem}</span>
          </p>`
        : nothing
    }
    ${
      connection.methods.length > 0
        ? html`<div class="opts" role="group" aria-label=${l10n.t('Sign-in methods')}>
            ${connection.methods.map((method, index) => option(method, index === 0, connection))}
          </div>`
        : html`<div>
            <p>
              ${l10n.t('You cannot sign in to {0} from here. Sign in as its documentation describes, then try again.', agentName)}
            </p>
            <div class="acts">
              ${button({
                label: l10n.t('Try Again'),
                kind: 'primary',
                onClick: event =>
                  emitIntent(event.currentTarget ?? document.body, { type: 'retry' }),
              })}
            </div>
          </div>`
    }
    ${
      connection.busy
        ? html`<p class="hint busy">
            ${icon('loading', { small: true, spin: true, tone: 'run' })}
            <span>${l10n.t('Waiting for the sign-in to finish')}</span>
            ${button({
              label: l10n.t('Cancel'),
              kind: 'secondary',
              tiny: true,
              onClick: event =>
                emitIntent(event.currentTarget ?? document.body, { type: 'cancelStart' }),
            })}
          </p>`
        : nothing
    }
  </div>`;
}

function option(method: AuthMethod, first: boolean, { busy }: SignIn): TemplateResult {
  return html`<button
    type="button"
    class=${first ? 'opt primary' : 'opt'}
    ?disabled=${busy ?? false}
    @click=${(event: Event) =>
      emitIntent(event.currentTarget ?? document.body, { type: 'signIn', methodId: method.id })}
  >
    <span class="grow"
      >${method.name}<small>${method.description ?? manner(method.type)}</small></span
    >
  </button>`;
}

/** What will happen, where the agent does not say. */
function manner(type: AuthMethod['type']): string {
  switch (type) {
    case 'agent':
      return l10n.t('The agent guides you');
    case 'terminal':
      return l10n.t('Opens a terminal here');
    case 'env_var':
      return l10n.t("Asks for a key and keeps it in VS Code's secret storage");
    default:
      return assertNever(type);
  }
}
