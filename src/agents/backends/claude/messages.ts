/** What the CLI says in the course of a session, as updates of ACP. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, text } from '../inProcess/json';
import { StreamedText } from './streamedText';
import { ToolCalls } from './toolCalls';

/** How the CLI calls itself where it speaks instead of a model. */
const SYNTHETIC = '<synthetic>';

export class Messages {
  readonly calls: ToolCalls;
  /** By the call that started the subagent that speaks; the agent's own under the empty name. */
  private readonly streams = new Map<string, StreamedText>();
  private compactions = 0;
  private isCompacting = false;

  constructor(cwd: string) {
    this.calls = new ToolCalls(cwd);
  }

  /** A message of the CLI. What it means for the turn and the options is for others. */
  updates(message: Json): readonly object[] {
    const parent = text(message['parent_tool_use_id']);
    switch (message['type']) {
      case 'stream_event':
        return this.streamed(object(message['event']), parent);
      case 'assistant':
        return this.whole(object(message['message']), parent);
      case 'user':
        return this.calls.done(object(message['message'])['content'], message['tool_use_result']);
      case 'system':
        return this.system(message);
      default:
        return [];
    }
  }

  private streamed(event: Json, parent: string | undefined): readonly object[] {
    const stream = this.streamOf(parent);
    switch (event['type']) {
      case 'message_start':
        stream.begin(text(object(event['message'])['id']));
        return [];
      case 'content_block_start': {
        const block = object(event['content_block']);
        return block['type'] === 'tool_use' ? this.calls.begun(block, parent) : [];
      }
      case 'content_block_delta': {
        const delta = object(event['delta']);
        const kind = delta['type'] === 'thinking_delta' ? 'thinking' : 'text';
        const piece = text(delta[kind]);
        if (piece === undefined) return [];
        stream.add(kind, piece);
        return [chunk(kind, piece, stream.id, parent)];
      }
      default:
        return [];
    }
  }

  private whole({ id, model, content }: Json, parent: string | undefined): readonly object[] {
    const messageId = text(id);
    // What it says of a turn that failed comes with the turn's end.
    if (model === SYNTHETIC && saysSignIn(content)) return [];
    return objects(content).flatMap(block => {
      const { type } = block;
      if (type === 'tool_use') return this.calls.asked(block, parent);
      if (type !== 'text' && type !== 'thinking') return [];
      const said = text(block[type]);
      if (said === undefined) return [];
      const rest = this.streamOf(parent).rest(messageId, type, said);
      return rest === '' ? [] : [chunk(type, rest, messageId, parent)];
    });
  }

  private system(message: Json): readonly object[] {
    switch (message['subtype']) {
      case 'status':
        return this.status(message);
      case 'compact_boundary':
        return this.compacted('completed');
      case 'task_notification':
        return this.calls.backgroundEnded(message);
      case 'commands_changed':
        return [commandsUpdate(message['commands'])];
      case 'local_command_output': {
        const said = text(message['content']);
        return said === undefined ? [] : [chunk('text', said, text(message['uuid']), undefined)];
      }
      case 'informational': {
        const said = text(message['content']);
        const { level } = message;
        if (said === undefined || (level !== 'warning' && level !== 'suggestion')) return [];
        const severity = level === 'warning' ? 'warning' : 'info';
        return [{ sessionUpdate: 'notice', severity, title: said }];
      }
      default:
        return [];
    }
  }

  private status({
    status,
    compact_result: result,
    compact_error: error,
  }: Json): readonly object[] {
    if (status === 'compacting' && !this.isCompacting) {
      this.isCompacting = true;
      this.compactions += 1;
      return [this.compaction('in_progress')];
    }
    return result === 'failed' ? this.compacted('failed', text(error)) : [];
  }

  private compacted(status: string, error?: string): readonly object[] {
    // Small ones are not announced.
    if (!this.isCompacting) this.compactions += 1;
    this.isCompacting = false;
    return [this.compaction(status, error)];
  }

  private compaction(status: string, error?: string): object {
    return {
      sessionUpdate: 'compaction_update',
      compactionId: `compaction-${this.compactions}`,
      status,
      ...(error !== undefined && { error }),
    };
  }

  private streamOf(parent = ''): StreamedText {
    const known = this.streams.get(parent) ?? new StreamedText();
    this.streams.set(parent, known);
    return known;
  }
}

/** The slash commands that make sense without the CLI's own screen. */
export function commandsUpdate(commands: unknown): object {
  const availableCommands = objects(commands).flatMap(({ name, description, argumentHint }) => {
    const command = text(name);
    if (command === undefined || /\s/.test(command) || OF_SCREEN.has(command)) return [];
    const hint = text(argumentHint);
    return [
      {
        name: command,
        description: text(description) ?? '',
        ...(hint !== undefined && { input: { hint } }),
      },
    ];
  });
  return { sessionUpdate: 'available_commands_update', availableCommands };
}

const OF_SCREEN = new Set([
  ...['clear', 'cost', 'exit', 'keybindings-help', 'login', 'logout', 'mcp', 'output-style:new'],
  ...['release-notes', 'statusline', 'todos'],
]);

/** The CLI's own words where it is not signed in: they name its command line. */
export function saysSignIn(content: unknown): boolean {
  const words = typeof content === 'string' ? content : (objects(content)[0] ?? {})['text'];
  return typeof words === 'string' && /\brun \/login\b/i.test(words);
}

function chunk(
  kind: 'text' | 'thinking',
  words: string,
  messageId: string | undefined,
  parent: string | undefined,
): object {
  return {
    sessionUpdate: kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk',
    content: { type: 'text', text: words },
    ...(messageId !== undefined && { messageId }),
    ...(parent !== undefined && { _meta: { claudeCode: { parentToolUseId: parent } } }),
  };
}
