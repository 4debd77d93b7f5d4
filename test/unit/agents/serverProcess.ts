/** `serverProgram.ts` as a process of its own, which can be killed, and started once more at the same address. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { Deferred } from '../../../src/base/deferred';
import { builtProgram } from './builtProgram';
import type { Wire } from './remoteServer';

const program = builtProgram('serverProgram');

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ServerProcess {
  readonly url: string;
  /** Of all processes that were started, in order. */
  readonly requests: readonly SeenRequest[];
  /** How many connections were begun. */
  readonly connections: number;
  /** Ends it without a word. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  again(): Promise<void>;
}

/** @param behaves the options of `programAgent.mjs` */
export async function serverProcess(
  t: TestContext,
  wire: Wire,
  behaves: object = {},
): Promise<ServerProcess> {
  const requests: SeenRequest[] = [];
  let running: ChildProcess;
  const start = async (port: string): Promise<string> => {
    const listening = new Deferred<string>();
    running = spawn(process.execPath, [program, wire, port], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PROGRAM: JSON.stringify(behaves) },
    });
    if (running.stdout) {
      createInterface({ input: running.stdout }).on('line', line => {
        const said = JSON.parse(line) as SeenRequest;
        if ('method' in said) requests.push(said);
        else listening.resolve((said as { url: string }).url);
      });
    }
    void once(running, 'exit').then(([code]) =>
      listening.reject(new Error(`The server ended: ${code}`)),
    );
    return listening.promise;
  };
  const kill = async (): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };
  const url = await start('0');
  t.after(kill);
  return {
    url,
    requests,
    get connections() {
      return requests.filter(({ headers }) => headers['acp-connection-id'] === undefined).length;
    },
    kill,
    async again() {
      await start(new URL(url).port);
    },
  };
}
