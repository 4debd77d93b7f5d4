import { AgentMethod, ClientMethod, SET_MODEL_METHOD } from '../../../acp/schema/methods';
import { DisposableStore, type Disposable } from '../../../base/lifecycle';
import type { Chat } from '../../../session/chats';
import { unopened } from '../../../session/state/permission';
import type { ConfigOption } from '../../../session/state/config';
import type { Attachment } from '../../../session/state/state';
import { field, textField, type Json, type JsonObject } from '../../traffic/recording';
import type { Awaited, Playback } from './playback';

/** Requests that Parley makes itself have a call of this kind. */
const OWN_CALL = /^parley-/;

/** Does in a chat what the user did in the recording, when the playback comes to it. */
export class RecordedUser implements Disposable {
  private readonly disposables = new DisposableStore();
  private awaited: Awaited | undefined;

  constructor(
    private readonly chat: Chat,
    playback: Pick<Playback, 'onDidAwait'>,
  ) {
    this.disposables.add(
      playback.onDidAwait(awaited => {
        this.awaited = awaited;
        if (awaited.request) this.answer();
        else if (!this.act(awaited)) awaited.skip();
      }),
    );
    // What is asked is shown a moment after it was received.
    this.disposables.add(chat.store.onDidApply(() => queueMicrotask(() => this.answer())));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** @returns false when it cannot be done */
  private act({ message }: Awaited): boolean {
    const { controller, store } = this.chat;
    const { activeTurn, cancelling, connection, sessionId } = store.state;
    const params = field(message, 'params');
    const session = textField(params, 'sessionId');
    if (session !== undefined && sessionId !== undefined && session !== sessionId) return false;
    switch (message['method']) {
      case AgentMethod.newSession:
      case AgentMethod.loadSession:
      case AgentMethod.resumeSession:
        if (connection.kind === 'failed') void controller.retry();
        return connection.kind === 'failed' || connection.kind === 'starting';
      case AgentMethod.prompt:
        return !activeTurn && this.prompt(field(params, 'prompt'));
      case AgentMethod.cancel:
        controller.stop();
        return activeTurn !== undefined && !cancelling;
      case AgentMethod.authenticate:
        if (connection.kind !== 'signIn') return false;
        void controller.signIn(textField(params, 'methodId') ?? '');
        return true;
      case AgentMethod.setMode:
        return this.setConfig(({ source }) => source === 'mode', field(params, 'modeId'));
      case SET_MODEL_METHOD:
        return this.setConfig(({ source }) => source === 'model', field(params, 'modelId'));
      case AgentMethod.setConfigOption: {
        const id = field(params, 'configId');
        return this.setConfig(option => option.id === id, field(params, 'value'));
      }
      default:
        return true;
    }
  }

  private prompt(blocks: Json | undefined): boolean {
    const { controller } = this.chat;
    const list = Array.isArray(blocks) ? (blocks as readonly Json[]) : [];
    const texts = list.flatMap(block => textField(block, 'text') ?? []);
    for (const [index, block] of list.entries()) {
      const attachment = attachmentOf(block, `recorded-${index}`);
      if (attachment) controller.attach(attachment);
    }
    const { queue, turns } = this.chat.store.state;
    controller.send(texts.join('\n'));
    const after = this.chat.store.state;
    return (
      after.activeTurn !== undefined || after.queue.length > queue.length || after.turns !== turns
    );
  }

  private setConfig(isIt: (option: ConfigOption) => boolean, value: Json | undefined): boolean {
    const option = this.chat.store.state.configOptions.find(isIt);
    if (!option || option.value === value) return false;
    if (typeof value !== 'string' && typeof value !== 'boolean') return false;
    void this.chat.controller.setConfig(option.id, value);
    return true;
  }

  /** Answers what is asked as it was answered, once it is shown. */
  private answer(): void {
    const { awaited } = this;
    if (!awaited?.request) return;
    const { request, message, isStop } = awaited;
    if (isStop) {
      this.awaited = undefined;
      this.chat.controller.stop();
      return;
    }
    switch (request['method']) {
      case ClientMethod.requestPermission:
        return this.answerPermission(request, textField(message, 'result', 'outcome', 'optionId'));
      case ClientMethod.createElicitation:
        return this.answerQuestion(message);
      default:
        // Parley itself has asked, which the agent does not see.
        return this.answerOwn(message['error'] === undefined ? 'allow' : 'reject');
    }
  }

  private answerPermission(request: JsonObject, optionId: string | undefined): void {
    const { state } = this.chat.store;
    const toolCallId = textField(request, 'params', 'toolCall', 'toolCallId');
    const shown =
      state.permissions.find(other => other.toolCallId === toolCallId) ?? state.permissions.at(-1);
    if (!shown || optionId === undefined) return;
    this.awaited = undefined;
    this.choose(shown.id, optionId);
  }

  private answerOwn(optionId: 'allow' | 'reject'): void {
    const own = this.chat.store.state.permissions.find(({ toolCallId }) =>
      OWN_CALL.test(toolCallId),
    );
    if (own) this.choose(own.id, optionId);
  }

  private choose(requestId: string, optionId: string): void {
    const { store, controller } = this.chat;
    const find = () => store.state.permissions.find(({ id }) => id === requestId);
    const changed = find();
    if (!changed) return;
    if (changed.changed) controller.reviewPermission(requestId, changed.revision);
    controller.openedContents(unopened(find() ?? changed));
    const { options, revision } = find() ?? changed;
    const option = options.findIndex(other => other.optionId === optionId);
    controller.answerPermission({ requestId, revision, option });
  }

  private answerQuestion(message: JsonObject): void {
    const question = this.chat.store.state.elicitations.at(-1);
    const action = textField(message, 'result', 'action');
    if (!question || action === undefined) return;
    this.awaited = undefined;
    const content = field(message, 'result', 'content');
    const values = content === undefined ? undefined : JSON.stringify(content);
    void this.chat.controller.answerElicitation(question.id, action, values);
  }
}

/** What was attached to a prompt, by its name alone. */
function attachmentOf(block: Json, id: string): Attachment | undefined {
  const uri = textField(block, 'uri') ?? textField(block, 'resource', 'uri');
  const type = textField(block, 'type');
  if (type === 'image') return { id, kind: 'image', label: 'image', title: 'image' };
  if (uri === undefined) return undefined;
  const name = textField(block, 'name') ?? decoded(uri.split('/').at(-1) ?? uri);
  return { id, kind: 'file', label: name, title: uri };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
