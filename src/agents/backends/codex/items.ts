/** The items of a thread that are tool calls, as ACP shows them. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { shownPath, textContent } from '../inProcess/content';
import { object, objects, text } from '../inProcess/json';
import { shownCommand } from './commandLines';
import { shownChanges } from './fileChanges';

export interface ShownItem {
  readonly title: string;
  readonly kind: schema.ToolKind;
  readonly content?: readonly object[];
  readonly locations?: readonly { readonly path: string }[];
  readonly rawInput?: unknown;
}

/** @returns undefined for items that are no tool calls  @param cwd of the session */
export function shownItem(item: Json, cwd: string): ShownItem | undefined {
  const type = text(item['type']) ?? '';
  return Object.hasOwn(READERS, type) ? READERS[type]?.(item, cwd) : undefined;
}

/** How a call of that item ended; undefined while it is at work. */
export function endOf({ type, status, success }: Json): 'completed' | 'failed' | undefined {
  if (status === 'inProgress') return undefined;
  const failed = status === 'failed' || status === 'declined' || status === 'interrupted';
  return failed || (type === 'dynamicToolCall' && success === false) ? 'failed' : 'completed';
}

/** What a call has brought forth, where that is not shown otherwise. */
export function resultContent({ type, result, error, contentItems }: Json): readonly object[] {
  if (type === 'dynamicToolCall') {
    return objects(contentItems).flatMap(({ text: words }) => {
      const said = text(words);
      return said === undefined ? [] : [textContent(said)];
    });
  }
  if (type === 'imageGeneration') {
    const data = text(result);
    return data === undefined
      ? []
      : [{ type: 'content', content: { type: 'image', data, mimeType: 'image/png' } }];
  }
  const words = text(object(error)['message']);
  if (words !== undefined) return [textContent(words)];
  // Blocks of MCP are those of ACP.
  return objects(object(result)['content']).map(content => ({ type: 'content', content }));
}

/** A command, as it is asked about and run. */
export function shownRun(run: Json, cwd: string, id: string): ShownItem {
  const line = text(run['command']);
  const command = line === undefined ? l10n.t('Terminal') : shownCommand(line);
  const actions = objects(run['commandActions']);
  const paths = actions.flatMap(({ type, path }) => (type === 'read' ? (text(path) ?? []) : []));
  return {
    title: command,
    kind: kindOf(actions),
    content: [{ type: 'terminal', terminalId: id }],
    locations: paths.map(path => ({ path })),
    rawInput: { command, cwd: text(run['cwd']) ?? cwd },
  };
}

type Reader = (item: Json, cwd: string) => ShownItem;

const READERS: Readonly<Record<string, Reader>> = {
  commandExecution: (item, cwd) => shownRun(item, cwd, text(item['id']) ?? ''),
  fileChange: ({ changes }, cwd) => shownChanges(changes, cwd),
  mcpToolCall: ({ server, tool, arguments: rawInput }) => ({
    title: `${text(tool) ?? ''} (${text(server) ?? ''})`,
    kind: 'other',
    rawInput,
  }),
  dynamicToolCall: ({ tool, arguments: rawInput }) => ({
    title: text(tool) ?? l10n.t('Tool'),
    kind: 'other',
    rawInput,
  }),
  collabAgentToolCall: ({ tool, prompt }) => ({
    title: COLLABORATION.get(tool)?.() ?? text(tool) ?? l10n.t('Tool'),
    kind: 'think',
    content: text(prompt) === undefined ? [] : [textContent(String(prompt))],
  }),
  webSearch: ({ query, action }) => {
    const { type, url } = object(action);
    const opens = type === 'openPage' || type === 'findInPage';
    return {
      title: opens
        ? l10n.t('Fetch {0}', text(url) ?? '')
        : l10n.t('Search "{0}"', text(query) ?? ''),
      kind: 'fetch',
    };
  },
  imageView: ({ path }, cwd) => ({
    title: l10n.t('Read {0}', shownPath(text(path), cwd)),
    kind: 'read',
    locations: text(path) === undefined ? [] : [{ path: String(path) }],
  }),
  imageGeneration: ({ revisedPrompt }) => ({
    title: l10n.t('Generate an image'),
    kind: 'other',
    content: text(revisedPrompt) === undefined ? [] : [textContent(String(revisedPrompt))],
  }),
  sleep: () => ({ title: l10n.t('Wait'), kind: 'other' }),
};

const COLLABORATION: ReadonlyMap<unknown, () => string> = new Map([
  ['spawnAgent', () => l10n.t('Start a subagent')],
  ['sendInput', () => l10n.t('Message a subagent')],
  ['sendMessage', () => l10n.t('Message a subagent')],
  ['followupTask', () => l10n.t('Message a subagent')],
  ['resumeAgent', () => l10n.t('Start a subagent')],
  ['wait', () => l10n.t('Wait for subagents')],
  ['closeAgent', () => l10n.t('End a subagent')],
  ['interruptAgent', () => l10n.t('End a subagent')],
]);

/** What only looks is shown so. */
function kindOf(actions: readonly Json[]): schema.ToolKind {
  const types = new Set(actions.map(({ type }) => type));
  if (types.size === 0 || types.has('unknown')) return 'execute';
  return [...types].every(type => type === 'read') ? 'read' : 'search';
}
