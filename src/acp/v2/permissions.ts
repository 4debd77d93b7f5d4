/** What v2 asks permission for, as v1's request about a tool call. The answer is the same in both. */
import { isObject, name, type Json } from '../schema/guards/primitives';
import { callOf } from './updates';

/** Reads the requests of one agent: those that concern no tool call get the id of one that is made up. */
export class PermissionReader {
  private made = 0;

  read(params: unknown): unknown {
    if (!isObject(params)) return params;
    const { title, description, subject, ...rest } = params;
    const call = this.callOf(isObject(subject) ? subject : {});
    const text = name(description);
    const content: readonly unknown[] = Array.isArray(call['content']) ? call['content'] : [];
    return {
      ...rest,
      toolCall: {
        ...call,
        title,
        ...(text !== undefined && {
          content: [{ type: 'content', content: { type: 'text', text } }, ...content],
        }),
      },
    };
  }

  private callOf(subject: Json): Json {
    switch (subject['type']) {
      case 'tool_call':
        return isObject(subject['toolCall']) ? callOf(subject['toolCall']) : {};
      case 'command': {
        const { command, cwd, toolCallId, terminalId } = subject;
        const terminal = name(terminalId);
        return {
          toolCallId: name(toolCallId) ?? this.newId(),
          kind: 'execute',
          rawInput: { command, cwd },
          ...(terminal !== undefined && { content: [{ type: 'terminal', terminalId: terminal }] }),
        };
      }
      default: {
        const { type: _, ...fields } = subject;
        // What nobody knows is shown as it came.
        return {
          toolCallId: this.newId(),
          ...(Object.keys(fields).length > 0 && { rawInput: subject }),
        };
      }
    }
  }

  private newId(): string {
    return `request-${++this.made}`;
  }
}
