import type * as schema from '../../acp/schema/schema';
import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import type { FileLimits } from './fileLimits';
import type { ProposedEdits } from './proposedEdits';
import {
  FileError,
  type AgentLink,
  type FileErrorReason,
  type FileScope,
  type TextFiles,
} from '../ports';

/** ACP's `fs/*` on the editor's files, within the session's directories. */
export class SessionFiles {
  private readonly writes = new Set<Promise<unknown>>();

  constructor(
    private readonly files: TextFiles,
    private readonly scope: FileScope,
    private readonly proposed: ProposedEdits,
    private readonly limits: Pick<FileLimits, 'admitRead' | 'admitWrite'>,
  ) {}

  async read(
    params: schema.ReadTextFileRequest,
    missingFileAnswer: AgentLink['missingFileAnswer'],
  ): Promise<schema.ReadTextFileResponse> {
    const { path, line, limit } = params;
    try {
      this.limits.admitRead();
      const range = {
        ...(typeof line === 'number' && { line }),
        ...(typeof limit === 'number' && { limit }),
      };
      return { content: await this.files.read(path, range, this.scope) };
    } catch (error) {
      const missing = error instanceof FileError && error.reason === 'notFound';
      // Some agents read a file before they create it, and give up on an error.
      if (missing && missingFileAnswer === 'empty') return { content: '' };
      throw toRequestError(error);
    }
  }

  write(
    params: schema.WriteTextFileRequest,
    signal: AbortSignal,
  ): Promise<schema.WriteTextFileResponse> {
    const write = this.writeNow(params, signal);
    this.writes.add(write);
    return write.finally(() => this.writes.delete(write));
  }

  /** Resolves when the writes that have begun are done, well or not. */
  async written(): Promise<void> {
    await Promise.allSettled(this.writes);
  }

  private async writeNow(
    params: schema.WriteTextFileRequest,
    signal: AbortSignal,
  ): Promise<schema.WriteTextFileResponse> {
    try {
      this.limits.admitWrite(params.content);
      await this.proposed.write(params.path, params.content, signal);
      return {};
    } catch (error) {
      throw toRequestError(error);
    }
  }
}

const CODES: { readonly [R in FileErrorReason]: number } = {
  relativePath: ErrorCode.invalidParams,
  outsideWorkspace: ErrorCode.invalidParams,
  ownedByGit: ErrorCode.invalidParams,
  notFound: ErrorCode.resourceNotFound,
  isDirectory: ErrorCode.invalidParams,
  notText: ErrorCode.invalidParams,
  tooLarge: ErrorCode.invalidParams,
  readOnly: ErrorCode.invalidParams,
  changedOnDisk: ErrorCode.internal,
  tooMany: ErrorCode.internal,
  timedOut: ErrorCode.internal,
  failed: ErrorCode.internal,
};

function toRequestError(error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  return new RequestError(CODES[error.reason], error.message);
}
