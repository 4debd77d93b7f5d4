/** What a user can set for a session, and how the protocol sees it. */
import type * as schema from '../acp/schema/schema';
import { ErrorCode, RpcError } from './peer';

export type Mode = 'ask' | 'auto' | 'plan';

export interface Settings {
  mode: Mode;
  model: 'small' | 'large';
  thoughts: 'off' | 'brief' | 'detailed';
  suggestions: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  mode: 'ask',
  model: 'small',
  thoughts: 'brief',
  suggestions: true,
};

interface Choice<T extends string> {
  readonly value: T;
  readonly name: string;
  readonly description: string;
}

const MODES: readonly Choice<Mode>[] = [
  { value: 'ask', name: 'Ask', description: 'Asks before each edit and each command' },
  {
    value: 'auto',
    name: 'Auto-edit',
    description: 'Edits without asking; still asks before commands',
  },
  { value: 'plan', name: 'Plan only', description: 'Reads and proposes; changes and runs nothing' },
];

const MODELS: readonly Choice<Settings['model']>[] = [
  {
    value: 'small',
    name: 'Demo Small',
    description: 'A script with a small pretend context window',
  },
  {
    value: 'large',
    name: 'Demo Large',
    description: 'The same script at five times the pretend price',
  },
];

const THOUGHTS: readonly Choice<Settings['thoughts']>[] = [
  { value: 'off', name: 'No thoughts', description: 'Answers at once' },
  { value: 'brief', name: 'Brief', description: 'A line of thought before the work' },
  { value: 'detailed', name: 'Detailed', description: 'Thinks aloud for a while' },
];

export function modeState(settings: Settings): schema.SessionModeState {
  return {
    currentModeId: settings.mode,
    availableModes: MODES.map(({ value, name, description }) => ({ id: value, name, description })),
  };
}

/** @param booleans whether the client knows boolean options; others get the selects only. */
export function configOptions(settings: Settings, booleans: boolean): schema.SessionConfigOption[] {
  const options: schema.SessionConfigOption[] = [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      description: 'What happens without asking you',
      currentValue: settings.mode,
      options: [...MODES],
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: settings.model,
      options: [...MODELS],
    },
    {
      type: 'select',
      id: 'thoughts',
      name: 'Thinking',
      category: 'thought_level',
      description: 'How much the agent thinks aloud',
      currentValue: settings.thoughts,
      options: [...THOUGHTS],
    },
  ];
  if (booleans) {
    options.push({
      type: 'boolean',
      id: 'suggestions',
      name: 'Suggest next steps',
      description: 'Ends answers with something to try next',
      currentValue: settings.suggestions,
    });
  }
  return options;
}

/** @throws RpcError (invalid params) when there is no such option or value. */
export function applyOption(settings: Settings, id: unknown, value: unknown): void {
  if (id === 'suggestions' && typeof value === 'boolean') {
    settings.suggestions = value;
    return;
  }
  if (id === 'mode') settings.mode = pick(MODES, value);
  else if (id === 'model') settings.model = pick(MODELS, value);
  else if (id === 'thoughts') settings.thoughts = pick(THOUGHTS, value);
  else throw new RpcError(ErrorCode.invalidParams, `There is no option ${JSON.stringify(id)}`);
}

function pick<T extends string>(choices: readonly Choice<T>[], value: unknown): T {
  const choice = choices.find(candidate => candidate.value === value);
  if (choice) return choice.value;
  const known = choices.map(candidate => candidate.value).join(', ');
  throw new RpcError(ErrorCode.invalidParams, `Unknown value; choose one of ${known}`);
}
