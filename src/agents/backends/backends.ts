import type { Backend, RunningAgent, Start } from '../backend';
import type { UsableAgent } from '../definitions';

type Kind = UsableAgent['kind'];
type DefinitionOf<K extends Kind> = Extract<UsableAgent, { readonly kind: K }>;

/** Every kind of agent. Backends load with their first start: activation does not need them. */
const BACKENDS: { readonly [K in Kind]: () => Promise<Backend<DefinitionOf<K>>> } = {
  stdio: async () => (await import('./acp/stdioBackend')).stdioBackend,
  claude: async () => (await import('./claude/claudeBackend')).claudeBackend,
  codex: async () => (await import('./codex/codexBackend')).codexBackend,
  remote: async () => (await import('./acp/remoteBackend')).remoteBackend,
  recording: async () => (await import('./recording/recordingBackend')).recordingBackend,
};

/** Starts an agent by the backend of its kind; see `Backend.start`. */
export async function startAgent<K extends Kind>(
  definition: DefinitionOf<K> & { readonly kind: K },
  start: Start,
  signal: AbortSignal,
): Promise<RunningAgent> {
  const backend = await BACKENDS[definition.kind]();
  return backend.start(definition, start, signal);
}
