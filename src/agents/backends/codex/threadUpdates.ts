/** What happens in a thread, as updates of ACP. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { number, object, objects, text } from '../inProcess/json';
import { changesContent } from './fileChanges';
import { endOf, resultContent, shownItem } from './items';
import { subagentUpdates } from './subagents';

/** So much of what a command has written is compared with all of it in the end, in UTF-16 units. */
const MAX_HEAD = 64 * 1024;

/** What was shown of the output of a command, which may have no end. */
interface ShownOutput {
  readonly head: string;
  readonly units: number;
}

/** The plan that was proposed last takes the place of the one before. */
const PLAN = 'plan-mode';

export class ThreadUpdates {
  /** What came in pieces of the items that are not complete. */
  private readonly pieces = new Map<string, string>();
  private readonly outputs = new Map<string, ShownOutput>();
  /** The calls at work. */
  private readonly open = new Map<string, Json>();
  private isRetrying = false;
  /** The compaction that is at work. */
  private compacting: string | undefined;

  constructor(private readonly cwd: string) {}

  /** A call that is at work; undefined when nothing is known of it. */
  call(id: unknown): Json | undefined {
    return this.open.get(text(id) ?? '');
  }

  /** The call of an MCP server's tool. */
  callOfTool(server: unknown, tool: unknown): Json | undefined {
    return [...this.open.values()].findLast(
      item => item['type'] === 'mcpToolCall' && item['server'] === server && item['tool'] === tool,
    );
  }

  updates(method: string, params: Json): readonly object[] {
    const id = text(params['itemId']) ?? '';
    const delta = text(params['delta']);
    switch (method) {
      case 'turn/started':
        this.isRetrying = false;
        return [];
      case 'item/started':
        return this.started(object(params['item']));
      case 'item/completed':
        return this.completed(object(params['item']));
      case 'item/agentMessage/delta':
        return delta === undefined ? [] : [this.piece('agent_message_chunk', id, delta)];
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        return delta === undefined ? [] : [this.piece('agent_thought_chunk', id, delta)];
      case 'item/reasoning/summaryPartAdded':
        return this.pieces.has(id) ? [this.piece('agent_thought_chunk', id, '\n\n')] : [];
      case 'item/plan/delta':
        return this.planPiece(id, delta ?? '');
      case 'item/commandExecution/outputDelta':
        return delta === undefined ? [] : this.output(id, delta);
      case 'item/fileChange/patchUpdated':
        return this.changed(id, { content: changesContent(params['changes']) });
      case 'item/mcpToolCall/progress':
        return this.changed(id, { content: resultContent({ error: params }) });
      case 'turn/plan/updated':
        return [{ sessionUpdate: 'plan', entries: planEntries(params['plan']) }];
      case 'thread/name/updated':
        return [
          { sessionUpdate: 'session_info_update', title: text(params['threadName']) ?? null },
        ];
      case 'thread/tokenUsage/updated':
        return usageUpdates(object(params['tokenUsage']));
      case 'error':
        return this.retrying(params);
      case 'warning':
      case 'guardianWarning':
        return notices('warning', params['message']);
      case 'model/rerouted': {
        const [from, to] = [text(params['fromModel']) ?? '?', text(params['toModel']) ?? '?'];
        return notices('info', l10n.t('Codex answers with {0} instead of {1}.', to, from));
      }
      default:
        return [];
    }
  }

  /** Nothing runs any more. */
  stopped(): readonly object[] {
    const updates = [...this.open.keys()].map(toolCallId => ({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'failed',
    }));
    this.open.clear();
    this.pieces.clear();
    this.outputs.clear();
    return [...updates, ...this.uncompacted()];
  }

  /** The commands at work. */
  get commands(): readonly string[] {
    return [...this.open].flatMap(([id, { type }]) => (type === 'commandExecution' ? [id] : []));
  }

