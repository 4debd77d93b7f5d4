/** What the agent's updates mean: ACP's `session/update` as actions. Soft: nothing here throws or is lost. */
import * as l10n from '@vscode/l10n';
import { toolNameOf } from './callNames';
import type { Change } from './edits/diffs';
import type * as schema from '../../acp/schema/schema';
import { diffView } from './edits/diffView';
import type { SessionAction } from '../state/actions';
import { AgentTerminals } from './agentTerminals';
import { callContent, unplacedTerminal } from './callContent';
import { compactionKey, compactionNotice, textOf } from './compactions';
import type { Contents } from './contents';
import { restText } from './contentText';
import { ContentViews, replayedAttachment } from './contentView';
import { actionsOf } from './updateTable';
import { hasNotice } from '../state/notices';
import { noticeOf } from '../notices';
import type { Environment } from '../ports';
import { ofItsTurn } from '../turns/updatesAfterTurn';
import type { Fields } from './namedPlans';
import { OwnTerminals } from './ownTerminals';
import { withChanges } from './edits/proposedChanges';
import { readDiffs } from './edits/readDiffs';
import {
  callIdOf,
  cancelsOf,
  parentCallOf,
  subagentActions,
  under,
  type Reported,
} from './subagents';
import { boundedCall, boundedPiece, cutFields, MAX_BLOCKS } from './updateBounds';
import { withKnownFolder } from './askedInput';
import { hasMessage } from '../state/selectors';
import type { SessionState, ToolContent, ToolStatus } from '../state/state';
import { callSpokenOf } from '../state/toolCalls';

type NoticeAdded = Extract<SessionAction, { type: 'noticeAdded' }>;

const STATUSES: { readonly [S in schema.ToolCallStatus | 'cancelled']: ToolStatus } = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
  // Of v2.
  cancelled: 'cancelled',
};

export class Translator {
  private readonly views: ContentViews;
  private readonly terminals = new AgentTerminals();
  private readonly ownTerminals = new OwnTerminals();

  constructor(
    private readonly contents: Contents,
    private readonly environment: Environment,
  ) {
    this.views = new ContentViews(contents);
  }

  /**
   * @param state the chat before the update.
   * @param sessionId where it came from: by default the chat's own session, or that of a subagent of it
   */
  translate(
    state: SessionState,
    update: schema.SessionUpdate,
    sessionId?: string,
  ): readonly SessionAction[] {
    const { environment } = this;
    const parent = parentCallOf(state, update._meta, sessionId);
    const reported =
      sessionId === undefined || sessionId === state.sessionId
        ? undefined
        : subagentActions(state, update, sessionId, environment);
    const actions =
      reported ?? actionsOf(update, state, this, environment, sessionId) ?? this.unknown(update);
    return parent === undefined
      ? actions.map(action => ofItsTurn(state, action))
      : actions.map(action => under(parent, action));
  }

