// Does what the prompt says, in steps separated by ` ;; `, each `word: command line of a shell in the workspace`:
// `quietly` outside any tool call, `run` as a command, `mcp` as a tool of a server, `subagent` as an edit below a task,
// `leave` without waiting for it; `until: file` waits until the file is there.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { promptText, serve, update } from './lib/agent.mjs';

let folder = '.';
let calls = 0;

function shell(command) {
  const child = spawn('sh', ['-c', command], { cwd: folder, stdio: 'ignore' });
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
}

async function call(sessionId, about, work) {
  const toolCallId = `call-${++calls}`;
  const told = { sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...about };
  update(sessionId, told);
  await work(toolCallId);
  update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
}

function appears(file) {
  return new Promise(resolve => {
    const watcher = watch(path.dirname(file), look);
    look();
    function look() {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    }
  });
}

const STEPS = {
  quietly: (_, command) => shell(command),
  run: (sessionId, command) =>
    call(sessionId, { kind: 'execute', title: command, rawInput: { command } }, () =>
      shell(command),
    ),
  mcp: (sessionId, command) =>
    call(sessionId, { kind: 'other', title: 'generator.write' }, () => shell(command)),
  subagent: (sessionId, command) =>
    call(sessionId, { kind: 'think', title: 'Task' }, parent => {
      const file = path.resolve(folder, command.split(' ').at(-1));
      const _meta = { claudeCode: { parentToolUseId: parent } };
      const about = { kind: 'edit', title: 'Edit', locations: [{ path: file }], _meta };
      return call(sessionId, about, () => shell(command));
    }),
  leave: (_, command) => void shell(command),
  until: (_, file) => appears(path.resolve(folder, file)),
};

serve({
  'session/new': ({ cwd }) => {
    folder = cwd;
    return { sessionId: `session-${process.pid}-${++calls}` };
  },
  'session/prompt': async params => {
    for (const step of promptText(params).split(' ;; ')) {
      const [, word, rest] = /^(\w+): (.*)$/.exec(step.trim());
      await STEPS[word](params.sessionId, rest);
    }
    return { stopReason: 'end_turn' };
  },
});
