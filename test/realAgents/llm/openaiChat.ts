/** OpenAI's chat completions, and the many that copy it. */
import { randomUUID } from 'node:crypto';
import { argumentsOf, type Answer, type Conversation, type Item } from './conversation';
import type { Dialect } from './dialect';
import { asList, asObject, asString, textIn, type Json } from './json';

const USAGE = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 };
const ROLES: Readonly<Record<string, Item['role']>> = {
  user: 'user',
  assistant: 'model',
  tool: 'toolResult',
};
const ENDINGS = { complete: 'stop', length: 'length', refused: 'content_filter' } as const;

export const openaiChat: Dialect = {
  name: 'openaiChat',

  matches: path => path.endsWith('/chat/completions'),

  read(body): Conversation {
    const items = asList(body['messages']).flatMap(message => {
      const role = ROLES[asString(message['role']) ?? ''];
      return role ? [{ role, text: textIn(message['content']) }] : [];
    });
    const tools = asList(body['tools']).map(tool => {
      const definition = asObject(tool['function']);
      return {
        name: asString(definition['name']) ?? '',
        schema: asObject(definition['parameters']),
        freeform: false,
      };
    });
    const format = asObject(asObject(body['response_format'])['json_schema'])['schema'];
    return { items, tools, ...(format ? { answerSchema: asObject(format) } : {}) };
  },

  wantsStream: body => body['stream'] === true,

  whole(answer, body) {
    const calls = toolCalls(answer);
    const message = {
      role: 'assistant',
      content: answer.text || null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return {
      ...head(body, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finish(answer) }],
      usage: USAGE,
    };
  },

  async stream(answer, body, out) {
    const common = head(body, 'chat.completion.chunk');
    const send = (delta: Json, finishReason: string | null = null): void =>
      out.send({ ...common, choices: [{ index: 0, delta, finish_reason: finishReason }] });
    send({ role: 'assistant', content: '' });
    for await (const piece of out.pieces(answer.thought ?? '')) send({ reasoning_content: piece });
    for await (const piece of out.textOf(answer)) send({ content: piece });
    for (const [index, call] of toolCalls(answer).entries()) {
      const { name, arguments: json } = call.function;
      send({ tool_calls: [{ ...call, index, function: { name, arguments: '' } }] });
      for await (const piece of out.pieces(json)) {
        send({ tool_calls: [{ index, function: { arguments: piece } }] });
      }
    }
    send({}, finish(answer));
    out.send({ ...common, choices: [], usage: USAGE });
    out.send('[DONE]');
  },
};

function head(body: Json, object: string): Json {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: body['model'] ?? 'scripted',
  };
}

function toolCalls(answer: Answer): {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}[] {
  return answer.calls.map(call => ({
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name: call.tool.name, arguments: JSON.stringify(argumentsOf(call)) },
  }));
}

function finish(answer: Answer): string {
  return answer.calls.length > 0 ? 'tool_calls' : ENDINGS[answer.ending];
}
