/**
 * The one door to what agents do otherwise than the schema: what comes in leaves this file in the schema's
 * shape, and what goes out is put into the agent's. Nothing behind it knows of this folder.
 */
import { isObject } from '../schema/guards/primitives';
import { AgentMethod, ClientMethod, FORK_SESSION_METHOD } from '../schema/methods';
import type * as schema from '../schema/schema';
import { initializeResult, isEarlyInitialize, openedSession, promptResult } from './answers';
import { asToolCall } from './calls';
import { earlyAuthentication, earlyPrompt, earlySession } from './earlyRequests';
import { familyOf, STANDARD, type Family } from './families';
import { PermissionReader } from './permissions';
import { SessionIds, withGivenId } from './sessionIds';
import { asCamelCase } from './snakeCase';
import { asCreateTerminal, earlyExit, earlyOutput, isEarlyTerminal } from './terminals';
import { readNotification, withSchemaFields } from './updates';
import type { AnsweredRequest, IncomingRequest } from './incomingRequest';
import { VendorQuestions } from './vendorQuestions';
import { initialized, isVersion2 } from '../v2/answers';
import { Version2, type Call } from '../v2/version2';

/** How one agent speaks: known by its messages' shapes, and by what it says of itself. */
export class Compatibility {
  private readonly ids = new SessionIds();
  private readonly permissions = new PermissionReader();
  private readonly questions = new VendorQuestions();
  private family: Family = STANDARD;
  /** The agent has answered that it speaks v2. */
  private version2: Version2 | undefined;
  /** The agent has said something that only the early draft of the protocol has. */
  private early = false;

  /** Whether `$/cancel_request` may be sent. */
  get cancelRequests(): boolean {
    return this.family.cancelRequests;
  }

  /** Whether a conversation is replayed after the answer to `session/load`. */
  get replaysAfterAnswer(): boolean {
    return this.family.replaysAfterAnswer;
  }

  /** What `fs/read_text_file` answers for a missing file. */
  get missingFileAnswer(): 'error' | 'empty' {
    return this.family.missingFileAnswer;
  }

  /** Parameters or a result, with the schema's names and ids that are texts. */
  read(value: unknown): unknown {
    return this.ids.read(asCamelCase(value));
  }

  /** Parameters, with the ids that the agent gave. */
  write(params: object): object {
    return withGivenId(params);
  }

  /** The parameters of the agent's `session/update` notifications that a notification is; undefined for none. */
  updates(method: string, params: unknown): readonly unknown[] | undefined {
    if (this.version2 && method === ClientMethod.sessionUpdate) {
      return [this.version2.update(params)];
    }
    if (method !== ClientMethod.sessionUpdate) {
      const asked = this.questions.read(method, params);
      return asked && 'answered' in asked ? asked.updates.map(withSchemaFields) : undefined;
    }
    const read = readNotification(params);
    if (read.early) this.early = true;
    return read.notifications;
  }

  /** An update that was read: it may mean something else than it says, or nothing to the user (undefined). */
  meant(notification: schema.SessionNotification): schema.SessionNotification | undefined {
    this.questions.heard(notification);
    const update = this.family.readUpdate(notification.update);
    if (update === undefined) return undefined;
    return update === notification.update ? notification : { ...notification, update };
  }

  /** A request of the agent. Methods and parameters that nobody knows come back as they are. */
  request(method: string, params: unknown): IncomingRequest | AnsweredRequest {
    if (this.version2) return { method, params: this.version2.request(method, params) };
    const read = this.readRequest(method, params);
    return read.updates ? { ...read, updates: read.updates.map(withSchemaFields) } : read;
  }

  /** What the agent answered to `method`. @throws RequestError for an end of a turn that says it failed */
  result(method: string, result: unknown): unknown {
    if (this.version2) return this.version2.result(method, result);
    switch (method) {
      case AgentMethod.initialize:
        if (isVersion2(result)) {
          this.version2 = new Version2();
          return initialized(result);
        }
        if (isEarlyInitialize(result)) this.early = true;
        return initializeResult(result);
      case AgentMethod.newSession:
      case AgentMethod.loadSession:
      case AgentMethod.resumeSession:
      case FORK_SESSION_METHOD:
        return openedSession(result);
      case AgentMethod.prompt:
        return promptResult(result);
      default:
        return result;
    }
  }

  /** The agent has said who it is. */
  initialized(response: schema.InitializeResponse): void {
    this.family = familyOf(response);
  }

  /** What the client asks of the agent. */
  call(method: string, params: object): Call {
    return this.version2?.call(method, params) ?? { method, params: this.params(method, params) };
  }

  private params(method: string, params: object): object {
    if (!this.early) return params;
    switch (method) {
      case AgentMethod.prompt:
        return earlyPrompt(params as schema.PromptRequest);
      case AgentMethod.authenticate:
        return earlyAuthentication(params as schema.AuthenticateRequest);
      case AgentMethod.newSession:
      case AgentMethod.loadSession:
      case AgentMethod.resumeSession:
      case FORK_SESSION_METHOD:
        return earlySession(params);
      default:
        return params;
    }
  }

  private readRequest(method: string, params: unknown): IncomingRequest | AnsweredRequest {
    switch (method) {
      case ClientMethod.requestPermission:
        return this.permission(params);
      case ClientMethod.createTerminal:
        if (isEarlyTerminal(params)) this.early = true;
        return { method, params: asCreateTerminal(params) };
      case ClientMethod.terminalOutput:
        return { method, params, ...(this.early && { answer: earlyOutput }) };
      case ClientMethod.waitForTerminalExit:
        return { method, params, ...(this.early && { answer: earlyExit }) };
      default:
        return this.questions.read(method, params) ?? { method, params };
    }
  }

  private permission(params: unknown): IncomingRequest | AnsweredRequest {
    const question = this.questions.readPermission(params);
    if (question) return question;
    const { params: read, answer, early } = this.permissions.read(params);
    if (early) this.early = true;
    const method = ClientMethod.requestPermission;
    return { method, params: withToolCall(read), ...(answer && { answer }) };
  }
}

function withToolCall(params: unknown): unknown {
  if (!isObject(params)) return params;
  const { toolCall } = params;
  const read = asToolCall(toolCall);
  return read === toolCall ? params : { ...params, toolCall: read };
}
