/** What Codex asks permission for, with the decisions that it offers as options, and what it is answered. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { textContent } from '../inProcess/content';
import { object, strings, text } from '../inProcess/json';
import {
  choice,
  questionWith,
  REJECTION,
  type Choice,
  type PermissionQuestion,
} from '../inProcess/permissionChoices';
import { asChangeList, shownChanges } from './fileChanges';
import { shownItem, shownRun, type ShownItem } from './items';

/** What is known where something is asked. */
export interface AskedIn {
  readonly cwd: string;
  /** The item that is asked about, if it has begun. */
  readonly item: Json | undefined;
}

/** @returns undefined when the request is no question for permission */
export function approvalOf(
  method: string,
  params: Json,
  asked: AskedIn,
): PermissionQuestion | undefined {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return ofCommand(params, asked);
    case 'item/fileChange/requestApproval':
      return ofFileChange(params, asked);
    case 'item/permissions/requestApproval':
      return ofPermissions(params);
    case 'execCommandApproval':
      return ofOlderCommand(params, asked);
    case 'applyPatchApproval':
      return ofOlderPatch(params, asked);
    case 'mcpServer/elicitation/request':
      return ofServerTool(params, asked);
    default:
      return undefined;
  }
}

function ofCommand(params: Json, { cwd, item }: AskedIn): PermissionQuestion {
  const id = text(params['approvalId']) ?? text(params['itemId']) ?? '';
  const { host } = object(params['networkApprovalContext']);
  const run = params['command'] == null && item ? item : params;
  const shown: ShownItem =
    text(host) === undefined
      ? asRun(run, cwd, text(params['itemId']) ?? id)
      : { title: l10n.t('Reach {0}', String(host)), kind: 'fetch' };
  const decisions = params['availableDecisions'];
  const offered = Array.isArray(decisions) ? decisions : ['accept', 'acceptForSession', 'decline'];
  // Whoever can say no, and go on, stops by stopping.
  const all = offered.filter(each => each !== 'cancel' || !offered.includes('decline'));
  const choices = all.flatMap(decision => choiceOf(decision));
  return approval(id, shown, params, choices, { decision: 'cancel' });
}

/** Whatever it may do, what is asked about is a command. */
function asRun(run: Json, cwd: string, terminalId: string): ShownItem {
  return { ...shownRun(run, cwd, terminalId), kind: 'execute' };
}

function ofFileChange(params: Json, { cwd, item }: AskedIn): PermissionQuestion {
  const id = text(params['itemId']) ?? '';
  const shown = (item && shownItem(item, cwd)) ?? {
    title: l10n.t('Edit files'),
    kind: 'edit' as const,
  };
  const decisions = ['accept', 'acceptForSession', 'decline'];
  return approval(id, shown, params, decisions.flatMap(choiceOf), { decision: 'cancel' });
}

/** Codex asks for more than its sandbox allows. */
function ofPermissions(params: Json): PermissionQuestion {
  const { network, fileSystem } = object(params['permissions']);
  const { read, write } = object(fileSystem);
  const wanted = [
    ...(object(network)['enabled'] === true ? [l10n.t('The network')] : []),
    ...strings(read).map(path => l10n.t('Read {0}', path)),
    ...strings(write).map(path => l10n.t('Write {0}', path)),
  ];
  const permissions = {
    ...(network != null && { network }),
    ...(fileSystem != null && { fileSystem }),
  };
  const shown = {
    title: l10n.t('More permissions'),
    kind: 'other' as const,
    content: wanted.length === 0 ? [] : [textContent(wanted.map(line => `- ${line}`).join('\n'))],
    rawInput: params['permissions'],
  };
  const none = { permissions: {}, scope: 'turn' };
  return approval(
    text(params['itemId']) ?? '',
    shown,
    params,
    [
      choice('accept', yes(), 'allow_once', { permissions, scope: 'turn' }),
      choice('session', forSession(), 'allow_always', { permissions, scope: 'session' }),
      choice('decline', no(), 'reject_once', none),
    ],
    none,
  );
}

