/** `session/request_permission` of drafts without options: a question that the agent wants a yes or no to. */
import * as l10n from '@vscode/l10n';
import { isObject, name, type Json } from '../schema/guards/primitives';
import { hasOptions, readOptions, type ReadOptions } from './permissionOptions';
import type * as schema from '../schema/schema';

export interface ReadPermission {
  /** In the shape of the schema. */
  readonly params: unknown;
  /** Turns the answer into the one that the agent asked for; absent when that is the schema's. */
  readonly answer?: (response: schema.RequestPermissionResponse) => object;
  /** The early draft asks like this, and nothing else. */
  readonly early: boolean;
}

/** Reads the requests of one agent: those that concern no tool call get the id of one that is made up. */
export class PermissionReader {
  private made = 0;

  read(params: unknown): ReadPermission {
    if (!isObject(params)) return { params, early: false };
    if (isObject(params['toolCall'])) return this.asked(params, params['toolCall']);
    if (isObject(params['permission'])) return this.grant(params, params['permission']);
    if (name(params['permissionId']) === undefined && name(params['toolCallId']) === undefined) {
      return this.unnamed(params);
    }
    return decision(params);
  }

  /** In the schema's shape, but maybe with options and ids that are not. */
  private asked(params: Json, toolCall: Json): ReadPermission {
    const read = hasOptions(params['options']) ? readOptions(params['options']) : yesOrNo();
    const identified = IDS.some(key => name(toolCall[key]) ?? typeof toolCall[key] === 'number');
    if (identified && read === undefined) return { params, early: false };
    return {
      params: {
        ...params,
        ...(read && { options: read.options }),
        ...(!identified && { toolCall: { ...toolCall, toolCallId: this.newId() } }),
      },
      ...(read?.answer && { answer: read.answer }),
      early: false,
    };
  }

  /** `{title, options}` at most, and nothing that says what it is about. */
  private unnamed(params: Json): ReadPermission {
    const { sessionId, options, title, message, description, ...call } = params;
    const read = hasOptions(options) ? readOptions(options) : yesOrNo();
    const subject = name(title) ?? name(message) ?? name(description);
    return {
      params: {
        sessionId,
        toolCall: {
          ...call,
          toolCallId: this.newId(),
          ...(subject !== undefined && { title: subject }),
        },
        options: read?.options ?? options,
      },
      ...(read?.answer && { answer: read.answer }),
      early: false,
    };
  }

  private newId(): string {
    return `permission-${++this.made}`;
  }

  /** `{permission: {type, path, content}}`, answered `{granted}`. */
  private grant(params: Json, permission: Json): ReadPermission {
    const { path, content } = permission;
    const place = name(path);
    return {
      params: {
        sessionId: params['sessionId'],
        toolCall: {
          toolCallId: this.newId(),
          title: titleOf(permission),
          kind: kindOf(permission['type']),
          rawInput: permission,
          ...(place !== undefined && { locations: [{ path: place }] }),
          ...(typeof content === 'string' && {
            // No diff: nobody said what the file holds now.
            content: [
              {
                type: 'content',
                content: { type: 'resource', resource: { uri: place ?? '', text: content } },
              },
            ],
          }),
        },
        options: [option('grant', 'allow_once'), option('deny', 'reject_once')],
      },
      answer: ({ outcome }) => ({
        granted: outcome.outcome === 'selected' && outcome.optionId === 'grant',
      }),
      early: false,
    };
  }
}

/**
 * For agents that leave open what can be answered. One that gave no choices may take any for a yes: a no is sent
 * as a request that was cancelled, too.
 */
function yesOrNo(): ReadOptions {
  return {
    options: [option('allow', 'allow_once'), option('reject', 'reject_once')],
    answer: ({ outcome, ...rest }) => ({
      ...rest,
      outcome:
        outcome.outcome === 'selected' && outcome.optionId === 'reject'
          ? { ...outcome, outcome: 'cancelled' }
          : outcome,
    }),
  };
}

/** What the id of a tool call is called. */
const IDS = ['toolCallId', 'callId', 'toolUseId', 'id'];

/** `{permissionId, title, kind, toolCallId?, content?}`, answered `{decision, cancelled?}`. */
function decision(params: Json): ReadPermission {
  const { sessionId, permissionId, toolCallId, options, ...call } = params;
  const toolCall = { ...call, toolCallId: name(toolCallId) ?? permissionId };
  if (hasOptions(options)) {
    const read = readOptions(options);
    return {
      params: { sessionId, toolCall, options: read?.options ?? options },
      ...(read?.answer && { answer: read.answer }),
      early: false,
    };
  }
  return {
    params: {
      sessionId,
      toolCall,
      options: [
        option('once', 'allow_once'),
        option('always', 'allow_always'),
        option('reject', 'reject_once'),
      ],
    },
    answer: ({ outcome }) =>
      outcome.outcome === 'selected'
        ? { decision: outcome.optionId }
        : { decision: 'reject', cancelled: true },
    early: true,
  };
}

function option(
  optionId: string,
  kind: 'allow_once' | 'allow_always' | 'reject_once',
): schema.PermissionOption {
  return { optionId, kind, name: nameOf(kind) };
}

function nameOf(kind: 'allow_once' | 'allow_always' | 'reject_once'): string {
  switch (kind) {
    case 'allow_once':
      return l10n.t('Allow');
    case 'allow_always':
      return l10n.t('Always allow');
    case 'reject_once':
      return l10n.t('Reject');
  }
}

const KINDS: readonly (readonly [RegExp, schema.ToolKind])[] = [
  [/write|edit|create|patch/i, 'edit'],
  [/delete|remove/i, 'delete'],
  [/move|rename/i, 'move'],
  [/exec|shell|command|terminal|run/i, 'execute'],
  [/fetch|http|network|url/i, 'fetch'],
  [/read/i, 'read'],
];

function kindOf(type: unknown): schema.ToolKind {
  if (typeof type !== 'string') return 'other';
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}

/** "file_write /w/a.txt" in words. */
function titleOf({ type, path, command }: Json): string {
  const subject = name(command) ?? name(path) ?? '';
  switch (kindOf(type)) {
    case 'edit':
      return l10n.t('Write {0}', subject);
    case 'delete':
      return l10n.t('Delete {0}', subject);
    case 'read':
      return l10n.t('Read {0}', subject);
    case 'execute':
      return l10n.t('Run {0}', subject);
    default:
      return [name(type)?.replaceAll('_', ' '), subject].filter(Boolean).join(' ');
  }
}
