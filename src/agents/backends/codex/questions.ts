/** The questions of Codex and of its MCP servers to the user, as forms and pages, and what is answered. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, strings, text } from '../inProcess/json';

/** A question as the parameters of `elicitation/create` without the session. */
export interface Question {
  readonly elicitation: object;
  /** @param response of `elicitation/create` */
  answer(response: Json): Json;
}

/** @returns undefined when the request asks the user nothing */
export function questionOf(method: string, params: Json): Question | undefined {
  if (method === 'item/tool/requestUserInput') return ofAgent(params);
  return method === 'mcpServer/elicitation/request' ? ofServer(params) : undefined;
}

function ofAgent(params: Json): Question | undefined {
  const questions = objects(params['questions']).filter(({ id }) => text(id) !== undefined);
  const [first] = questions;
  if (first === undefined) return undefined;
  const properties: Record<string, object> = {};
  for (const question of questions) {
    const id = String(question['id']);
    const words = text(question['question']) ?? id;
    const title = text(question['header']) ?? words;
    const shown = { title, ...(questions.length > 1 && { description: words }) };
    const choices = objects(question['options']).flatMap(({ label, description }) => {
      const value = text(label);
      const more = text(description);
      return value === undefined
        ? []
        : [{ const: value, title: value, ...(more !== undefined && { description: more }) }];
    });
    properties[id] = { type: 'string', ...shown, ...(choices.length > 0 && { oneOf: choices }) };
    // Without choices the first field is for their own words.
    if (choices.length > 0) properties[ownFieldOf(id)] = { type: 'string', title: l10n.t('Other') };
  }
  const toolCallId = text(params['itemId']);
  return {
    elicitation: {
      mode: 'form',
      message:
        questions.length === 1
          ? (text(first['question']) ?? '')
          : l10n.t('Please answer the following questions.'),
      requestedSchema: { type: 'object', properties },
      ...(toolCallId !== undefined && { toolCallId }),
    },
    answer: response => {
      const content = object(response['content']);
      const answers = questions.flatMap(({ id }): [string, Json][] => {
        const own = text(content[ownFieldOf(String(id))])?.trim();
        const given = strings([content[String(id)], ...(own ? [own] : [])]);
        return given.length === 0 ? [] : [[String(id), { answers: given }]];
      });
      return { answers: Object.fromEntries(answers) };
    },
  };
}

function ofServer(params: Json): Question {
  const { mode, url, elicitationId } = params;
  const message = [text(params['title']), text(params['description']), text(params['message'])]
    .filter(Boolean)
    .join('\n\n');
  const form = {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: {}, ...object(params['requestedSchema']) },
  };
  return {
    elicitation: mode === 'url' ? { mode, message, url, elicitationId } : form,
    answer: ({ action, content }) => ({
      action: action === 'accept' || action === 'decline' ? action : 'cancel',
      content: action === 'accept' ? (content ?? (mode === 'url' ? null : {})) : null,
      _meta: null,
    }),
  };
}

function ownFieldOf(id: string): string {
  return `${id}_own`;
}
