/** What the CLI has at work while the agent does something else, or nothing. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { objects, text } from '../inProcess/json';

export class BackgroundWork {
  private agents = 0;
  /** The tasks by the calls that began them. */
  private readonly tasks = new Map<string, string>();

  read(message: Json): void {
    if (message['type'] !== 'system') return;
    if (message['subtype'] === 'background_tasks_changed') {
      this.agents = objects(message['tasks']).filter(
        ({ task_type: type, ambient }) => type === 'local_agent' && ambient !== true,
      ).length;
    } else if (message['subtype'] === 'task_started') {
      const [call, task] = [text(message['tool_use_id']), text(message['task_id'])];
      if (call !== undefined && task !== undefined) this.tasks.set(call, task);
    }
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
    this.tasks.clear();
  }
}
