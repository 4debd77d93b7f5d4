/** What the CLI asks permission for, with its suggestions as options, and what is answered. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, strings, text } from '../inProcess/json';
import {
  choice,
  questionWith,
  REJECTION,
  type Choice,
  type PermissionQuestion,
} from '../inProcess/permissionChoices';
import { shownUse } from './toolUse';

/** @param canUseTool the CLI's request  @param autoMode whether the model can decide by itself */
export function permissionQuestion(
  canUseTool: Json,
  cwd: string,
  autoMode: boolean,
  meta: object,
): PermissionQuestion {
  const input = object(canUseTool['input']);
  const name = text(canUseTool['tool_name']) ?? '';
  const use = { id: text(canUseTool['tool_use_id']) ?? name, name, input };
  const shown = shownUse(use, cwd);
  const blocked = text(canUseTool['blocked_path']);
  const isNamed = shown.locations.some(({ path }) => path === blocked);
  const choices = choicesFor(name, input, canUseTool, autoMode);
  const toolCall = {
    toolCallId: use.id,
    name,
    status: 'pending',
    rawInput: input,
    ...shown,
    ...(blocked !== undefined &&
      !isNamed && { locations: [...shown.locations, { path: blocked }] }),
    _meta: meta,
  };
  const stopped = { ...deny('The user has stopped the turn.'), interrupt: true };
  return questionWith(toolCall, choices, stopped);
}

function choicesFor(
  name: string,
  input: Json,
  canUseTool: Json,
  autoMode: boolean,
): readonly Choice[] {
  if (name === 'ExitPlanMode') return planChoices(input, autoMode);
  const suggestions = objects(canUseTool['permission_suggestions']);
  const label =
    canUseTool['suppress_always_allow_rule'] === true ? undefined : labelOf(suggestions);
  const allowed = choice('allow-once', l10n.t('Yes'), 'allow_once', allow(input));
  const always =
    label === undefined
      ? []
      : [choice('allow-always', label, 'allow_always', allow(input, suggestions))];
  const rejected = choice('reject', l10n.t('No'), 'reject_once', deny(REJECTION));
  // The first option is what a single key takes.
  return canUseTool['default_to_no'] === true
    ? [rejected, allowed, ...always]
    : [allowed, ...always, rejected];
}

function planChoices(input: Json, autoMode: boolean): readonly Choice[] {
  const go = (id: string, name: string, mode: string): Choice =>
    choice(
      id,
      name,
      mode === 'default' ? 'allow_once' : 'allow_always',
      allow(input, [{ type: 'setMode', mode, destination: 'session' }]),
    );
  return [
    go('plan-default', l10n.t('Yes, manually approve edits'), 'default'),
    go('plan-accept-edits', l10n.t('Yes, auto-accept edits'), 'acceptEdits'),
    ...(autoMode ? [go('plan-auto', l10n.t('Yes, and use auto mode'), 'auto')] : []),
    choice(
      'reject',
      l10n.t('No, keep planning'),
      'reject_once',
      deny('The user wants to go on planning. Ask what should be different.'),
    ),
  ];
}

/** What follows from taking all suggestions; undefined where it cannot be said in a line. */
function labelOf(suggestions: readonly Json[]): string | undefined {
  const rules: string[] = [];
  const folders: string[] = [];
  let acceptsEdits = false;
  for (const suggestion of suggestions) {
    const { type, behavior, mode } = suggestion;
    if (type === 'addRules' && behavior === 'allow') {
      rules.push(...objects(suggestion['rules']).map(ruleText));
    } else if (type === 'addDirectories') {
      folders.push(...strings(suggestion['directories']));
    } else if (type === 'setMode' && mode === 'acceptEdits') acceptsEdits = true;
    else return undefined;
  }
  const isForSession = suggestions.every(({ destination }) => destination === 'session');
  if (acceptsEdits && rules.length === 0) {
    return folders.length === 0
      ? l10n.t('Yes, allow all edits during this session')
      : l10n.t('Yes, allow all edits in {0} during this session', folders.join(', '));
  }
  const named = [...rules, ...folders, ...(acceptsEdits ? [l10n.t('edits')] : [])].join(', ');
  if (named === '') return undefined;
  return isForSession
    ? l10n.t('Yes, allow {0} during this session', named)
    : l10n.t("Yes, and don't ask again for {0}", named);
}

function ruleText(rule: Json): string {
  const [tool, content] = [text(rule['toolName']) ?? '', text(rule['ruleContent'])];
  if (content === undefined) return tool;
  return tool === 'Bash' ? content : `${tool}(${content})`;
}

function allow(updatedInput: Json, updatedPermissions?: readonly Json[]): Json {
  return { behavior: 'allow', updatedInput, ...(updatedPermissions && { updatedPermissions }) };
}

/** @param message for the model */
function deny(message: string): Json {
  return { behavior: 'deny', message };
}
