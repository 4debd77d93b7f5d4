/** What the CLI has at work while the agent does something else, or nothing. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { objects, text } from '../inProcess/json';

export class BackgroundWork {
  private agents = 0;
  /** The tasks by the calls that began them. */
  private readonly tasks = new Map<string, string>();
  private running: readonly Json[] = [];
  private said = '[]';

  read(message: Json): void {
    if (message['type'] !== 'system') return;
    if (message['subtype'] === 'background_tasks_changed') {
      this.running = objects(message['tasks']).filter(({ ambient }) => ambient !== true);
      this.agents = this.running.filter(({ task_type: type }) => type === 'local_agent').length;
    } else if (message['subtype'] === 'task_started') {
      const [call, task] = [text(message['tool_use_id']), text(message['task_id'])];
      if (call !== undefined && task !== undefined) this.tasks.set(call, task);
    }
  }

  /** What is at work as `background` of ACP v2 lists it; undefined when that was said already. */
  changed(): readonly object[] | undefined {
    const calls = new Map([...this.tasks].map(([call, task]) => [task, call]));
    const list = this.running.map(({ task_id: task, task_type: type }) => {
      const toolCallId = calls.get(text(task) ?? '');
      return toolCallId === undefined
        ? { type: `_${text(type)}` }
        : { type: 'tool_call', toolCallId };
    });
    const json = JSON.stringify(list);
    if (json === this.said) return undefined;
    this.said = json;
    return list;
  }

  /** Subagents work: the agent is woken when they have done so. */
  get hasAgents(): boolean {
    return this.agents > 0;
  }

  /** The task that the call began. */
  taskOf(toolCallId: string): string | undefined {
    return this.tasks.get(toolCallId);
  }

  /** The process has ended, and all of it. */
  clear(): void {
    this.agents = 0;
    this.running = [];
    this.tasks.clear();
  }
}
