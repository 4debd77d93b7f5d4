import spawn from 'cross-spawn';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { PassThrough, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Env } from '../agents/process/environmentVariables';
import { TREE_SPAWN_OPTIONS } from '../agents/process/processTree';
import { createOutputPipe, type OutputPipe } from './outputPipe';
import type { SpawnedCommand } from './spawnedCommand';
import type { TerminalCommand } from './terminalCommand';

/**
 * Starts a command whose output has both of its streams, in order as far as the system lets us.
 * @throws the spawn error.
 */
export async function spawnOnPipes(
  command: TerminalCommand,
  env: Env,
  cwd: string,
): Promise<SpawnedCommand> {
  const pipe = await createOutputPipe();
  const options: SpawnOptions = {
    ...TREE_SPAWN_OPTIONS,
    cwd,
    env: { ...env },
    // No input: a program that asks a question gets its end rather than waiting for ever.
    stdio: pipe
      ? ['ignore', pipe.childEnd, pipe.childEnd]
      : ['ignore', 'pipe', process.platform === 'win32' ? 'pipe' : 'ignore'],
  };
  const child = start(command, pipe, options);
  pipe?.closeChildEnd();
  return new Promise((resolve, reject) => {
    child.once('error', error => {
      pipe?.output.destroy();
      reject(error);
    });
    const { pid } = child;
    if (pid === undefined) return;
    resolve(spawned(child, pid, pipe?.output ?? merged(child)));
  });
}

function spawned(child: ChildProcess, pid: number, output: Readable): SpawnedCommand {
  output.on('error', () => undefined);
  return {
    pid,
    ended: new Promise(resolve => {
      child.on('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    }),
    closed: new Promise(resolve => {
      output.on('close', () => resolve());
    }),
    onData(listener) {
      const decoder = new StringDecoder('utf8');
      output.on('data', (bytes: Buffer) => listener(decoder.write(bytes)));
      output.on('end', () => listener(decoder.end()));
    },
    release: () => void output.destroy(),
  };
}

function start(
  command: TerminalCommand,
  pipe: OutputPipe | undefined,
  options: SpawnOptions,
): ChildProcess {
  if (command.kind === 'cmdLine') {
    return spawn(command.file, ['/d', '/s', '/c', `"${command.line}"`], {
      ...options,
      windowsVerbatimArguments: true,
    });
  }
  const { file, args } = command;
  if (pipe || process.platform === 'win32') return spawn(file, [...args], options);
  // A shell that joins the two streams and then becomes the command.
  return spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', file, ...args], options);
}

/** The streams of a child that has two (Windows), by time of arrival. */
function merged(child: ChildProcess): Readable {
  const streams = [child.stdout, child.stderr].filter(stream => stream !== null);
  const [only] = streams;
  if (only && streams.length === 1) return only;
  const output = new PassThrough();
  let open = streams.length;
  for (const stream of streams) {
    stream.pipe(output, { end: false });
    stream.on('close', () => {
      open -= 1;
      if (open === 0) output.end();
    });
  }
  return output;
}
