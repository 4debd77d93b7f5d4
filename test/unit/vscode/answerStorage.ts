import type { AnswerStorage } from '../../../src/vscode/rememberedAnswers';

/** Keeps values as VS Code does: as JSON. */
export function answerStorage(): AnswerStorage {
  const values = new Map<string, string>();
  return {
    get: key => JSON.parse(values.get(key) ?? 'null') as unknown,
    update(key, value) {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}
