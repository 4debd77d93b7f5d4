/** Google's Gemini API. */
import { randomUUID } from 'node:crypto';
import { argumentsOf, type Answer, type Conversation, type Item } from './conversation';
import type { Dialect } from './dialect';
import { asList, asObject, asString, textIn, type Json } from './json';

const USAGE = { promptTokenCount: 120, candidatesTokenCount: 30, totalTokenCount: 150 };
const ENDINGS = { complete: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY' } as const;

export const gemini: Dialect = {
  name: 'gemini',

  matches: path => /:(?:generate|streamGenerate)Content$/.test(path),

  read(body): Conversation {
    const tools = asList(body['tools']).flatMap(group =>
      asList(group['functionDeclarations']).map(tool => ({
        name: asString(tool['name']) ?? '',
        schema: asObject(tool['parametersJsonSchema'] ?? tool['parameters']),
        freeform: false,
      })),
    );
    const config = asObject(body['generationConfig']);
    const format = config['responseJsonSchema'] ?? config['responseSchema'];
    return {
      items: asList(body['contents']).flatMap(readContent),
      tools,
      ...(format ? { answerSchema: asObject(format) } : {}),
    };
  },

  wantsStream: (_body, path) => path.endsWith(':streamGenerateContent'),

  whole(answer) {
    return candidate([{ text: answer.text }, ...functionCalls(answer)], ENDINGS[answer.ending]);
  },

  async stream(answer, _body, out) {
    const { thought } = answer;
    if (thought !== undefined) {
      out.send(candidate([{ text: `**Thinking**\n\n${thought}`, thought: true }]));
    }
    for await (const text of out.textOf(answer)) out.send(candidate([{ text }]));
    if (answer.calls.length > 0) out.send(candidate(functionCalls(answer)));
    out.send(candidate([{ text: '' }], ENDINGS[answer.ending]));
  },
};

/** A content may hold function responses and words at once. */
function readContent(content: Json): Item[] {
  const parts = asList(content['parts']);
  const results = parts.filter(part => part['functionResponse'] !== undefined);
  const words = parts.map(part => asString(part['text']) ?? '').filter(text => text !== '');
  return [
    ...results.map(part => ({
      role: 'toolResult' as const,
      text: resultText(asObject(asObject(part['functionResponse'])['response'])),
    })),
    ...(words.length > 0
      ? [{ role: content['role'] === 'model' ? 'model' : 'user', text: words.join('\n') } as const]
      : []),
  ];
}

function resultText(response: Json): string {
  return textIn(response['output'] ?? response['error']) || JSON.stringify(response);
}

function candidate(parts: readonly Json[], finishReason?: string): Json {
  const ending = finishReason === undefined ? {} : { finishReason };
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...ending }],
    usageMetadata: USAGE,
    modelVersion: 'scripted',
    responseId: randomUUID(),
  };
}

function functionCalls(answer: Answer): Json[] {
  return answer.calls.map(call => ({
    functionCall: { id: randomUUID(), name: call.tool.name, args: argumentsOf(call) },
    thoughtSignature: 'c2lnbmVk',
  }));
}