  /**
   * A tool call as `tool_call`, `tool_call_update` or `request_permission` has it.
   * @param sessionId as for `translate`
   */
  toolCall(
    state: SessionState,
    sent: schema.ToolCall | schema.ToolCallUpdate,
    how: Reported,
    sessionId?: string,
  ): readonly SessionAction[] {
    const { now: at, partId, turnId } = this.place();
    const bounded = boundedCall(sent);
    const cut = cutFields(sent);
    const above = parentCallOf(state, bounded._meta, sessionId);
    const toolCallId = callIdOf(state, bounded.toolCallId, how, above, sessionId);
    const parent = above === toolCallId ? undefined : above;
    const announced = how !== 'changed';
    const known = callSpokenOf(state, toolCallId, announced, parent);
    const asked = how === 'asked' ? withKnownFolder(bounded, known) : bounded;
    const { call, more } = withChanges(asked, known, this.contents);
    // What its tool is called takes no title away that says more.
    const name = known?.title ? undefined : (nonEmpty(call.name) ?? toolNameOf(call));
    const title = nonEmpty(call.title) ?? name;
    const owner = known?.id ?? partId;
    const places = [call.locations ?? [], known?.locations ?? []];
    const items = callContent(call, known, this.contents);
    const before = items ? [] : (known?.content ?? []);
    const kind = call.kind ?? known?.toolKind;
    const added = readDiffs([...(items ?? []), ...more], kind, places);
    const content = items || more.length > 0 ? this.toolContents(before, added, owner) : undefined;
    const status = call.status ? STATUSES[call.status] : undefined;
    const isOver = status === 'completed' || status === 'failed' || status === 'cancelled';
    const unplaced = unplacedTerminal(call, known) !== undefined;
    return [
      ...this.terminals.actions(call, title, state, at, unplaced && isOver),
      {
        type: 'toolCallChanged',
        turnId,
        partId,
        toolCallId,
        announced,
        ...(parent !== undefined && { parentToolCallId: parent }),
        ...(title !== undefined && { title }),
        ...(call.kind && { toolKind: call.kind }),
        ...(status && { status }),
        ...(content && { content }),
        ...(call.locations && {
          locations: call.locations.map(({ path, line }) => ({
            path,
            ...(typeof line === 'number' && { line }),
          })),
        }),
        ...(isPresent(call.rawInput) && {
          rawInput: this.views.input(call.rawInput, `${owner}/input`, l10n.t('Input')),
        }),
        ...(isPresent(call.rawOutput) && {
          rawOutput: this.views.output(call.rawOutput, `${owner}/output`, l10n.t('Output')),
        }),
        ...(cut.length > 0 && { cut }),
        ...cancelsOf(call),
        at,
      },
    ];
  }

  /** Words as the content of a call. */
  words(text: string, ref: string): ToolContent {
    return this.toolContent({ type: 'content', content: { type: 'text', text } }, ref);
  }

  /** One more piece of the content of a call. */
  callPiece(
    state: SessionState,
    toolCallId: string,
    piece: schema.ToolCallContent,
    sessionId?: string,
  ): readonly SessionAction[] {
    const parent = parentCallOf(state, undefined, sessionId);
    const id = callIdOf(state, toolCallId, 'changed', parent, sessionId);
    const known = callSpokenOf(state, id, false, parent);
    const { now: at, partId, turnId } = this.place();
    const owner = known?.id ?? partId;
    const items = readDiffs([piece], known?.toolKind, [known?.locations ?? []]);
    const content = this.toolContents(known?.content ?? [], items, owner);
    return [
      { type: 'toolCallChanged', turnId, partId, toolCallId: id, announced: false, content, at },
    ];
  }

  /** A message sent whole, in place of the pieces so far. */
  message(
    state: SessionState,
    stream: 'user' | 'text' | 'thought',
    messageId: string,
    blocks: readonly schema.ContentBlock[],
  ): readonly SessionAction[] {
    const text = blocks.map(block => (block.type === 'text' ? block.text : '')).join('');
    const { now: at, partId, turnId } = this.place();
    const isKnown = hasMessage(state, messageId);
    const others = isKnown ? [] : blocks.filter(({ type }) => type !== 'text');
    const whole: readonly SessionAction[] =
      text === '' && !isKnown
        ? []
        : [
            {
              type: 'chunkReceived',
              stream,
              turnId,
              partId,
              messageId,
              replaces: true,
              text: boundedPiece(text),
              at,
            },
          ];
    return [
      ...whole,
      ...others.map(content =>
        stream === 'user'
          ? this.userChunk({ content, messageId })
          : this.agentChunk(stream, { content, messageId }),
      ),
    ];
  }

  /** A terminal that the agent runs itself (v2). */
  ownTerminal(state: SessionState, terminalId: string, fields: Fields): readonly SessionAction[] {
    return this.ownTerminals.update(state, terminalId, fields, this.environment.now());
  }

  ownTerminalOutput(
    state: SessionState,
    terminalId: string,
    data: string,
  ): readonly SessionAction[] {
    return this.ownTerminals.output(state, terminalId, data, this.environment.now());
  }

  notice(
    level: 'info' | 'warning' | 'error',
    text: string,
    detail?: string | null,
    actions: NoticeAdded['actions'] = [],
  ): NoticeAdded {
    return noticeOf(this.environment, level, text, detail, actions);
  }

