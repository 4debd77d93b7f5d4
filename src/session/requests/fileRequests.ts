import { isOwnedByGit } from '../../base/fileNames';
import type * as schema from '../../acp/schema/schema';
import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import {
  FileError,
  ownedByGit,
  type AgentLink,
  type AgentTracking,
  type FileErrorReason,
  type FileScope,
  type KnownText,
  type TextFiles,
} from '../ports';
import type { SessionStore } from '../state/store';
import type { FileLimits } from './fileLimits';
import type { FirstAsked } from './firstAsked';
import { KnownTexts } from './knownTexts';
import { linesOf } from './linesOf';
import { ProposedEdits, type ProposedEditsParts } from './proposedEdits';
import type { NamedFile, RequestRules } from './requestRules';

export interface FileRequestsParts extends Omit<ProposedEditsParts, 'files'> {
  readonly store: SessionStore;
  readonly files: TextFiles;
  /** Where the session may read and write. */
  readonly scope: FileScope;
  readonly limits: Pick<FileLimits, 'admitRead' | 'admitWrite' | 'read' | 'write'>;
  readonly first: Pick<FirstAsked, 'read'>;
  readonly rules: Pick<RequestRules, 'namedFile'>;
  readonly tracking: AgentTracking | undefined;
}

/**
 * ACP's `fs/read_text_file` and `fs/write_text_file` for the agent of one chat, step by step. Where a path
 * leads and what a file is, unsaved text included, is the business of `TextFiles`.
 */
export class FileRequests {
  readonly proposed: ProposedEdits;
  private readonly known = new KnownTexts();
  private readonly writes = new Set<Promise<unknown>>();

  constructor(private readonly parts: FileRequestsParts) {
    this.proposed = new ProposedEdits({
      ...parts,
      files: {
        read: path => this.textOf(path),
        write: async (path, content) => {
          await this.writeNow(this.fileShown(path), content);
        },
      },
    });
  }

  /**
   * The text of a file that a call or a request shows.
   * @param path absolute
   * @throws FileError as `TextFiles`
   */
  async textOf(path: string): Promise<string> {
    return (await this.readNow(this.fileShown(path))).text;
  }

  async read(
    { path: given, line, limit }: schema.ReadTextFileRequest,
    missingFileAnswer: AgentLink['missingFileAnswer'],
    signal: AbortSignal,
  ): Promise<schema.ReadTextFileResponse> {
    try {
      const { limits, first } = this.parts;
      limits.admitRead();
      const file = this.fileAt(given);
      const known = await first.read(file.path, signal, () => this.readNow(file));
      this.known.set(file.path, known);
      return { content: linesOf(known.text, line, limit) };
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
    const write = this.writeAllowed(params, signal);
    this.writes.add(write);
    return write.finally(() => this.writes.delete(write));
  }

  /** Resolves when the writes that have begun are done, well or not. */
  async written(): Promise<void> {
    await Promise.allSettled(this.writes);
  }

  private async writeAllowed(
    { path: given, content }: schema.WriteTextFileRequest,
    signal: AbortSignal,
  ): Promise<schema.WriteTextFileResponse> {
    try {
      // 1. Within the user's limits, and nothing that is refused in any case.
      this.parts.limits.admitWrite(content);
      const file = this.fileAt(given);
      const { path } = file;
      if (isOwnedByGit(given) || isOwnedByGit(path)) throw ownedByGit(given);
      // 2. As the user allows it, who may be asked first and may have changed it.
      const approval = await this.proposed.approve(path, content, signal);
      try {
        // 3. On top of what the agent knows, so that what the user has edited meanwhile stays.
        const basis = this.known.basis(path, content);
        const known = await this.writeNow(file, approval.content, basis);
        // The user's changes to the edit are nothing that the agent knows of yet.
        const isOwn = approval.content === content;
        this.known.set(path, isOwn ? known : { ...known, text: content, edits: -1 });
      } catch (error) {
        this.known.failed(path, content, error);
        approval.failed();
        throw error;
      }
      await approval.written();
      return {};
    } catch (error) {
      throw toRequestError(error);
    }
  }

  /** @throws FileError `relativePath` */
  private fileAt(given: string): NamedFile {
    if (!/^[\\/]|^[A-Za-z]:[\\/]/.test(given)) {
      throw new FileError('relativePath', `The path must be absolute: ${given}`);
    }
    return this.parts.rules.namedFile(given);
  }

  /** A file of a request that was shown: outside the workspace only if that is what was shown. */
  private fileShown(path: string): NamedFile {
    const named = this.parts.rules.namedFile(path);
    return { path, isOutside: named.isOutside && named.path === path };
  }

  /** Of a file outside that very one, which was asked about; a folder that is closed by now is another matter. */
  private scopeOf({ path, isOutside }: NamedFile): FileScope {
    const { roots } = this.parts.scope;
    return isOutside ? { roots, allowedFile: path } : { roots };
  }

  private readNow(file: NamedFile): Promise<KnownText> {
    const { files, limits } = this.parts;
    return limits.read(file.path, files.read(file.path, this.scopeOf(file)));
  }

  /** Recorded as the work of the agent's turn, within the time that the user allows. */
  private writeNow(file: NamedFile, content: string, known?: KnownText): Promise<KnownText> {
    const { path } = file;
    const { files, limits, store, tracking } = this.parts;
    const write = () => limits.write(path, files.write(path, content, this.scopeOf(file), known));
    const { chatId, activeTurn, turns } = store.state;
    // Some agents still write when their turn has ended.
    const turnId = (activeTurn ?? turns.at(-1))?.id;
    if (!tracking || turnId === undefined) return write();
    return tracking.record({ chatId, turnId }, path, write);
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
  changedByUser: ErrorCode.internal,
  tooMany: ErrorCode.internal,
  timedOut: ErrorCode.internal,
  failed: ErrorCode.internal,
};

function toRequestError(error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  return new RequestError(CODES[error.reason], error.message);
}
