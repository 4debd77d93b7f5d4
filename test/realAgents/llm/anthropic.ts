/** Anthropic's messages API. */
import { randomUUID } from 'node:crypto';
import { argumentsOf, type Answer, type Conversation, type Item } from './conversation';
import type { Dialect } from './dialect';
import type { EventStream } from './eventStream';
import { asList, asObject, asString, textIn, type Json } from './json';

const USAGE = {
  input_tokens: 120,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 30,
};
const ENDINGS = { complete: 'end_turn', length: 'max_tokens', refused: 'refusal' } as const;

export const anthropic: Dialect = {
  name: 'anthropic',

  matches: path => path.endsWith('/messages'),

  read(body): Conversation {
    const items = asList(body['messages']).flatMap(readMessage);
    const tools = asList(body['tools']).map(tool => ({
      name: asString(tool['name']) ?? '',
      schema: asObject(tool['input_schema']),
      freeform: false,
    }));
    const config = asObject(body['output_config'] ?? body);
    const format = asObject(config['format'] ?? body['output_format'])['schema'];
    return { items, tools, ...(format ? { answerSchema: asObject(format) } : {}) };
  },

  wantsStream: body => body['stream'] === true,

  whole(answer, body) {
    return {
      ...head(body),
      content: [...(answer.text ? [{ type: 'text', text: answer.text }] : []), ...toolUses(answer)],
      stop_reason: stopReason(answer),
      stop_sequence: null,
      usage: USAGE,
    };
  },

  async stream(answer, body, out) {
    const message = { ...head(body), content: [], stop_reason: null, stop_sequence: null };
    send(out, 'message_start', { message: { ...message, usage: { ...USAGE, output_tokens: 1 } } });
    let index = 0;
    if (answer.thought !== undefined && thinks(body)) {
      await block(out, index++, { type: 'thinking', thinking: '', signature: '' }, [
        deltas(out.pieces(answer.thought), thinking => ({ type: 'thinking_delta', thinking })),
        deltas(['c2lnbmVk'], signature => ({ type: 'signature_delta', signature })),
      ]);
    }
    if (answer.text !== '' || answer.drip) {
      await block(out, index++, { type: 'text', text: '' }, [
        deltas(out.textOf(answer), text => ({ type: 'text_delta', text })),
      ]);
    }
    for (const use of toolUses(answer)) {
      await block(out, index++, { ...use, input: {} }, [
        deltas(out.pieces(JSON.stringify(use['input'])), json => ({
          type: 'input_json_delta',
          partial_json: json,
        })),
      ]);
    }
    const delta = { stop_reason: stopReason(answer), stop_sequence: null };
    send(out, 'message_delta', { delta, usage: { output_tokens: USAGE.output_tokens } });
    send(out, 'message_stop', {});
  },
};

/** A message may hold tool results and words at once. */
function readMessage(message: Json): Item[] {
  const { role, content } = message;
  if (role === 'assistant') return [{ role: 'model', text: textIn(content) }];
  if (typeof content === 'string') return [{ role: 'user', text: content }];
  const parts = asList(content);
  const results = parts.filter(part => part['type'] === 'tool_result');
  const words = parts.filter(part => part['type'] === 'text').map(textIn);
  return [
    ...results.map(part => ({ role: 'toolResult' as const, text: textIn(part['content']) })),
    ...(words.length > 0 ? [{ role: 'user' as const, text: words.join('\n') }] : []),
  ];
}

async function block(
  out: EventStream,
  index: number,
  start: Json,
  parts: AsyncIterable<Json>[],
): Promise<void> {
  send(out, 'content_block_start', { index, content_block: start });
  for (const part of parts) {
    for await (const delta of part) send(out, 'content_block_delta', { index, delta });
  }
  send(out, 'content_block_stop', { index });
}

async function* deltas(
  pieces: AsyncIterable<string> | readonly string[],
  make: (piece: string) => Json,
): AsyncGenerator<Json> {
  for await (const piece of pieces) yield make(piece);
}

function send(out: EventStream, type: string, fields: Json): void {
  out.send({ type, ...fields }, type);
}

function head(body: Json): Json {
  return {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: body['model'] ?? 'scripted',
  };
}

function toolUses(answer: Answer): Json[] {
  return answer.calls.map(call => ({
    type: 'tool_use',
    id: `toolu_${randomUUID().replaceAll('-', '')}`,
    name: call.tool.name,
    input: argumentsOf(call),
  }));
}

function stopReason(answer: Answer): string {
  return answer.calls.length > 0 ? 'tool_use' : ENDINGS[answer.ending];
}

function thinks(body: Json): boolean {
  const type = asObject(body['thinking'])['type'];
  return type !== undefined && type !== 'disabled';
}
