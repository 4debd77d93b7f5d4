/** What a chat has instead of the machine while it plays a recording: nothing is read, written, run or opened. */
import { Emitter } from '../../../base/event';
import { Deferred } from '../../../base/deferred';
import type { ChatServices } from '../../../session/chats';
import { NO_RULES } from '../../../session/rules/rule';
import type { TerminalOutput, TerminalProcess, TerminalRequest } from '../../../session/ports';
import type { TerminalExit } from '../../../session/state/state';
import { ClientMethod } from '../../../acp/schema/methods';
import { formatCommandLine } from '../../process/commandLine';
import type { Run } from '../../traffic/lastRun';
import { field, textField, type JsonObject } from '../../traffic/recording';
import type { Playback } from './playback';

export function recordedWorld(
  run: Run,
  playback: Pick<Playback, 'onDidAwait'>,
): Partial<ChatServices> {
  const { cwd, additionalDirectories } = run.opening;
  const roots = [cwd, ...additionalDirectories];
  const open: RecordedTerminal[] = [];
  playback.onDidAwait(({ request, message }) => {
    if (request) for (const terminal of open) terminal.learn(request, message);
  });
  return {
    files: {
      realPath: path => path,
      read: path => Promise.resolve({ text: textRead(run, path), edits: 0 }),
      write: (_path, text) => Promise.resolve({ text, edits: 0 }),
    },
    terminals: {
      create(request) {
        const terminal = new RecordedTerminal(request);
        open.push(terminal);
        return Promise.resolve(terminal);
      },
    },
    mirror: { attach: () => ({ dispose: () => undefined }), reveal: () => undefined },
    attachments: { resolve: () => Promise.resolve([]) },
    questions: {
      openPage: () => Promise.resolve(true),
      hostInLetters: host => host,
      matches: () => true,
    },
    settings: { newSessionSeconds: () => 3_600, mcpServers: () => Promise.resolve([]) },
    defaults: { of: () => [], remember: () => undefined },
    rules: { current: NO_RULES, onDidChange: () => ({ dispose: () => undefined }) },
    permissionLog: { record: () => undefined },
    proposals: { edited: () => [] },
    asksBeforeWriting: () => false,
    mayPrompt: () => true,
    tracking: {
      promptReady: () => Promise.resolve(),
      record: (_turn, _path, write) => write(),
    },
    place: () => ({ cwd, additionalDirectories, roots }),
  };
}

/** What the agent was answered when it read that file whole. */
function textRead({ messages }: Run, path: string): string {
  const ask = messages.find(
    ({ from, message }) =>
      from === 'agent' &&
      message['method'] === ClientMethod.readTextFile &&
      textField(message, 'params', 'path') === path,
  );
  const answer = messages.find(
    ({ from, message }) =>
      ask &&
      from === 'client' &&
      message['method'] === undefined &&
      message['id'] === ask.message['id'],
  );
  return (answer && textField(answer.message, 'result', 'content')) ?? '';
}

/** A command that says what it said in the recording, as far as the agent has asked for it. */
class RecordedTerminal implements TerminalProcess {
  readonly commandLine: string;
  private readonly printed = new Emitter<TerminalOutput>();
  readonly onOutput = this.printed.event;
  private readonly ended = new Deferred<TerminalExit>();
  readonly exited = this.ended.promise;
  private output = '';
  private exit: TerminalExit | undefined;
  private id: string | undefined;

  constructor({ command, args }: TerminalRequest) {
    this.commandLine = formatCommandLine(command, args);
  }

  snapshot() {
    const { output, exit } = this;
    return { output, truncated: false, ...(exit && { exit }) };
  }

  kill(): Promise<void> {
    this.finish({ exitCode: null, signal: 'SIGTERM' });
    return Promise.resolve();
  }

  dispose(): void {
    void this.kill();
    this.printed.dispose();
  }

  /** @param answer what the client answered to `request` in the recording */
  learn(request: JsonObject, answer: JsonObject): void {
    const made = request['method'] === ClientMethod.createTerminal;
    if (made) this.id ??= textField(answer, 'result', 'terminalId');
    if (this.id === undefined || textField(request, 'params', 'terminalId') !== this.id) return;
    if (request['method'] === ClientMethod.terminalOutput) {
      const output = textField(answer, 'result', 'output') ?? '';
      if (output.length > this.output.length) this.print(output);
      this.finish(exitOf(field(answer, 'result', 'exitStatus')));
    } else if (request['method'] === ClientMethod.waitForTerminalExit) {
      this.finish(exitOf(field(answer, 'result')));
    } else if (request['method'] === ClientMethod.killTerminal) {
      void this.kill();
    }
  }

  private print(output: string): void {
    const added = output.startsWith(this.output) ? output.slice(this.output.length) : output;
    this.output = output;
    this.printed.fire({ data: added });
  }

  private finish(exit: TerminalExit | undefined): void {
    if (!exit || this.exit) return;
    this.exit = exit;
    this.ended.resolve(exit);
  }
}

function exitOf(value: ReturnType<typeof field>): TerminalExit | undefined {
  const exitCode = field(value, 'exitCode');
  const signal = field(value, 'signal');
  const code = typeof exitCode === 'number' ? exitCode : null;
  const name = typeof signal === 'string' ? signal : null;
  return code === null && name === null ? undefined : { exitCode: code, signal: name };
}
