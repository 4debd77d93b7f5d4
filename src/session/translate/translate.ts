/** What the agent's updates mean: ACP's `session/update` as actions. Soft: nothing here throws or is lost. */
import * as l10n from '@vscode/l10n';
import { toolNameOf } from '../../acp/compat/calls';
import type { Change } from '../../acp/compat/diffs';
import type * as schema from '../../acp/schema/schema';
import { diffView } from './diffView';
import type { SessionAction } from '../state/actions';
import { terminalActions } from './agentTerminals';
import { callContent, unplacedTerminal } from './callContent';
import { compactionKey, compactionNotice, textOf } from './compactions';
import { configAfterUpdate, optionFor } from './configOptions';
import type { Contents } from './contents';
import { restText } from './contentText';
import { ContentViews, isForModelOnly, replayedAttachment } from './contentView';
import { draftActions } from './draftUpdates';
import { hasNotice } from '../state/notices';
import { noticeOf } from '../notices';
import type { Environment } from '../ports';
import { ofItsTurn } from '../turns/updatesAfterTurn';
import { withChanges } from './proposedChanges';
import { readDiffs } from './readDiffs';
import { callIdOf, parentCallOf, subagentActions, under, type Told } from './subagents';
import { boundedCall, cutFields, MAX_BLOCKS } from './updateBounds';
import { withKnownFolder } from './askedInput';
import type { AvailableCommand, SessionState, ToolContent, ToolStatus } from '../state/state';
import { callSpokenOf } from '../state/toolCalls';

type NoticeAdded = Extract<SessionAction, { type: 'noticeAdded' }>;

const STATUSES: { readonly [S in schema.ToolCallStatus]: ToolStatus } = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
};