  agentChunk(stream: 'text' | 'thought', chunk: schema.ContentChunk): SessionAction {
    const { now: at, partId, turnId } = this.place();
    if (chunk.content.type === 'text') {
      const { text } = chunk.content;
      const action = { type: 'chunkReceived', stream, turnId, partId, text, at } as const;
      // Streams come by the thousand: no more copies than need be.
      return typeof chunk.messageId === 'string'
        ? { ...action, messageId: chunk.messageId }
        : action;
    }
    const block = this.views.block(chunk.content, `${partId}/content`);
    return { type: 'contentReceived', turnId, partId, block, at };
  }

  userChunk(chunk: schema.ContentChunk): SessionAction {
    const { now: at, partId, turnId } = this.place();
    const messageId = typeof chunk.messageId === 'string' && { messageId: chunk.messageId };
    if (chunk.content.type === 'text') {
      const { text } = chunk.content;
      return { type: 'chunkReceived', stream: 'user', turnId, partId, text, ...messageId, at };
    }
    const attachment = replayedAttachment(chunk.content, partId);
    return { type: 'userContentReceived', turnId, attachment, ...messageId, at };
  }

  compaction(update: schema.CompactionUpdate): SessionAction {
    const { level, text, detail, ...keyed } = compactionNotice(update);
    return { ...this.notice(level, text, detail), ...keyed };
  }

  /** Its first chunk may be the first that is heard of a compaction. */
  compactionChunk(
    state: SessionState,
    { compactionId, content }: schema.CompactionSummaryChunk,
  ): readonly SessionAction[] {
    const key = compactionKey(compactionId);
    const begun = hasNotice(state, key)
      ? []
      : [this.compaction({ compactionId, status: 'in_progress' })];
    return [...begun, { type: 'noticeContinued', key, text: textOf(content) }];
  }

  private place(): { readonly now: number; readonly partId: string; readonly turnId: string } {
    const { environment } = this;
    return { now: environment.now(), partId: environment.newId(), turnId: environment.newId() };
  }

  /** Of very many the first are shown as what they are, the rest as a text. */
  private toolContents(
    before: readonly ToolContent[],
    items: readonly (Change | schema.ToolCallContent)[],
    owner: string,
  ): readonly ToolContent[] {
    const room = Math.max(0, MAX_BLOCKS - before.length);
    const shown = items
      .slice(0, room)
      .map((item, index) => this.toolContent(item, `${owner}/content/${before.length + index}`));
    const rest = items.slice(room);
    if (rest.length === 0) return [...before, ...shown];
    const title = l10n.t('{0} more', rest.length);
    const text = this.views.text(restText(rest), `${owner}/content/rest`, title);
    return [...before, ...shown, { kind: 'block', block: { kind: 'text', text } }];
  }

  private toolContent(item: Change | schema.ToolCallContent, ref: string): ToolContent {
    if (!('type' in item)) {
      const named = this.contents.put(ref, { kind: 'diff', diff: item });
      const kept = this.contents.get(named);
      return { kind: 'diff', diff: diffView(named, kept?.kind === 'diff' ? kept.diff : item) };
    }
    switch (item.type) {
      case 'content':
        return { kind: 'block', block: this.views.block(item.content, ref) };
      case 'terminal':
        return { kind: 'terminal', terminalId: item.terminalId };
      default: {
        const unknown: { readonly type?: unknown } = item;
        const json = this.views.json(unknown, ref, l10n.t('Content'));
        return { kind: 'block', block: { kind: 'unknown', type: String(unknown.type), json } };
      }
    }
  }

  /** What nobody knows is shown as it came. */
  private unknown(update: { readonly sessionUpdate?: unknown }): readonly SessionAction[] {
    const type = String(update.sessionUpdate);
    const { now: at, partId, turnId } = this.place();
    const json = this.views.json(update, `${partId}/content`, type);
    return [
      { type: 'contentReceived', turnId, partId, block: { kind: 'unknown', type, json }, at },
    ];
  }
}

function nonEmpty(text: string | null | undefined): string | undefined {
  return text ? text : undefined;
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
