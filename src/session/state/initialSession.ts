import type { AgentCapabilities, SessionState } from './state';

/** The state of a chat before anything happened. */
export function initialSession(input: {
  readonly chatId: string;
  readonly agentName: string;
  readonly cwd: string;
  readonly at: number;
}): SessionState {
  return {
    chatId: input.chatId,
    agent: { name: input.agentName, capabilities: NO_CAPABILITIES },
    connection: { kind: 'stopped' },
    cwd: input.cwd,
    createdAt: input.at,
    turns: [],
    cancelling: false,
    permissions: [],
    elicitations: [],
    commands: [],
    configOptions: [],
    queue: [],
    draft: { text: '', attachments: [], revision: 0 },
    terminals: {},
  };
}

export const NO_CAPABILITIES: AgentCapabilities = {
  image: false,
  audio: false,
  embeddedContext: false,
  loadSession: false,
  resumeSession: false,
};
