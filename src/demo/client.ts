/** What the agent asks of the client, within what the client said it can do. */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type * as schema from '../acp/schema/schema';
import { ErrorCode, RpcError, type Peer } from './peer';

export class Client {
  constructor(
    private readonly peer: Peer,
    private readonly sessionId: string,
    readonly capabilities: schema.ClientCapabilities,
    private readonly signal: AbortSignal,
  ) {}

  update(update: schema.SessionUpdate): void {
    this.peer.notify('session/update', { sessionId: this.sessionId, update });
  }

  /** @throws RpcError when there is no such file or the client refuses. */
  async readTextFile(file: string): Promise<string> {
    if (!this.capabilities.fs?.readTextFile) return await readFromDisk(file);
    const params = { sessionId: this.sessionId, path: file };
    const response = await this.peer.request<schema.ReadTextFileResponse>(
      'fs/read_text_file',
      params,
      this.signal,
    );
    return response.content;
  }

  /** @throws RpcError when the client refuses. Not cancellable: a write is done or not done. */
  async writeTextFile(file: string, content: string): Promise<void> {
    if (!this.capabilities.fs?.writeTextFile) {
      await fs.mkdir(path.dirname(file), { recursive: true });
      await fs.writeFile(file, content);
      return;
    }
    await this.peer.request('fs/write_text_file', {
      sessionId: this.sessionId,
      path: file,
      content,
    });
  }

  async requestPermission(
    toolCall: schema.ToolCallUpdate,
    options: schema.PermissionOption[],
  ): Promise<schema.RequestPermissionOutcome> {
    const response = await this.peer.request<schema.RequestPermissionResponse>(
      'session/request_permission',
      { sessionId: this.sessionId, toolCall, options },
      this.signal,
    );
    return response.outcome;
  }

  /** Not cancellable: a terminal whose id is not known could not be released. */
  async createTerminal(request: Omit<schema.CreateTerminalRequest, 'sessionId'>): Promise<string> {
    const params = { sessionId: this.sessionId, ...request };
    const response = await this.peer.request<schema.CreateTerminalResponse>(
      'terminal/create',
      params,
    );
    return response.terminalId;
  }

  async waitForExit(terminalId: string): Promise<schema.WaitForTerminalExitResponse> {
    const params = { sessionId: this.sessionId, terminalId };
    return await this.peer.request('terminal/wait_for_exit', params, this.signal);
  }

  async terminalOutput(terminalId: string): Promise<schema.TerminalOutputResponse> {
    return await this.peer.request('terminal/output', { sessionId: this.sessionId, terminalId });
  }

  async killTerminal(terminalId: string): Promise<void> {
    await this.peer.request('terminal/kill', { sessionId: this.sessionId, terminalId });
  }

  async releaseTerminal(terminalId: string): Promise<void> {
    await this.peer.request('terminal/release', { sessionId: this.sessionId, terminalId });
  }
}

/** For clients without file access: the agent runs on the same machine. */
async function readFromDisk(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch {
    throw new RpcError(ErrorCode.notFound, `There is no file ${path.basename(file)}`);
  }
}
