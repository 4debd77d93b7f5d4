/** What v2 asks permission for, as v1's request about a tool call. The answer is the same in both. */
import { isObject, name, type Json } from '../schema/guards/primitives';
import { listOf } from './answers';
import { callOf } from './updates';

/** Reads the requests of one agent: for those that concern no tool call one is made up. */
export class PermissionReader {
  private made = 0;

  read(params: unknown): unknown {
    if (!isObject(params)) return params;
    const { title, description, subject, ...rest } = params;
    const about = aboutOf(isObject(subject) ? subject : {});
    // The call stays what it is: what the request says is about the request.
    if (name(about['toolCallId'])) return { ...rest, title, description, toolCall: about };
    const text = name(description);
    const words = text === undefined ? [] : [{ type: 'content', content: { type: 'text', text } }];
    const content = [...words, ...listOf(about['content'])];
    const toolCallId = `request-${++this.made}`;
    return {
      ...rest,
      toolCall: { ...about, toolCallId, title, ...(content.length > 0 && { content }) },
    };
  }
}

/** A call as far as the subject tells of one. */
function aboutOf(subject: Json): Json {
  switch (subject['type']) {
    case 'tool_call':
      return isObject(subject['toolCall']) ? callOf(subject['toolCall']) : {};
    case 'command': {
      const { command, cwd, toolCallId, terminalId } = subject;
      const terminal = name(terminalId);
      return {
        toolCallId,
        kind: 'execute',
        rawInput: { command, cwd },
        ...(terminal !== undefined && { content: [{ type: 'terminal', terminalId: terminal }] }),
      };
    }
    default: {
      const { type: _, ...fields } = subject;
      // What nobody knows is shown as it came.
      return Object.keys(fields).length > 0 ? { rawInput: subject } : {};
    }
  }
}
