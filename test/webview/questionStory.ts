/** Forms and pages that an agent asks for, and what was changed in files. */
import type { SessionAction } from '../../src/session/state/actions';
import type { FormField } from '../../src/session/state/elicitation';
import type { PanelChanges } from '../../src/shared/panelState';
import { T0 } from './story';

export const CHANGES: PanelChanges = {
  added: 71,
  removed: 12,
  files: [
    {
      id: 'f-1',
      label: 'retry.ts',
      folder: 'src/http',
      change: 'modified',
      added: 9,
      removed: 2,
    },
    {
      id: 'f-2',
      label: 'retry.test.ts',
      folder: 'test/http',
      change: 'modified',
      added: 39,
      removed: 0,
    },
    { id: 'f-3', label: 'delay.ts', folder: 'src/http', change: 'created', added: 23, removed: 0 },
    {
      id: 'f-4',
      label: 'parse-retry-after-header.ts',
      folder: 'src/legacy',
      change: 'deleted',
      added: 0,
      removed: 10,
    },
    { id: 'f-5', label: 'logo.png', folder: '', change: 'renamed', added: 0, removed: 0 },
  ],
};

/** Two of the files changed while an agent worked, and nothing says that it did that. */
export const UNCLAIMED: PanelChanges = {
  ...CHANGES,
  agents: 'Claude Code',
  files: CHANGES.files.map(file =>
    ['f-2', 'f-4'].includes(file.id) ? { ...file, unclaimed: true } : file,
  ),
};

export function asksForm(fields: readonly FormField[], id = 'form-1'): SessionAction {
  return {
    type: 'elicitationRequested',
    elicitation: {
      kind: 'form',
      id,
      message: 'Which behaviour do you want for very long waits?',
      requestedAt: T0 + 42_000,
      fields,
    },
  };
}

/** One field of every kind. */
export const FIELDS: readonly FormField[] = [
  {
    kind: 'number',
    name: 'longest',
    label: 'Longest wait, in seconds',
    required: true,
    integer: true,
    minimum: 1,
    maximum: 3600,
  },
  {
    kind: 'choice',
    name: 'longer',
    label: 'When the wait is longer',
    required: true,
    value: 'report',
    choices: [
      { value: 'report', label: 'Give up and report it', description: 'The caller decides' },
      { value: 'cap', label: 'Wait as long as is allowed' },
    ],
  },
  {
    kind: 'choices',
    name: 'where',
    label: 'Clients that use it',
    required: true,
    minItems: 1,
    maxItems: 2,
    choices: [
      { value: 'carrier', label: 'Carrier client' },
      { value: 'webhook', label: 'Webhook client' },
      { value: 'labels', label: 'Labels', description: 'Has a loop of its own now' },
    ],
  },
  {
    kind: 'text',
    name: 'owner',
    label: 'Who is told',
    description: 'Gets a mail for each wait that was given up.',
    required: false,
    format: 'email',
  },
  {
    kind: 'boolean',
    name: 'log',
    label: 'Log every wait over 10 seconds',
    required: false,
    value: true,
  },
];

/** As an agent asks multiple-choice questions: options that need not be chosen, and a text beside them. */
export const OPTIONAL: readonly FormField[] = [
  {
    kind: 'choice',
    name: 'question_0',
    label: 'Colour',
    required: false,
    choices: [
      { value: 'Red', label: 'Red', description: 'the red one' },
      { value: 'Blue', label: 'Blue', description: 'the blue one' },
    ],
  },
  { kind: 'text', name: 'question_0_custom', label: 'Other', required: false },
  {
    kind: 'choice',
    name: 'zone',
    label: 'Zone',
    required: false,
    choices: Array.from({ length: 9 }, (_, index) => ({
      value: `z${index}`,
      label: `Zone ${index}`,
    })),
  },
  { kind: 'text', name: 'since', label: 'Since', required: false, format: 'date' },
  { kind: 'text', name: 'note', label: 'Note', required: false, value: 'one\ntwo' },
  { kind: 'number', name: 'share', label: 'Share', required: false, integer: false, maximum: 1 },
  { kind: 'unknown', name: 'map', label: 'Map', required: false, type: 'object' },
];

export function asksPage(
  more: { readonly opened?: boolean; readonly lookalike?: boolean } = {},
): SessionAction {
  const host = more.lookalike ? 'xn--prcel-3ve.example:8443' : 'login.parcel.example';
  return {
    type: 'elicitationRequested',
    elicitation: {
      kind: 'page',
      id: 'page-1',
      message: 'Sign in to the carrier to read its rates',
      requestedAt: T0 + 42_000,
      url: `https://${host}/oauth/authorize?client_id=parcel-api&scope=rates.read%20labels.write&state=8fk2`,
      host,
      opened: more.opened ?? false,
      ...(more.lookalike && { lookalike: 'pаrcel.example' }),
    },
  };
}
