/** The CLI's list of things to do as a plan: one tool gives it whole, newer ones change one entry at a time. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, text } from '../inProcess/json';
import type { ToolUse } from './toolUse';
import type { ToolResult } from './toolResult';

interface Task {
  readonly subject: string;
  readonly status: string;
  readonly activeForm: string | undefined;
}

const TOOLS = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet']);

/** Shown as the plan, not as calls. */
export function isTaskTool(name: string): boolean {
  return TOOLS.has(name);
}

export class TaskList {
  private readonly tasks = new Map<string, Task>();

  /** @returns the `plan` update after that use; undefined when nothing has changed */
  changed({ name, input }: ToolUse, { isError, structured }: ToolResult): object | undefined {
    if (isError) return undefined;
    switch (name) {
      case 'TodoWrite':
        this.tasks.clear();
        objects(input['todos']).forEach((todo, index) => this.set(String(index), todo, 'content'));
        return this.plan();
      case 'TaskCreate': {
        const created = object(structured['task']);
        const id = text(created['id']);
        if (id === undefined) return undefined;
        this.set(id, { ...input, ...created });
        return this.plan();
      }
      case 'TaskUpdate': {
        const id = text(input['taskId']);
        if (id === undefined) return undefined;
        if (input['status'] === 'deleted') this.tasks.delete(id);
        else this.set(id, input);
        return this.plan();
      }
      case 'TaskList':
        for (const task of objects(structured['tasks'])) {
          const id = text(task['id']);
          if (id !== undefined) this.set(id, task);
        }
        return this.plan();
      default:
        return undefined;
    }
  }

  private set(id: string, fields: Json, subjectField = 'subject'): void {
    const known = this.tasks.get(id);
    const subject = text(fields[subjectField]) ?? known?.subject;
    if (subject === undefined) return;
    this.tasks.set(id, {
      subject,
      status: text(fields['status']) ?? known?.status ?? 'pending',
      activeForm: text(fields['activeForm']) ?? known?.activeForm,
    });
  }

  private plan(): object {
    const entries = [...this.tasks.values()].map(({ subject, status, activeForm }) => ({
      content: (status === 'in_progress' && activeForm) || subject,
      status: status === 'in_progress' || status === 'completed' ? status : 'pending',
      priority: 'medium',
    }));
    return { sessionUpdate: 'plan', entries };
  }
}