  /** A turn is over: but for commands that go on in the background, nothing of it is at work. */
  turnEnded(): readonly object[] {
    const left = [...this.open].filter(([, { type }]) => type !== 'commandExecution');
    const ended = left.map(([toolCallId]) => {
      this.open.delete(toolCallId);
      return { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' };
    });
    const goingOn = this.commands.map(toolCallId => ({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'in_progress',
      capabilities: { cancel: {} },
    }));
    return [...ended, ...goingOn, ...this.uncompacted()];
  }

  started(item: Json): readonly object[] {
    const id = text(item['id']);
    if (id === undefined) return [];
    switch (item['type']) {
      case 'contextCompaction':
        this.compacting = id;
        return [compaction(id, 'in_progress')];
      case 'enteredReviewMode':
        return notices('info', l10n.t('Codex reviews: {0}', text(item['review']) ?? ''));
      case 'subAgentActivity':
        return subagentUpdates(item);
    }
    const shown = shownItem(item, this.cwd);
    if (!shown || this.open.has(id)) return [];
    this.open.set(id, item);
    const isCommand = item['type'] === 'commandExecution';
    const info = { terminal_id: id, cwd: text(item['cwd']) ?? this.cwd, command: shown.title };
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: id,
        status: 'in_progress',
        ...shown,
        ...(isCommand && { _meta: { terminal_info: info } }),
      },
      ...subagentUpdates(item),
    ];
  }

  completed(item: Json): readonly object[] {
    const id = text(item['id']);
    if (id === undefined) return [];
    const before = this.pieces.get(id);
    this.pieces.delete(id);
    const output = this.outputs.get(id);
    this.outputs.delete(id);
    switch (item['type']) {
      case 'agentMessage':
        return this.rest('agent_message_chunk', id, before, text(item['text']));
      case 'reasoning': {
        const parts = [item['summary'], item['content']].find(each => objectsOrTexts(each) > 0);
        const whole = Array.isArray(parts) ? parts.filter(part => typeof part === 'string') : [];
        return before === undefined
          ? this.rest('agent_thought_chunk', id, before, text(whole.join('\n\n')))
          : [];
      }
      case 'plan':
        return planUpdate(text(item['text']));
      case 'contextCompaction':
        this.compacting = undefined;
        return [compaction(id, 'completed')];
    }
    const shown = shownItem(item, this.cwd);
    if (!shown) return [];
    // One that needed no time has not been announced.
    const begun = this.open.has(id) ? [] : this.started(item);
    this.open.delete(id);
    const changed = { sessionUpdate: 'tool_call_update', toolCallId: id };
    const { title, kind, content = [], locations } = shown;
    const all = [...content, ...resultContent(item)];
    const fields = item['type'] === 'commandExecution' ? ended(id, item, output) : { content: all };
    return [
      ...begun,
      { ...changed, status: endOf(item), title, kind, ...(locations && { locations }), ...fields },
      ...subagentUpdates(item),
    ];
  }

  /** A compaction of which no end was seen. */
  private uncompacted(): readonly object[] {
    const { compacting } = this;
    this.compacting = undefined;
    return compacting === undefined ? [] : [compaction(compacting, 'failed')];
  }

  private piece(kind: string, id: string, words: string): object {
    this.pieces.set(id, (this.pieces.get(id) ?? '') + words);
    return chunk(kind, id, words);
  }

  /** What of the whole was not there in pieces before. */
  private rest(
    kind: string,
    id: string,
    before = '',
    whole: string | undefined,
  ): readonly object[] {
    const rest = whole?.startsWith(before) === true ? whole.slice(before.length) : '';
    return rest === '' ? [] : [chunk(kind, id, rest)];
  }

  private planPiece(id: string, delta: string): readonly object[] {
    const plan = (this.pieces.get(id) ?? '') + delta;
    this.pieces.set(id, plan);
    return delta.includes('\n') ? planUpdate(text(plan)) : [];
  }

  private output(id: string, data: string): readonly object[] {
    if (!this.open.has(id)) return [];
    const { head, units } = this.outputs.get(id) ?? { head: '', units: 0 };
    const room = MAX_HEAD - head.length;
    const kept = room > 0 ? head + data.slice(0, room) : head;
    this.outputs.set(id, { head: kept, units: units + data.length });
    return this.changed(id, { _meta: { terminal_output_delta: { terminal_id: id, data } } });
  }

  private changed(id: string, fields: object): readonly object[] {
    if (!this.open.has(id)) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, ...fields }];
  }

  /** Said once in a turn: Codex says it of each try. */
  private retrying({ willRetry, error }: Json): readonly object[] {
    if (willRetry !== true || this.isRetrying) return [];
    this.isRetrying = true;
    const { message, additionalDetails } = object(error);
    return notices('warning', message, text(additionalDetails));
  }
}

/** How a command has ended, with what of its output is not shown yet. */
function ended(id: string, item: Json, shown: ShownOutput | undefined): object {
  const output = text(item['aggregatedOutput']) ?? '';
  const { head, units } = shown ?? { head: '', units: 0 };
  const isMore = output.length >= units && output.startsWith(head);
  const data = isMore ? output.slice(units) : output;
  const key = isMore && shown ? 'terminal_output_delta' : 'terminal_output';
  const code = number(item['exitCode']) ?? null;
  return {
    _meta: {
      ...(data !== '' && { [key]: { terminal_id: id, data } }),
      terminal_exit: { terminal_id: id, exit_code: code, signal: null },
    },
  };
}

function chunk(kind: string, id: string, words: string): object {
  return {
    sessionUpdate: kind,
    content: { type: 'text', text: words },
    ...(id !== '' && { messageId: id }),
  };
}

function notices(severity: string, title: unknown, description?: string): readonly object[] {
  const words = text(title);
  if (words === undefined) return [];
  return [{ sessionUpdate: 'notice', severity, title: words, ...(description && { description }) }];
}

function compaction(compactionId: string, status: string): object {
  return { sessionUpdate: 'compaction_update', compactionId, status };
}

function planUpdate(content: string | undefined): readonly object[] {
  if (content === undefined) return [];
  return [{ sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: PLAN, content } }];
}

function planEntries(plan: unknown): readonly object[] {
  return objects(plan).flatMap(({ step, status }) => {
    const content = text(step);
    if (content === undefined) return [];
    const known = status === 'inProgress' ? 'in_progress' : status;
    const isKnown = known === 'in_progress' || known === 'completed';
    return [{ content, priority: 'medium', status: isKnown ? known : 'pending' }];
  });
}

function usageUpdates({ last, modelContextWindow }: Json): readonly object[] {
  const [used, size] = [number(object(last)['totalTokens']), number(modelContextWindow)];
  if (used === undefined || size === undefined || used < 0 || size <= 0) return [];
  return [{ sessionUpdate: 'usage_update', used, size }];
}

function objectsOrTexts(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
