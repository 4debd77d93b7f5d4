/** Plans: the one in force, and those with names. Pure; used by the reducer alone. */
import type { NamedPlan, Part, PlanEntry, SessionState } from './state';

const MAX_PLANS = 50;

export function changeNamedPlan(state: SessionState, plan: NamedPlan): SessionState {
  const plans = state.plans ?? [];
  const index = plans.findIndex(({ planId }) => planId === plan.planId);
  // Nobody follows so many: the latest are kept.
  if (index < 0) return { ...state, plans: [...plans.slice(1 - MAX_PLANS), plan] };
  return { ...state, plans: plans.with(index, plan) };
}

export function removeNamedPlan(state: SessionState, planId: string): SessionState {
  const left = state.plans?.filter(plan => plan.planId !== planId);
  return left?.length === state.plans?.length ? state : withPlans(state, left);
}

/** At the end of a turn, plans of which every step is done leave the dock and become parts of the turn. */
export function finishPlans(
  state: SessionState,
  parts: readonly Part[],
  planPartId: string,
): { readonly rest: SessionState; readonly parts: readonly Part[] } {
  const { plan, ...rest } = state;
  const done = plan && isDone(plan) ? [plan] : [];
  const named = state.plans ?? [];
  const doneNamed = named.flatMap(each =>
    each.kind === 'steps' && isDone(each.entries) ? [each] : [],
  );
  const finished = [...done, ...doneNamed.map(({ entries }) => entries)];
  if (finished.length === 0) return { rest: state, parts };
  const left = named.filter(each => !doneNamed.some(({ planId }) => planId === each.planId));
  return {
    rest: withPlans(done.length > 0 ? rest : state, left),
    parts: [
      ...parts,
      ...finished.map((entries, index) => ({
        kind: 'plan' as const,
        id: index === 0 ? planPartId : `${planPartId}/${index}`,
        entries,
      })),
    ],
  };
}

function isDone(entries: readonly PlanEntry[]): boolean {
  return entries.every(({ status }) => status === 'completed');
}

function withPlans(state: SessionState, plans: readonly NamedPlan[] | undefined): SessionState {
  const { plans: _, ...rest } = state;
  return plans && plans.length > 0 ? { ...rest, plans } : rest;
}
