import { ErrorCode, RequestError } from '../../acp/rpc/errors';
import type * as schema from '../../acp/schema/schema';
import type { Disposable } from '../../base/lifecycle';
import type {
  AgentTracking,
  Environment,
  PermissionLog,
  PermissionRules,
  ProposalEdits,
  QuestionTools,
  SessionClient,
  TerminalMirror,
  Terminals,
  TextFiles,
} from '../ports';
import type { OpenSession, SessionPlace } from '../lifecycle/openSession';
import { SlowedAgent } from '../turns/slowedAgent';
import type { SessionStore } from '../state/store';
import { ContentsOfReplay, type Contents } from '../translate/contents';
import { Translator } from '../translate/translate';
import { stateUpdateOf } from '../translate/v2Updates';
import { isAboutSession } from '../translate/updateTable';
import { UpdateCoalescer } from '../turns/updateCoalescer';
import { PendingElicitations } from './pendingElicitations';
import { DiffPlaces } from './diffPlaces';
import { FileLimits } from './fileLimits';
import type { FileLimitSettings } from './fileLimits';
import { FirstAsked } from './firstAsked';
import { OwnRequests } from './ownRequests';
import { PendingPermissions } from './pendingPermissions';
import { RequestRules } from './requestRules';
import { FileRequests } from './fileRequests';
import type { ProposedEdits } from './proposedEdits';
import { SessionTerminals } from './sessionTerminals';

export interface ClientRequestHandlerParts {
  readonly agentName: string;
  readonly store: SessionStore;
  readonly contents: Contents;
  readonly environment: Environment;
  readonly place: SessionPlace;
  readonly files: TextFiles;
  readonly terminals: Terminals;
  readonly mirror: TerminalMirror;
  readonly questions: QuestionTools;
  readonly proposals: ProposalEdits;
  readonly tracking?: AgentTracking | undefined;
  readonly rules: PermissionRules;
  readonly permissionLog: PermissionLog;
  fileLimits(): FileLimitSettings;
  /** Whether each write of the agent waits for the user. */
  asksBeforeWriting(): boolean;
  session(): OpenSession | undefined;
  /** The agent has said what it does for the chat (v2). */
  stateChanged(update: schema.StateUpdate): void;
}

/** The side of a chat that its agent sees: what it may ask of it and report to it, and what became of that. */
export class ClientRequestHandler implements Disposable {
  readonly permissions: PendingPermissions;
  readonly elicitations: PendingElicitations;
  readonly terminals: SessionTerminals;
  private readonly client: SessionClient;
  private readonly files: FileRequests;
  private readonly first: FirstAsked;
  private readonly places: DiffPlaces;

  constructor(private readonly parts: ClientRequestHandlerParts) {
    const { store, contents, environment, files, proposals, tracking } = parts;
    const translator = new Translator(contents, environment);
    // Read again for each request: folders are opened and closed while a chat goes on.
    const scope = parts.place;
    const rules = new RequestRules({
      rules: parts.rules,
      contents,
      scope,
      realPath: path => files.realPath(path),
    });
    const { permissionLog: log } = parts;
    this.permissions = new PendingPermissions({
      ...{ store, translator, contents, environment, rules, log },
    });
    const requests = new OwnRequests({
      ...{ store, translator, permissions: this.permissions, environment },
    });
    this.first = new FirstAsked({
      ...{ store, contents, permissions: this.permissions, requests, rules },
    });
    this.elicitations = new PendingElicitations(store, environment, parts.questions);
    this.terminals = new SessionTerminals(store, parts.terminals, parts.mirror, environment);
    this.files = new FileRequests({
      store,
      translator,
      contents,
      permissions: this.permissions,
      files,
      scope,
      limits: new FileLimits(() => parts.fileLimits(), environment),
      environment,
      proposals,
      tracking,
      requests,
      first: this.first,
      rules,
      asksBeforeWriting: path => parts.asksBeforeWriting() || !rules.isFileFree('edit', path),
    });
    this.places = new DiffPlaces({ store, contents, read: path => this.files.textOf(path) });
    this.client = this.clientOf(parts, translator);
  }

  /**
   * What the agent may ask of the chat, and report to it.
   * @param replay gets the replayed conversation instead of the chat
   */
  clientFor(replay?: SessionStore): SessionClient {
    const { client } = this;
    if (!replay) return client;
    const { environment } = this.parts;
    const contents = new ContentsOfReplay(this.parts.contents);
    const coalescer = new UpdateCoalescer(
      replay,
      new Translator(contents, environment),
      environment,
    );
    return {
      ...client,
      update: (update, sessionId) =>
        isAboutSession(update)
          ? client.update(update, sessionId)
          : coalescer.take(update, sessionId),
    };
  }

  get proposed(): ProposedEdits {
    return this.files.proposed;
  }

  /** Resolves when what the agent has begun to write is written, or has failed: what would ask for it does. */
  written(): Promise<void> {
    return this.permissions.cancelAllUntil(this.files.written());
  }

  /** Answers whatever waits for the user, as ACP asks after a cancel. */
  cancelRequests(): void {
    this.permissions.cancelAll();
    this.elicitations.cancelAll();
  }

  dispose(): void {
    this.cancelRequests();
    this.proposed.dispose();
    this.first.dispose();
    this.places.dispose();
    this.terminals.dispose();
  }

  private clientOf(parts: ClientRequestHandlerParts, translator: Translator): SessionClient {
    const { permissions, elicitations, terminals, files, first } = this;
    const { store, environment, place } = parts;
    const slowed = new SlowedAgent(parts.agentName, store, translator);
    const coalescer = new UpdateCoalescer(store, translator, environment);
    return {
      update: (update, sessionId) => {
        coalescer.take(update, sessionId);
        const work = stateUpdateOf(update);
        // What a subagent does is its own.
        if (!work || sessionId !== store.state.sessionId) return;
        coalescer.flush();
        parts.stateChanged(work);
      },
      slowed: updatesPerMinute => {
        coalescer.flush();
        slowed.add(updatesPerMinute);
      },
      requestPermission: (params, signal) => permissions.request(params, signal),
      createElicitation: (params, signal) => elicitations.request(params, signal),
      completeElicitation: params => {
        coalescer.flush();
        elicitations.complete(params);
      },
      readTextFile: (params, signal) => {
        const link = parts.session()?.link;
        return files.read(params, link?.missingFileAnswer ?? 'error', signal);
      },
      writeTextFile: (params, signal) => files.write(params, signal),
      createTerminal: (params, signal) => {
        if (
          params.cwd &&
          !params.cwd.startsWith('/') &&
          !/^[A-Za-z]:[\\/]|^\\\\/.test(params.cwd)
        ) {
          const message = `cwd must be an absolute path: ${params.cwd}`;
          return Promise.reject(new RequestError(ErrorCode.invalidParams, message));
        }
        const { cwd } = place;
        return first.run(params, cwd, signal, () => terminals.create(params, cwd));
      },
      terminalOutput: async ({ terminalId }) => terminals.output(terminalId),
      waitForTerminalExit: ({ terminalId }, signal) => terminals.waitForExit(terminalId, signal),
      killTerminal: async ({ terminalId }) => {
        await terminals.kill(terminalId);
        return {};
      },
      releaseTerminal: async ({ terminalId }) => {
        await terminals.release(terminalId);
        return {};
      },
    };
  }
}