/** The tool of an MCP server: asked as a form without fields. */
function ofServerTool(params: Json, { cwd, item }: AskedIn): PermissionQuestion | undefined {
  const { codex_approval_kind: kind, persist, tool_params: rawInput } = object(params['_meta']);
  if (kind !== 'mcp_tool_call') return undefined;
  const shown = (item && shownItem(item, cwd)) ?? {
    title: text(params['message']) ?? l10n.t('Tool'),
    kind: 'other' as const,
    rawInput,
  };
  const kept = typeof persist === 'string' ? [persist] : strings(persist);
  const accept = { action: 'accept', content: {} };
  const persisted = (mode: string, name: string): readonly Choice[] =>
    kept.includes(mode)
      ? [choice(mode, name, 'allow_always', { ...accept, _meta: { persist: mode } })]
      : [];
  const id = text(item?.['id']) ?? `approval-${text(params['serverName']) ?? ''}`;
  return approval(
    id,
    shown,
    {},
    [
      choice('accept', yes(), 'allow_once', { ...accept, _meta: null }),
      ...persisted('session', forSession()),
      ...persisted('always', l10n.t("Yes, and don't ask again for {0}", shown.title)),
      choice('decline', no(), 'reject_once', { action: 'decline', content: null, _meta: null }),
    ],
    { action: 'cancel', content: null, _meta: null },
  );
}

function ofOlderCommand(params: Json, { cwd }: AskedIn): PermissionQuestion {
  const id = text(params['approvalId']) ?? text(params['callId']) ?? '';
  const words = strings(params['command']);
  const command = words.at(-2)?.startsWith('-') ? words.at(-1) : words.join(' ');
  const shown = asRun({ ...params, command }, cwd, text(params['callId']) ?? id);
  return approval(id, shown, params, olderChoices(), { decision: 'abort' });
}

function ofOlderPatch(params: Json, { cwd }: AskedIn): PermissionQuestion {
  const shown = shownChanges(asChangeList(params['fileChanges']), cwd);
  const id = text(params['callId']) ?? '';
  return approval(id, shown, params, olderChoices(), { decision: 'abort' });
}

function olderChoices(): readonly Choice[] {
  return [
    choice('accept', yes(), 'allow_once', { decision: 'approved' }),
    choice('session', forSession(), 'allow_always', { decision: 'approved_for_session' }),
    choice('decline', no(), 'reject_once', { decision: { denied: { rejection: REJECTION } } }),
  ];
}

function choiceOf(decision: unknown): readonly Choice[] {
  const answer = { decision };
  switch (decision) {
    case 'accept':
      return [choice('accept', yes(), 'allow_once', answer)];
    case 'acceptForSession':
      return [choice('session', forSession(), 'allow_always', answer)];
    case 'decline':
      return [choice('decline', no(), 'reject_once', answer)];
    case 'cancel':
      return [choice('cancel', l10n.t('No, and stop'), 'reject_once', answer)];
  }
  const { acceptWithExecpolicyAmendment: rule, applyNetworkPolicyAmendment: network } =
    object(decision);
  const prefix = strings(object(rule)['execpolicy_amendment']).join(' ');
  if (prefix !== '') {
    const name = l10n.t("Yes, and don't ask again for {0}", prefix);
    return [choice('rule', name, 'allow_always', answer)];
  }
  const { host, action } = object(object(network)['network_policy_amendment']);
  if (text(host) === undefined) return [];
  return action === 'allow'
    ? [choice('host', l10n.t('Yes, always allow {0}', String(host)), 'allow_always', answer)]
    : [choice('no-host', l10n.t('No, never allow {0}', String(host)), 'reject_always', answer)];
}

function approval(
  toolCallId: string,
  shown: ShownItem,
  { reason, grantRoot }: Json,
  choices: readonly Choice[],
  unanswered: Json,
): PermissionQuestion {
  const root = text(grantRoot);
  const notes = [
    ...(text(reason) === undefined ? [] : [String(reason)]),
    ...(root === undefined ? [] : [l10n.t('Codex asks to write in {0}.', root)]),
  ].map(textContent);
  const toolCall = {
    toolCallId,
    status: 'pending',
    ...shown,
    content: [...notes, ...(shown.content ?? [])],
  };
  return questionWith(toolCall, choices, unanswered);
}

const yes = () => l10n.t('Yes');
const no = () => l10n.t('No');
const forSession = () => l10n.t('Yes, for this session');

/** What an item of a request is called in it. */
export function itemIdIn(params: Json): string | undefined {
  return text(params['itemId']) ?? text(params['callId']);
}
