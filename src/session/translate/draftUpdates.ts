/**
 * Updates outside the stable schema that some agents send: those of ACP's unstable schema, and the one that
 * older agents send. Fields are checked here: no guard knows them.
 */
import type { SessionAction } from '../state/actions';
import type { Environment } from '../ports';
import { optionFor } from './configOptions';
import { isBetweenSessions, subagentCall } from './subagents';
import type { NamedPlan, PlanEntry, SessionState } from '../state/state';

type Fields = Readonly<Record<string, unknown>>;

/** Undefined for an update that this does not know either. */
export function draftActions(
  state: SessionState,
  update: Fields,
  environment: Environment,
): readonly SessionAction[] | undefined {
  switch (update['sessionUpdate']) {
    case 'current_model_update': {
      const value = text(update['currentModelId']);
      if (value === undefined) return undefined;
      const option = optionFor(state.configOptions, 'model');
      return option ? [{ type: 'configValueChanged', optionId: option.id, value }] : [];
    }
    case 'plan_update': {
      const plan = planOf(update['plan']);
      return plan && [{ type: 'namedPlanChanged', plan }];
    }
    case 'plan_removed': {
      const planId = text(update['planId']);
      return planId === undefined ? undefined : [{ type: 'namedPlanRemoved', planId }];
    }
    case 'subagent_update': {
      const call = subagentCall(state, update, environment);
      return call && [call];
    }
    // Messages between sessions: what is said to a subagent, and by it, is shown where the subagent is.
    case 'session_message':
    case 'session_message_chunk':
      return isBetweenSessions(update) ? [] : undefined;
    default:
      return undefined;
  }
}

function planOf(value: unknown): NamedPlan | undefined {
  const plan = fieldsOf(value);
  const planId = text(plan['planId']);
  if (planId === undefined) return undefined;
  switch (plan['type']) {
    case 'items':
      return Array.isArray(plan['entries'])
        ? { planId, kind: 'steps', entries: plan['entries'].flatMap(entryOf) }
        : undefined;
    case 'file': {
      const uri = text(plan['uri']);
      return uri === undefined ? undefined : { planId, kind: 'file', uri };
    }
    case 'markdown': {
      const content = text(plan['content']);
      return content === undefined ? undefined : { planId, kind: 'text', text: content };
    }
    default:
      return undefined;
  }
}

function entryOf(value: unknown): readonly PlanEntry[] {
  const { content, priority, status } = fieldsOf(value);
  if (typeof content !== 'string') return [];
  return [
    {
      content,
      priority: priority === 'high' || priority === 'low' ? priority : 'medium',
      status: status === 'in_progress' || status === 'completed' ? status : 'pending',
    },
  ];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
