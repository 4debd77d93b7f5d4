/** Content that is not prose, plans with names, and notices that change in place. */
import type { SessionAction } from '../../src/session/state/actions';
import type { ContentView } from '../../src/session/state/content';
import { PLAN, T0, TURN } from './story';

/** A hundredth of a second of sound. */
const SOUND =
  'UklGRnQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YVAAAACAk6Wyuru2q5uIdGFSSERG' +
  'T11vg5antLq7tamYhXFfUEdER1FfcoaZqbW7urOnlYJuXE5GREhSYnWIm6u2u7qypJN/a1pNRURJVGV4i56ttw==';

const BLOCKS: readonly ContentView[] = [
  { kind: 'audio', mimeType: 'audio/wav', data: SOUND, bytes: 124 },
  { kind: 'audio', mimeType: 'audio/x-voice', bytes: 184_000 },
  {
    kind: 'text',
    text: { text: 'Keep the answer under 200 words.', truncated: false },
    annotations: { audience: ['assistant'] },
  },
  {
    kind: 'link',
    uri: 'https://parcel.example/docs/retry-and-backoff-policy-of-all-carriers',
    name: 'retry-policy',
    title: 'Retry and backoff policy',
    description: 'What each carrier allows',
    bytes: 48_000,
    annotations: { audience: ['user'], priority: 0.1 },
  },
  {
    kind: 'resource',
    uri: 'file:///work/parcel-api/docs/retry.md',
    mimeType: 'text/markdown',
    text: { text: '# Retries', truncated: false },
  },
  { kind: 'resource', uri: 'parcel://labels/17', mimeType: 'application/pdf', bytes: 92_000 },
];

export function toldContent(): SessionAction[] {
  return BLOCKS.map((block, index) => ({
    type: 'contentReceived',
    turnId: TURN,
    partId: `content-${index}`,
    block,
    at: T0 + 6000,
  }));
}

export function compacted(): SessionAction {
  return {
    type: 'noticeAdded',
    turnId: TURN,
    partId: 'compaction-1',
    level: 'info',
    text: 'The agent summarized the chat to free up context.',
    key: 'compaction:1',
    body: 'So far: `Retry-After` is read **as seconds** only.',
    actions: [],
    at: T0 + 7000,
  };
}

export function namedPlans(): SessionAction[] {
  return [
    { type: 'namedPlanChanged', plan: { planId: 'a', kind: 'steps', entries: PLAN } },
    {
      type: 'namedPlanChanged',
      plan: { planId: 'b', kind: 'file', uri: 'file:///work/parcel-api/PLAN.md' },
    },
    {
      type: 'namedPlanChanged',
      plan: { planId: 'c', kind: 'text', text: '# Later\n\n- Webhooks\n- Labels' },
    },
  ];
}
