/** Tool uses as tool calls: started with the first partial input, updated with the whole input, and completed. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { textContent } from '../inProcess/content';
import { object, objects, text } from '../inProcess/json';
import { isTaskTool, TaskList } from './taskList';
import { isInBackground, resultFields, type ToolResult } from './toolResult';
import { runsCommand, shownUse, type ToolUse } from './toolUse';

interface OpenCall {
  readonly use: ToolUse;
  /** The call that the subagent which uses the tool was started by. */
  readonly parent: string | undefined;
  /** The subagent works on while the agent does something else. */
  readonly isInBackground?: boolean;
}

export class ToolCalls {
  private readonly open = new Map<string, OpenCall>();
  private readonly tasks = new TaskList();

  constructor(private readonly cwd: string) {}

  /** The model begins to ask for a tool; its input is not complete. */
  begun(block: Json, parent: string | undefined): readonly object[] {
    const use = useIn(block);
    return use === undefined || this.open.has(use.id) ? [] : this.announce(use, parent);
  }

  /** The model has asked for a tool. */
  asked(block: Json, parent: string | undefined): readonly object[] {
    const use = useIn(block);
    if (use === undefined) return [];
    if (!this.open.has(use.id)) return this.announce(use, parent, 'in_progress');
    this.open.set(use.id, { use, parent });
    if (isTaskTool(use.name)) return [];
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: use.id,
        status: 'in_progress',
        rawInput: use.input,
        ...shownUse(use, this.cwd),
        _meta: metaOf(use, parent),
      },
    ];
  }

  /** Tools have done what they were asked for. @param structured the output of the one, if it is one */
  done(content: unknown, structured: unknown): readonly object[] {
    const results = objects(content).filter(({ type }) => type === 'tool_result');
    return results.flatMap(block => {
      const call = this.open.get(text(block['tool_use_id']) ?? '');
      const result = {
        content: block['content'],
        isError: block['is_error'] === true,
        structured: results.length === 1 ? object(structured) : {},
      };
      return call ? this.ended(call, result) : [];
    });
  }

  /** Background work of the CLI has ended. */
  backgroundEnded({ tool_use_id: id, status, summary }: Json): readonly object[] {
    const call = this.open.get(text(id) ?? '');
    if (!call?.isInBackground) return [];
    this.open.delete(call.use.id);
    const words = text(summary);
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: call.use.id,
        status: status === 'completed' ? 'completed' : 'failed',
        capabilities: {},
        ...(words !== undefined && { content: [textContent(words)] }),
        _meta: metaOf(call.use, call.parent),
      },
    ];
  }

  /** Where the call that the CLI asks about belongs. */
  metaFor({ tool_use_id: id, tool_name: name }: Json): object {
    const call = this.open.get(text(id) ?? '');
    const use = call?.use ?? { id: '', name: text(name) ?? '', input: {} };
    return metaOf(use, call?.parent);
  }

  /** Nothing runs any more: the process has ended. */
  stopped(): readonly object[] {
    const updates = [...this.open.values()]
      .filter(({ use }) => !isTaskTool(use.name))
      .map(({ use, parent }) => ({
        sessionUpdate: 'tool_call_update',
        toolCallId: use.id,
        status: 'failed',
        _meta: metaOf(use, parent),
      }));
    this.open.clear();
    return updates;
  }

  private announce(
    use: ToolUse,
    parent: string | undefined,
    status: 'pending' | 'in_progress' = 'pending',
  ): readonly object[] {
    this.open.set(use.id, { use, parent });
    if (isTaskTool(use.name)) return [];
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: use.id,
        name: use.name,
        status,
        rawInput: use.input,
        ...shownUse(use, this.cwd),
        _meta: {
          ...metaOf(use, parent),
          ...(runsCommand(use.name) && { terminal_info: { terminal_id: use.id, cwd: this.cwd } }),
        },
      },
    ];
  }

  private ended(call: OpenCall, result: ToolResult): readonly object[] {
    const { use, parent } = call;
    this.open.delete(use.id);
    if (isTaskTool(use.name)) {
      const plan = this.tasks.changed(use, result);
      return plan ? [plan] : [];
    }
    const changed = { sessionUpdate: 'tool_call_update', toolCallId: use.id };
    if (isInBackground(use, result)) {
      this.open.set(use.id, { ...call, isInBackground: true });
      const capabilities = { cancel: {} };
      return [{ ...changed, status: 'in_progress', capabilities, _meta: metaOf(use, parent) }];
    }
    const { _meta: meta, ...fields } = resultFields(use, result) as { readonly _meta?: object };
    const plan = text(result.structured['plan']) ?? text(use.input['plan']);
    const approved = use.name === 'ExitPlanMode' && !result.isError && parent === undefined;
    return [
      { ...changed, ...fields, _meta: { ...meta, ...claudeMeta(use, parent, meta) } },
      ...(approved && plan !== undefined
        ? [
            {
              sessionUpdate: 'plan_update',
              plan: { type: 'markdown', planId: PLAN, content: plan },
            },
          ]
        : []),
    ];
  }
}

/** The plan that was approved last takes the place of the one before. */
const PLAN = 'plan-mode';

function useIn({ id, name, input }: Json): ToolUse | undefined {
  const [callId, tool] = [text(id), text(name)];
  return callId && tool ? { id: callId, name: tool, input: object(input) } : undefined;
}

function metaOf(use: ToolUse, parent: string | undefined): object {
  return claudeMeta(use, parent, undefined);
}

function claudeMeta(use: ToolUse, parent: string | undefined, meta: object | undefined): object {
  const { claudeCode } = (meta ?? {}) as { readonly claudeCode?: object };
  return {
    claudeCode: {
      toolName: use.name,
      ...claudeCode,
      ...(parent !== undefined && { parentToolUseId: parent }),
    },
  };
}
