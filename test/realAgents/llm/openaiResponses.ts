/** OpenAI's responses API. */
import { randomUUID } from 'node:crypto';
import {
  argumentsOf,
  type Answer,
  type Call,
  type Conversation,
  type Item,
  type Tool,
} from './conversation';
import type { Dialect } from './dialect';
import type { EventStream } from './eventStream';
import { asList, asObject, asString, textIn, type Json } from './json';

const USAGE = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 150,
};

export const openaiResponses: Dialect = {
  name: 'openaiResponses',

  matches: path => path.endsWith('/responses'),

  read(body): Conversation {
    const { input } = body;
    const items: Item[] =
      typeof input === 'string' ? [{ role: 'user', text: input }] : asList(input).flatMap(readItem);
    const format = asObject(asObject(body['text'])['format'])['schema'];
    return {
      items,
      tools: [
        ...asList(body['tools']),
        // Those that the agent has found when it was asked for them.
        ...(typeof input === 'string' ? [] : asList(input)).flatMap(found),
      ].flatMap(tool => readTool(tool)),
      searched: typeof input !== 'string' && asList(input).some(isSearch),
      ...(format ? { answerSchema: asObject(format) } : {}),
    };
  },

  wantsStream: body => body['stream'] === true,

  whole(answer, body) {
    const output = [
      ...(answer.text ? [message(newId('msg'), answer.text)] : []),
      ...answer.calls.map(callItem),
    ];
    return response(newId('resp'), body, 'completed', output);
  },

  async stream(answer, body, out) {
    const writer = new ResponseWriter(out, body);
    writer.begin();
    if (answer.thought !== undefined) await writer.reasoning(answer.thought);
    await writer.text(answer);
    for (const call of answer.calls) await writer.call(call);
    writer.end(answer);
  },
};

function readItem(item: Json): Item[] {
  const type = asString(item['type']) ?? 'message';
  if (isSearch(item)) return [];
  if (type.endsWith('_output')) return [{ role: 'toolResult', text: textIn(item['output']) }];
  if (type !== 'message') return [];
  const text = textIn(item['content']);
  if (item['role'] === 'user') return [{ role: 'user', text }];
  return item['role'] === 'assistant' ? [{ role: 'model', text }] : [];
}

const SEARCH_OUTPUT = 'tool_search_output';

function isSearch(item: Json): boolean {
  return item['type'] === SEARCH_OUTPUT;
}

function found(item: Json): readonly Json[] {
  return isSearch(item) ? asList(item['tools']) : [];
}

function readTool(tool: Json, namespace?: string): Tool[] {
  const name = asString(tool['name']);
  if (tool['type'] === 'namespace') {
    return asList(tool['tools']).flatMap(member => readTool(member, name));
  }
  return [
    {
      name: name ?? asString(tool['type']) ?? '',
      schema: asObject(tool['parameters']),
      freeform: tool['type'] === 'custom',
      ...(namespace === undefined ? {} : { namespace }),
    },
  ];
}

/** Writes the events of one response in order, numbering them. */
class ResponseWriter {
  private readonly id = newId('resp');
  private readonly output: Json[] = [];
  private sequence = 0;

  constructor(
    private readonly out: EventStream,
    private readonly body: Json,
  ) {}

  begin(): void {
    this.event('response.created', { response: this.state('in_progress') });
    this.event('response.in_progress', { response: this.state('in_progress') });
  }

  async reasoning(thought: string): Promise<void> {
    const id = newId('rs');
    const place = { item_id: id, output_index: this.output.length, summary_index: 0 };
    this.added({ type: 'reasoning', id, summary: [] });
    this.event('response.reasoning_summary_part.added', {
      ...place,
      part: { type: 'summary_text', text: '' },
    });
    for await (const delta of this.out.pieces(thought)) {
      this.event('response.reasoning_summary_text.delta', { ...place, delta });
    }
    this.event('response.reasoning_summary_text.done', { ...place, text: thought });
    this.done({ type: 'reasoning', id, summary: [{ type: 'summary_text', text: thought }] });
  }

  async text(answer: Answer): Promise<void> {
    if (answer.text === '' && !answer.drip) return;
    const id = newId('msg');
    const place = { item_id: id, output_index: this.output.length, content_index: 0 };
    this.added({ ...message(id, ''), status: 'in_progress', content: [] });
    const part = { type: 'output_text', text: '', annotations: [] };
    this.event('response.content_part.added', { ...place, part });
    let text = '';
    for await (const delta of this.out.textOf(answer)) {
      text += delta;
      this.event('response.output_text.delta', { ...place, delta });
    }
    this.event('response.output_text.done', { ...place, text });
    this.event('response.content_part.done', { ...place, part: { ...part, text } });
    this.done(message(id, text));
  }

  async call(call: Call): Promise<void> {
    const item = callItem(call);
    if (item['type'] === 'tool_search_call') return this.done(item);
    const [field, name] =
      item['type'] === 'custom_tool_call'
        ? ['input', 'response.custom_tool_call_input']
        : ['arguments', 'response.function_call_arguments'];
    const text = String(item[field]);
    const place = { item_id: item['id'], output_index: this.output.length };
    this.added({ ...item, [field]: '', status: 'in_progress' });
    for await (const delta of this.out.pieces(text))
      this.event(`${name}.delta`, { ...place, delta });
    this.event(`${name}.done`, { ...place, [field]: text });
    this.done(item);
  }

  end(answer: Answer): void {
    const reasons = { complete: undefined, length: 'max_output_tokens', refused: 'content_filter' };
    const reason = reasons[answer.ending];
    if (reason === undefined) {
      this.event('response.completed', { response: this.state('completed') });
    } else {
      const incomplete = { ...this.state('incomplete'), incomplete_details: { reason } };
      this.event('response.incomplete', { response: incomplete });
    }
  }

  private added(item: Json): void {
    this.event('response.output_item.added', { output_index: this.output.length, item });
  }

  private done(item: Json): void {
    this.event('response.output_item.done', { output_index: this.output.length, item });
    this.output.push(item);
  }

  private state(status: string): Json {
    return response(this.id, this.body, status, [...this.output]);
  }

  private event(type: string, fields: Json): void {
    this.out.send({ type, sequence_number: this.sequence++, ...fields }, type);
  }
}

function response(id: string, body: Json, status: string, output: readonly Json[]): Json {
  return {
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    model: body['model'] ?? 'scripted',
    output,
    error: null,
    incomplete_details: null,
    usage: status === 'in_progress' ? null : USAGE,
  };
}

function message(id: string, text: string): Json {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id, role: 'assistant', status: 'completed', content };
}

function callItem(call: Call): Json {
  const { name, namespace } = call.tool;
  if (name === 'tool_search') {
    const own = { call_id: newId('call'), execution: 'client', arguments: argumentsOf(call) };
    return { type: 'tool_search_call', id: newId('tsc'), status: 'completed', ...own };
  }
  const common = {
    call_id: newId('call'),
    name,
    status: 'completed',
    ...(namespace === undefined ? {} : { namespace }),
  };
  return typeof call.input === 'string'
    ? { type: 'custom_tool_call', id: newId('ctc'), ...common, input: call.input }
    : {
        type: 'function_call',
        id: newId('fc'),
        ...common,
        arguments: JSON.stringify(argumentsOf(call)),
      };
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}
