/** Every kind of `session/update`: whether it is about the session or the transcript, and what it means. */
import type { UpdateKind } from '../../acp/schema/guards/updates';
import type * as schema from '../../acp/schema/schema';
import type { Environment } from '../ports';
import type { SessionAction } from '../state/actions';
import type { AvailableCommand, SessionState } from '../state/state';
import { configAfterUpdate, optionFor } from './configOptions';
import { isForModelOnly } from './contentView';
import { namedPlanOf, type Fields } from './namedPlans';
import { limitOf, limitWarning, withLimit } from './usageLimits';
import { isBetweenSessions, subagentCall } from './subagents';
import type { Translator } from './translate';
import { V2_UPDATES } from './v2Updates';

export interface Translation<U> {
  /** What is about the session counts whenever it comes; a replay brings the transcript alone. */
  readonly about: 'session' | 'transcript';
  /** @param sessionId the session that it came from */
  actions(
    update: U,
    state: SessionState,
    translator: Translator,
    sessionId: string | undefined,
  ): readonly SessionAction[];
}

/** A kind of the schema that is missing here does not compile. */
const UPDATES: {
  readonly [K in UpdateKind]: Translation<Extract<schema.SessionUpdate, { sessionUpdate: K }>>;
} = {
  user_message_chunk: {
    about: 'transcript',
    actions: (update, _state, translator) => [translator.userChunk(update)],
  },
  agent_message_chunk: {
    about: 'transcript',
    actions: (update, _state, translator) => [
      translator.agentChunk(isForModelOnly(update.content) ? 'thought' : 'text', update),
    ],
  },
  agent_thought_chunk: {
    about: 'transcript',
    actions: (update, _state, translator) => [translator.agentChunk('thought', update)],
  },
  tool_call: {
    about: 'transcript',
    actions: (update, state, translator, sessionId) =>
      translator.toolCall(state, update, 'announced', sessionId),
  },
  tool_call_update: {
    about: 'transcript',
    actions: (update, state, translator, sessionId) =>
      translator.toolCall(state, update, 'changed', sessionId),
  },
  plan: {
    about: 'transcript',
    actions: ({ entries }) => [
      {
        type: 'planChanged',
        entries: entries.map(({ content, priority, status }) => ({ content, priority, status })),
      },
    ],
  },
  available_commands_update: {
    about: 'session',
    actions: ({ availableCommands }) => [
      { type: 'commandsChanged', commands: availableCommands.map(commandOf) },
    ],
  },
  current_mode_update: {
    about: 'session',
    actions: ({ currentModeId }, state) => optionChange(state, 'mode', currentModeId),
  },
  config_option_update: {
    about: 'session',
    actions: ({ configOptions }, state) => [
      { type: 'configChanged', options: configAfterUpdate(state.configOptions, configOptions) },
    ],
  },
  session_info_update: {
    about: 'session',
    actions: ({ title }) =>
      title === undefined ? [] : [{ type: 'titleChanged', title: title ?? undefined }],
  },
  usage_update: {
    about: 'session',
    actions: ({ used, size, cost, _meta }, { usage }, translator) => {
      const limit = limitOf(_meta);
      const known = usage?.limits ?? [];
      const warning = limit && limitWarning(limit, known);
      return [
        {
          type: 'usageChanged',
          usage: {
            // Without a size only a limit is said.
            ...((size > 0 || !limit) && { used, size }),
            ...(cost && { cost: { amount: cost.amount, currency: cost.currency } }),
            ...(limit && { limits: withLimit(known, limit) }),
          },
        },
        ...(warning ? [translator.notice('warning', warning.title, warning.detail)] : []),
      ];
    },
  },
  notice: {
    about: 'transcript',
    actions: ({ severity, title, description }, _state, translator) => [
      translator.notice(levelOf(severity), title, description),
    ],
  },
  compaction_update: {
    about: 'transcript',
    actions: (update, _state, translator) => [translator.compaction(update)],
  },
  compaction_summary_chunk: {
    about: 'transcript',
    actions: (update, state, translator) => translator.compactionChunk(state, update),
  },
};

