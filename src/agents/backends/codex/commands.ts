/** The slash commands that Parley offers for Codex, and its skills. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { objects, text } from '../inProcess/json';
import { promptParts } from '../inProcess/promptContent';

/** What begins a turn. */
export interface Begin {
  readonly method: 'turn/start' | 'thread/compact/start' | 'review/start';
  readonly params: Json;
}

/** @param prompt blocks of `session/prompt`  @param skills of `skills/list` */
export function beginOf(prompt: unknown, skills: readonly Json[]): Begin {
  const parts = promptParts(prompt);
  const [first] = parts;
  const words = first?.kind === 'text' ? first.text : '';
  const [, name, rest = ''] = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(words.trim()) ?? [];
  if (name === 'compact') return { method: 'thread/compact/start', params: {} };
  if (name === 'review') {
    const instructions = rest.trim();
    const target =
      instructions === ''
        ? { type: 'uncommittedChanges' }
        : { type: 'custom', instructions: withRest(instructions, parts.slice(1)) };
    return { method: 'review/start', params: { target } };
  }
  const skill = skills.find(each => each['name'] === name);
  const own = skill ? [{ type: 'skill', name, path: skill['path'] }] : [];
  const input = skill
    ? inputOf([{ kind: 'text', text: `$${name} ${rest}` }, ...parts.slice(1)])
    : inputOf(parts);
  return { method: 'turn/start', params: { input: [...own, ...input] } };
}

/** @param prompt blocks of `session/prompt`  @returns `input` of a turn */
export function inputIn(prompt: unknown): readonly Json[] {
  return inputOf(promptParts(prompt));
}

export function commandsUpdate(skills: readonly Json[]): object {
  const own = [
    { name: 'compact', description: l10n.t('Summarizes the chat to free up context') },
    {
      name: 'review',
      description: l10n.t('Reviews uncommitted changes, or what you name'),
      input: { hint: l10n.t('what to review') },
    },
  ];
  const others = skills.flatMap(({ name, description, shortDescription }) => {
    const known = text(name);
    if (known === undefined || !/^[\w:-]+$/.test(known)) return [];
    return [{ name: known, description: text(shortDescription) ?? text(description) ?? '' }];
  });
  const names = new Set(own.map(({ name }) => name));
  const availableCommands = [...own, ...others.filter(({ name }) => !names.has(name))];
  return { sessionUpdate: 'available_commands_update', availableCommands };
}

/** The skills that can be used. @param listed what `skills/list` answered */
export function skillsIn(listed: Json): readonly Json[] {
  return objects(listed['data']).flatMap(({ skills }) =>
    objects(skills).filter(({ enabled, path }) => enabled !== false && text(path) !== undefined),
  );
}

function inputOf(parts: ReturnType<typeof promptParts>): readonly Json[] {
  return parts.map(part =>
    part.kind === 'text'
      ? { type: 'text', text: part.text, text_elements: [] }
      : { type: 'image', url: `data:${part.mimeType};base64,${part.data}` },
  );
}

function withRest(words: string, parts: ReturnType<typeof promptParts>): string {
  return [words, ...parts.flatMap(part => (part.kind === 'text' ? [part.text] : []))].join('\n');
}
