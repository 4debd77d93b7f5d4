// Opens a session and answers prompts only for who has signed in: the file named as its first argument is there
// (`login` as the last argument is the program that makes it), or FIXTURE_KEY is set. That ends with the second
// prompt of a process, once.
import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import { promptText, say, serve } from './lib/agent.mjs';

const [file] = process.argv.slice(2);
if (process.argv.at(-1) === 'login') {
  writeFileSync(file, '');
  process.exit(0);
}

let key = process.env.FIXTURE_KEY;
let prompts = 0;

function mustBeSignedIn() {
  if (!existsSync(file) && !key) throw Object.assign(new Error('Who are you?'), { code: -32000 });
}

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: 'fixture', title: 'Fixture', version: '1.0.0' },
    agentCapabilities: { loadSession: false, auth: { logout: {} } },
    authMethods: [
      { id: 'tui', name: 'In a terminal', type: 'terminal', args: ['login'] },
      {
        id: 'older',
        name: 'As older agents do it',
        _meta: {
          'terminal-auth': { command: process.execPath, args: [process.argv[1], file, 'login'] },
        },
      },
      { id: 'key', name: 'With a key', type: 'env_var', vars: [{ name: 'FIXTURE_KEY' }] },
    ],
  }),
  'session/new': () => {
    mustBeSignedIn();
    return { sessionId: `session-${process.pid}` };
  },
  'session/prompt': params => {
    const text = promptText(params);
    if (++prompts === 2) signOut();
    mustBeSignedIn();
    say(params.sessionId, `You said: ${text}, with the key ${key ?? 'of the file'}`);
    return { stopReason: 'end_turn' };
  },
  logout: () => {
    signOut();
    return {};
  },
});

function signOut() {
  key = undefined;
  if (existsSync(file)) unlinkSync(file);
}
