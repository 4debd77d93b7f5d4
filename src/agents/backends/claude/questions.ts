/** The CLI's questions to the user as a form, and the answers as its tool reads them. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, strings, text } from '../inProcess/json';

/** @returns the parameters of `elicitation/create` without the session; undefined when nothing is asked */
export function questionForm(input: Json): object | undefined {
  const questions = questionsIn(input);
  const [first] = questions;
  if (first === undefined) return undefined;
  const isOnly = questions.length === 1;
  const properties: Record<string, object> = {};
  for (const [index, { question, header, options, isMultiple }] of questions.entries()) {
    const choices = options.map(({ label, description }) => ({
      const: label,
      title: label,
      ...(text(description) !== undefined && { description }),
    }));
    const title = header ?? question;
    const shown = { title, ...(!isOnly && { description: question }) };
    properties[fieldOf(index)] = isMultiple
      ? { type: 'array', ...shown, items: { anyOf: choices } }
      : { type: 'string', ...shown, oneOf: choices };
    properties[ownFieldOf(index)] = { type: 'string', title: l10n.t('Other') };
  }
  return {
    mode: 'form',
    message: isOnly ? first.question : l10n.t('Please answer the following questions.'),
    requestedSchema: { type: 'object', properties },
  };
}

/** @param response of `elicitation/create` */
export function answeredQuestions(input: Json, response: Json): Json {
  if (response['action'] === 'cancel') {
    return { behavior: 'deny', message: 'The user has dismissed the question.', interrupt: true };
  }
  const content = object(response['content']);
  const answers: Record<string, string> = {};
  const annotations: Record<string, object> = {};
  for (const [index, { question, isMultiple }] of questionsIn(input).entries()) {
    const chosen = content[fieldOf(index)];
    const picked = Array.isArray(chosen) ? strings(chosen) : strings([chosen]);
    const own = text(content[ownFieldOf(index)])?.trim();
    const all = own === undefined || own === '' ? picked : [...picked, own];
    if (isMultiple ? all.length > 0 : picked.length === 0 && all.length > 0) {
      answers[question] = all.map(quoted).join(', ');
    } else if (picked.length > 0) {
      answers[question] = picked.join(', ');
      if (all.length > picked.length) annotations[question] = { notes: own };
    }
  }
  const isNoted = Object.keys(annotations).length > 0;
  const updatedInput = { ...input, answers, ...(isNoted && { annotations }) };
  return { behavior: 'allow', updatedInput };
}

interface Question {
  readonly question: string;
  readonly header: string | undefined;
  readonly options: readonly Json[];
  readonly isMultiple: boolean;
}

function questionsIn(input: Json): readonly Question[] {
  return objects(input['questions']).flatMap(asked => {
    const question = text(asked['question']);
    const options = objects(asked['options']).filter(({ label }) => text(label) !== undefined);
    if (question === undefined || options.length === 0) return [];
    const header = text(asked['header']);
    return [{ question, header, options, isMultiple: asked['multiSelect'] === true }];
  });
}

function fieldOf(index: number): string {
  return `question_${index}`;
}

function ownFieldOf(index: number): string {
  return `question_${index}_own`;
}

/** The tool splits several answers at commas. */
function quoted(answer: string): string {
  return answer.includes(', ') || answer.includes('"') ? JSON.stringify(answer) : answer;
}