interface DraftTranslation {
  readonly about: 'session' | 'transcript';
  /** Undefined for an update without the fields of its kind: no guard knows them. */
  actions(
    update: Fields,
    state: SessionState,
    environment: Environment,
  ): readonly SessionAction[] | undefined;
}

/** Kinds outside the stable schema: those of ACP's unstable schema, and the one that older agents send. */
const DRAFT_UPDATES: Readonly<Record<string, DraftTranslation>> = {
  current_model_update: {
    about: 'session',
    actions: ({ currentModelId: id }, state) =>
      typeof id === 'string' && id !== '' ? optionChange(state, 'model', id) : undefined,
  },
  plan_update: {
    about: 'transcript',
    actions: ({ plan }) => {
      const named = namedPlanOf(plan);
      return named && [{ type: 'namedPlanChanged', plan: named }];
    },
  },
  plan_removed: {
    about: 'transcript',
    actions: ({ planId }) =>
      typeof planId === 'string' && planId !== ''
        ? [{ type: 'namedPlanRemoved', planId }]
        : undefined,
  },
  subagent_update: {
    about: 'transcript',
    actions: (update, state, environment) => {
      const call = subagentCall(state, update, environment);
      return call && [call];
    },
  },
  // Messages between sessions: what is said to a subagent, and by it, is shown where the subagent is.
  session_message: { about: 'transcript', actions: betweenSessions },
  session_message_chunk: { about: 'transcript', actions: betweenSessions },
};

/** Whether an update is about the session rather than the transcript. */
export function isAboutSession({
  sessionUpdate: kind,
}: {
  readonly sessionUpdate: string;
}): boolean {
  const translation = isKnown(kind) ? UPDATES[kind] : (draftOf(kind) ?? v2Of(kind));
  return translation?.about === 'session';
}

/** What an update of the agent's own session means; undefined for kinds that nobody knows. */
export function actionsOf(
  update: schema.SessionUpdate,
  state: SessionState,
  translator: Translator,
  environment: Environment,
  sessionId: string | undefined,
): readonly SessionAction[] | undefined {
  const { sessionUpdate: kind }: { readonly sessionUpdate: string } = update;
  if (!isKnown(kind)) {
    const fields = { ...update };
    return (
      v2Of(kind)?.actions(fields, state, translator, sessionId) ??
      draftOf(kind)?.actions(fields, state, environment)
    );
  }
  const translation = UPDATES[kind] as Translation<schema.SessionUpdate>;
  return translation.actions(update, state, translator, sessionId);
}

function isKnown(kind: string): kind is UpdateKind {
  return Object.hasOwn(UPDATES, kind);
}

function draftOf(kind: string): DraftTranslation | undefined {
  return Object.hasOwn(DRAFT_UPDATES, kind) ? DRAFT_UPDATES[kind] : undefined;
}

function v2Of(kind: string): (typeof V2_UPDATES)[string] | undefined {
  return Object.hasOwn(V2_UPDATES, kind) ? V2_UPDATES[kind] : undefined;
}

function betweenSessions(update: Fields): readonly SessionAction[] | undefined {
  return isBetweenSessions(update) ? [] : undefined;
}

function optionChange(
  state: SessionState,
  category: 'mode' | 'model',
  value: string,
): readonly SessionAction[] {
  const option = optionFor(state.configOptions, category);
  return option ? [{ type: 'configValueChanged', optionId: option.id, value }] : [];
}

export function commandOf(command: schema.AvailableCommand): AvailableCommand {
  const hint = command.input?.hint;
  return {
    name: command.name,
    description: command.description,
    ...(hint !== undefined && { hint }),
  };
}

function levelOf(severity: string): 'info' | 'warning' | 'error' {
  return severity === 'warning' || severity === 'error' ? severity : 'info';
}
