/**
 * The official SDK's server as a program: `programAgent.mjs` behind it, one for each connection. Says on stdout, one JSON a
 * line, where it listens and what each request has for headers. Arguments: the wire, and the port if it is to be that one.
 */
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { agentServer } from '../../realAgents/agentServer';
import { WIRES } from './remoteServer';

const [, , name, port = '0'] = process.argv;
const wire = WIRES.find(one => one === name);
if (!wire) throw new Error(`There is no wire ${name}`);
const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
const agent = {
  command: process.execPath,
  args: [resolve('test/unit/session/programAgent.mjs')],
  env: { PROGRAM: process.env['PROGRAM'] ?? '{}' },
};
void agentServer(agent, tmpdir(), wire, {
  listensAt: Number(port),
  sees: ({ method, url, headers }) => say({ method, url, headers }),
}).then(server => say({ url: server.url }));
