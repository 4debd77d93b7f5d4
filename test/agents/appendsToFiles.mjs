// Adds a line to the file that the prompt names, straight on disk, and tells of it. Loads no sessions.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promptText, serve, update } from './lib/agent.mjs';

let folder = '.';
let calls = 0;

serve({
  'session/new': ({ cwd }) => {
    folder = cwd;
    return { sessionId: 'session-1' };
  },
  'session/prompt': params => {
    const file = path.resolve(folder, promptText(params).trim());
    const oldText = readFileSync(file, 'utf8');
    const newText = `${oldText}One line more.\n`;
    writeFileSync(file, newText);
    update(params.sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: `call-${++calls}`,
      title: `Edit ${path.basename(file)}`,
      kind: 'edit',
      status: 'completed',
      locations: [{ path: file }],
      content: [{ type: 'diff', path: file, oldText, newText }],
    });
    return { stopReason: 'end_turn' };
  },
});
