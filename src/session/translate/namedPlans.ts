/** Plans with names: fields are checked here, since no guard knows them. */
import { fieldsOf } from '../../base/isRecord';
import type { NamedPlan, PlanEntry } from '../state/state';

export type Fields = Readonly<Record<string, unknown>>;

/** The plan of a `plan_update` (unstable ACP); undefined when it lacks what its kind needs. */
export function namedPlanOf(value: unknown): NamedPlan | undefined {
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

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
