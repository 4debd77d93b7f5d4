/** A plan that Codex has proposed: the user says whether it is carried out. */
import * as l10n from '@vscode/l10n';
import { textContent } from '../inProcess/content';
import { object, text } from '../inProcess/json';

/** What Codex is asked then, as its own screen asks it. */
export const IMPLEMENT = 'Implement the plan.';

const YES = 'implement';

/** @returns the parameters of `session/request_permission` without the session */
export function planQuestion(turnId: string, plan: string): object {
  return {
    toolCall: {
      toolCallId: `plan-${turnId}`,
      title: l10n.t('Approve plan'),
      kind: 'switch_mode',
      status: 'pending',
      content: [textContent(plan)],
    },
    options: [
      { optionId: YES, name: l10n.t('Yes, start implementation'), kind: 'allow_once' },
      { optionId: 'reject', name: l10n.t('No, keep planning'), kind: 'reject_once' },
    ],
  };
}

export function isApproved(response: unknown): boolean {
  return text(object(object(response)['outcome'])['optionId']) === YES;
}

/** What becomes of the call that was asked about. */
export function planDecided(turnId: string, isDone: boolean): object {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: `plan-${turnId}`,
    status: isDone ? 'completed' : 'failed',
  };
}
