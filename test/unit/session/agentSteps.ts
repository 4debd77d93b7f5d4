/** What `programAgent.mjs` is asked to do, a step each. */

export const text = (content: string, messageId?: string) => ({
  update: {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: content },
    ...(messageId && { messageId }),
  },
});

export const thought = (content: string) => ({
  update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: content } },
});

export const tool = (toolCallId: string, fields: Record<string, unknown> = {}) => ({
  update: { sessionUpdate: 'tool_call', toolCallId, title: `Tool ${toolCallId}`, ...fields },
});

export const toolUpdate = (toolCallId: string, fields: Record<string, unknown>) => ({
  update: { sessionUpdate: 'tool_call_update', toolCallId, ...fields },
});

export const permission = (toolCallId: string, fields: Record<string, unknown> = {}) => ({
  ask: {
    method: 'session/request_permission',
    params: {
      toolCall: { toolCallId, ...fields },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    },
  },
});

/** The turn ends. */
export const done = { respond: { stopReason: 'end_turn' } };
