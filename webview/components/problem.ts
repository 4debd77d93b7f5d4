import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../src/base/assertNever';
import type { Problem, ProblemAction } from '../../src/session/state/state';
import type { Intent } from '../../src/shared/intents';
import { emitIntent } from '../intent';
import { button, iconButton } from '../ui/button';
import { icon } from '../ui/icon';

/** Why an agent does not run: cause, its last words, and the next step. The announcer speaks the cause. */
export function problemCard(problem: Problem): TemplateResult {
  if (problem.kind === 'disconnected') return disconnectedNotice(problem);
  const restarts = problem.actions.includes('restart');
  return html`<section
    class="ask error"
    role="group"
    aria-label=${problem.title}
    data-part="notice"
  >
    <div class="top">
      ${icon('error', { tone: 'bad' })}
      <div class="grow">
        <h2>${problem.title}</h2>
        <p>${problem.detail}</p>
      </div>
    </div>
    <div class="in">
      ${problem.output.length > 0 ? output(problem) : nothing}
      <div class="acts">
        ${actions(problem)}${START_FAILURES.includes(problem.kind) ? doctorButton() : nothing}
      </div>
      ${
        restarts
          ? html`<p class="hint">
              ${l10n.t('Restart reopens this chat. A lost message is back in the message box.')}
            </p>`
          : nothing
      }
    </div>
  </section>`;
}

/** What the doctor can say more about. */
const START_FAILURES: readonly Problem['kind'][] = [
  'commandNotFound',
  'spawnFailed',
  'exitedEarly',
  'notAcp',
  'timeout',
];

function doctorButton(): TemplateResult {
  return button({
    label: l10n.t('Run Doctor'),
    kind: 'plain',
    onClick: event => emitIntent(event.currentTarget ?? document.body, { type: 'runDoctor' }),
  });
}

function disconnectedNotice(problem: Problem): TemplateResult {
  return html`<div
    class="notice titled"
    role="group"
    aria-label=${problem.title}
    data-part="notice"
  >
    ${icon('debug-disconnect', { tone: 'warn' })}
    <div class="grow">
      <p>${problem.title}. ${problem.detail}</p>
      <div class="acts">${actions(problem)}</div>
    </div>
  </div>`;
}

function output({ kind, output: lines }: Problem): TemplateResult {
  const label =
    kind === 'commandNotFound' ? l10n.t('Details') : l10n.t('Last lines from the agent');
  const text = lines.join('\n');
  return html`<figure class="block" aria-label=${label}>
    <div class="bar">
      <span class="grow cut" title=${label}>${label}</span>
      ${iconButton({
        icon: 'copy',
        label: l10n.t('Copy'),
        small: true,
        onClick: () => void navigator.clipboard.writeText(text),
      })}
    </div>
    <pre class="cmd" tabindex="0">${text}</pre>
  </figure>`;
}

function actions(problem: Problem): TemplateResult[] {
  return problem.actions.map((action, index) => {
    const { label, intent } = actionOf(action);
    return button({
      label,
      kind: index === 0 ? 'primary' : index === 1 ? 'secondary' : 'plain',
      onClick: event => emitIntent(event.currentTarget ?? document.body, intent),
    });
  });
}

function actionOf(action: ProblemAction): { readonly label: string; readonly intent: Intent } {
  switch (action) {
    case 'retry':
      return { label: l10n.t('Try Again'), intent: { type: 'retry' } };
    case 'restart':
      return { label: l10n.t('Restart'), intent: { type: 'restartAgent' } };
    case 'signIn':
      return { label: l10n.t('Sign In'), intent: { type: 'retry' } };
    case 'showLog':
      return { label: l10n.t('Show Log'), intent: { type: 'showLog' } };
    case 'editAgents':
      return { label: l10n.t('Edit Agents'), intent: { type: 'editAgents' } };
    case 'newChat':
      return { label: l10n.t('New Chat'), intent: { type: 'newChat' } };
    default:
      return assertNever(action);
  }
}
