/** A question for permission as a program asks it: each option with the answer that it stands for. */
import type { Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';

/** An answer to choose, and what it means to the program. */
export interface Choice {
  readonly option: schema.PermissionOption;
  readonly answer: Json;
}

export interface PermissionQuestion {
  readonly toolCall: object;
  readonly options: readonly schema.PermissionOption[];
  /** @param optionId undefined when nothing was chosen */
  answer(optionId: string | undefined): Json;
}

/** For the model. */
export const REJECTION = 'The user does not want this. Do something else, or ask what they want.';

export function choice(
  optionId: string,
  name: string,
  kind: schema.PermissionOptionKind,
  answer: Json,
): Choice {
  return { option: { optionId, name, kind }, answer };
}

/** @param unanswered the answer when nothing was chosen */
export function questionWith(
  toolCall: object,
  choices: readonly Choice[],
  unanswered: Json,
): PermissionQuestion {
  return {
    toolCall,
    options: choices.map(({ option }) => option),
    answer: optionId =>
      choices.find(({ option }) => option.optionId === optionId)?.answer ?? unanswered,
  };
}