export class Translator {
  private readonly views: ContentViews;

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
    const told =
      sessionId === undefined || sessionId === state.sessionId
        ? undefined
        : subagentActions(state, update, sessionId, environment);
    const actions = told ?? this.plainly(state, update, sessionId);
    return parent === undefined
      ? actions.map(action => ofItsTurn(state, action))
      : actions.map(action => under(parent, action));
  }

  private plainly(
    state: SessionState,
    update: schema.SessionUpdate,
    sessionId: string | undefined,
  ): readonly SessionAction[] {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
        return [this.userChunk(update)];
      case 'agent_message_chunk':
        return [this.agentChunk(isForModelOnly(update.content) ? 'thought' : 'text', update)];
      case 'agent_thought_chunk':
        return [this.agentChunk('thought', update)];
      case 'tool_call':
        return this.toolCall(state, update, 'announced', sessionId);
      case 'tool_call_update':
        return this.toolCall(state, update, 'changed', sessionId);
      case 'plan':
        return [
          {
            type: 'planChanged',
            entries: update.entries.map(({ content, priority, status }) => ({
              content,
              priority,
              status,
            })),
          },
        ];
      case 'available_commands_update':
        return [{ type: 'commandsChanged', commands: update.availableCommands.map(commandOf) }];
      case 'current_mode_update':
        return this.optionChange(state, 'mode', update.currentModeId);
      case 'config_option_update':
        return [
          {
            type: 'configChanged',
            options: configAfterUpdate(state.configOptions, update.configOptions),
          },
        ];
      case 'session_info_update':
        if (update.title === undefined) return [];
        return [{ type: 'titleChanged', title: update.title ?? undefined }];
      case 'usage_update':
        return [
          {
            type: 'usageChanged',
            usage: {
              used: update.used,
              size: update.size,
              ...(update.cost && {
                cost: { amount: update.cost.amount, currency: update.cost.currency },
              }),
            },
          },
        ];
      case 'notice':
        return [this.notice(levelOf(update.severity), update.title, update.description)];
      case 'compaction_update':
        return [this.compaction(update)];
      case 'compaction_summary_chunk':
        return this.compactionChunk(state, update);
      default:
        return this.unknown(state, update);
    }
  }

  /**
   * A tool call as `tool_call`, `tool_call_update` or `request_permission` tells it.
   * @param sessionId as for `translate`
   */
  toolCall(
    state: SessionState,
    sent: schema.ToolCall | schema.ToolCallUpdate,
    how: Told,
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
    const title =
      nonEmpty(call.title) ?? nonEmpty(call.name) ?? (known?.title ? undefined : toolNameOf(call));
    const owner = known?.id ?? partId;
    const places = [call.locations ?? [], known?.locations ?? []];
    const items = callContent(call, known, this.contents);
    const before = items ? [] : (known?.content ?? []);
    const kind = call.kind ?? known?.toolKind;
    const added = readDiffs([...(items ?? []), ...more], kind, places);
    const content = items || more.length > 0 ? this.toolContents(before, added, owner) : undefined;
    const status = call.status ? STATUSES[call.status] : undefined;
    const isOver = status === 'completed' || status === 'failed';
    const unplaced = unplacedTerminal(call, known) !== undefined;
    return [
      ...terminalActions(call._meta, title, state, at, unplaced && isOver),
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
          rawOutput: this.views.json(call.rawOutput, `${owner}/output`, l10n.t('Output')),
        }),
        ...(cut.length > 0 && { cut }),
        at,
      },
    ];
  }

  notice(
    level: 'info' | 'warning' | 'error',
    text: string,
    detail?: string | null,
    actions: NoticeAdded['actions'] = [],
  ): NoticeAdded {
    return noticeOf(this.environment, level, text, detail, actions);
  }

  private place(): { readonly now: number; readonly partId: string; readonly turnId: string } {
    const { environment } = this;
    return { now: environment.now(), partId: environment.newId(), turnId: environment.newId() };
  }

  private agentChunk(stream: 'text' | 'thought', chunk: schema.ContentChunk): SessionAction {
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

  private userChunk(chunk: schema.ContentChunk): SessionAction {
    const { now: at, partId, turnId } = this.place();
    const messageId = typeof chunk.messageId === 'string' && { messageId: chunk.messageId };
    if (chunk.content.type === 'text') {
      const { text } = chunk.content;
      return { type: 'chunkReceived', stream: 'user', turnId, partId, text, ...messageId, at };
    }
    const attachment = replayedAttachment(chunk.content, partId);
    return { type: 'userContentReceived', turnId, attachment, ...messageId, at };
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
      const kept = this.contents.put(ref, { kind: 'diff', diff: item });
      return { kind: 'diff', diff: diffView(kept, item) };
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

  private optionChange(
    state: SessionState,
    category: 'mode' | 'model',
    value: string,
  ): readonly SessionAction[] {
    const option = optionFor(state.configOptions, category);
    return option ? [{ type: 'configValueChanged', optionId: option.id, value }] : [];
  }

  private compaction(update: schema.CompactionUpdate): SessionAction {
    const { level, text, detail, ...keyed } = compactionNotice(update);
    return { ...this.notice(level, text, detail), ...keyed };
  }

  /** Its first chunk may be the first that is heard of a compaction. */
  private compactionChunk(
    state: SessionState,
    { compactionId, content }: schema.CompactionSummaryChunk,
  ): readonly SessionAction[] {
    const key = compactionKey(compactionId);
    const begun = hasNotice(state, key)
      ? []
      : [this.compaction({ compactionId, status: 'in_progress' })];
    return [...begun, { type: 'noticeContinued', key, text: textOf(content) }];
  }

  /** What nobody knows is shown as it came. */
  private unknown(
    state: SessionState,
    update: { readonly sessionUpdate?: unknown },
  ): readonly SessionAction[] {
    const known = draftActions(state, { ...update }, this.environment);
    if (known) return known;
    const type = String(update.sessionUpdate);
    const { now: at, partId, turnId } = this.place();
    const json = this.views.json(update, `${partId}/content`, type);
    return [
      { type: 'contentReceived', turnId, partId, block: { kind: 'unknown', type, json }, at },
    ];
  }
}

function commandOf(command: schema.AvailableCommand): AvailableCommand {
  const hint = command.input?.hint;
  return {
    name: command.name,
    description: command.description,
    ...(hint !== undefined && { hint }),
  };
}

function levelOf(severity: string): 'info' | 'warning' | 'error' {
  return severity === 'warning' || severity === 'error' ? severity : 'info';
}

function nonEmpty(text: string | null | undefined): string | undefined {
  return text ? text : undefined;
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
