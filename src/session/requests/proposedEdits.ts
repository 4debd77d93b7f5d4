import * as l10n from '@vscode/l10n';
import type * as schema from '../../acp/schema/schema';
import type { Disposable } from '../../base/lifecycle';
import type { Contents, FileDiff } from '../translate/contents';
import { shownDiffs } from './askedFacts';
import type { OwnRequests } from './ownRequests';
import type { AnsweredRequest, PendingPermissions } from './pendingPermissions';
import { FileError } from '../ports';
import type { EditedProposal, Environment, ProposalEdits } from '../ports';
import { isAsShown, lf, type ShownChange } from './shownEdit';
import type { SessionStore } from '../state/store';
import { findToolCall } from '../state/toolCalls';
import type { Translator } from '../translate/translate';

export interface ProposedEditsParts {
  readonly store: SessionStore;
  readonly translator: Translator;
  readonly contents: Contents;
  readonly permissions: PendingPermissions;
  readonly files: {
    /** @throws FileError as `TextFiles` */
    read(path: string): Promise<string>;
    write(path: string, content: string): Promise<void>;
  };
  readonly environment: Environment;
  /** Where the user may change an edit before allowing it. */
  readonly proposals: ProposalEdits;
  readonly requests: OwnRequests;
  /** Whether the user wants to be asked before the file is written. */
  asksBeforeWriting(path: string): boolean;
}

/** An edit that was allowed, and that its agent has not been seen to write yet. */
interface AllowedEdit {
  readonly toolCallId: string;
  readonly path: string;
  /** What the request showed of it; nothing when the answer was no plain Allow. */
  readonly shown: readonly ShownChange[];
  readonly edited?: EditedProposal;
}

/** A write that may be done. One of `written` and `failed` says what became of it. */
export interface Approval {
  /** What is to be written: the agent's text, or what the user made of it. */
  readonly content: string;
  written(): Promise<void>;
  failed(): void;
}

export interface NotesToAgent {
  readonly blocks: readonly schema.ContentBlock[];
  /** The agent has got them. */
  delivered(): void;
}

/**
 * Approval before writing. Asks about writes that nobody was asked about, and sees to it that a file ends
 * up as the user allowed it: a proposal may have been changed in the diff editor before. The agent hears
 * of such changes with the next prompt.
 */
export class ProposedEdits implements Disposable {
  private allowed: readonly AllowedEdit[] = [];
  private undelivered: readonly EditedProposal[] = [];
  private readonly listeners: readonly Disposable[];

  constructor(private readonly parts: ProposedEditsParts) {
    this.listeners = [
      parts.permissions.onWillAnswer(request => this.answered(request)),
      parts.store.onDidApply(({ action }) => {
        if (action.type === 'toolCallChanged' && action.status !== undefined) {
          this.callChanged(action.toolCallId);
        } else if (action.type === 'turnEnded') this.turnEnded();
      }),
    ];
  }

  /** Blocks for the agent that go before the user's words; the same until they are `delivered`. */
  async notes(): Promise<NotesToAgent | undefined> {
    const { undelivered } = this;
    if (undelivered.length === 0) return undefined;
    const { noteToAgent } = await import('./editedProposal');
    return {
      blocks: [{ type: 'text', text: noteToAgent(undelivered) }],
      delivered: () =>
        (this.undelivered = this.undelivered.filter(edited => !undelivered.includes(edited))),
    };
  }

  /**
   * What may be written for `content`, asking first when need be.
   * @throws RequestError when the user says no; FileError as `TextFiles.read`
   */
  async approve(path: string, content: string, signal: AbortSignal): Promise<Approval> {
    const allowed = this.take(path);
    if (!this.parts.asksBeforeWriting(path)) return this.approval(allowed, content);
    const before = await this.textOf(path);
    if (allowed && covers(allowed, before, content)) return this.approval(allowed, content);
    if (before === content) return this.approval(undefined, content);
    // Also when something else was allowed: what is written is what the user has seen.
    const toolCallId = await this.ask(path, before, content, signal);
    const approval = await this.approval(this.take(path), content);
    return {
      content: approval.content,
      written: async () => {
        await approval.written();
        this.parts.requests.ended(toolCallId, 'completed');
        if (allowed?.edited) await this.noticeLost(allowed.edited);
      },
      failed: () => this.parts.requests.ended(toolCallId, 'failed'),
    };
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
  }

  private async textOf(path: string): Promise<string | null> {
    try {
      return await this.parts.files.read(path);
    } catch (error) {
      if (error instanceof FileError && error.reason === 'notFound') return null;
      throw error;
    }
  }

  private ask(
    path: string,
    before: string | null,
    content: string,
    signal: AbortSignal,
  ): Promise<string> {
    const name = nameOf(path);
    const title = before === null ? l10n.t('Create {0}', name) : l10n.t('Write {0}', name);
    return this.parts.requests.ask(
      {
        name: 'write',
        call: {
          title,
          kind: 'edit',
          locations: [{ path }],
          content: [{ type: 'diff', path, oldText: before, newText: content, _meta: { line: 1 } }],
        },
        rejected: `The user rejected this edit, so the file was not written: ${path}`,
        cancelled: `The user stopped before allowing this edit; the file was not written: ${path}`,
      },
      signal,
    );
  }

  private async approval(allowed: AllowedEdit | undefined, content: string): Promise<Approval> {
    const nothing = (): void => undefined;
    const edited = allowed?.edited;
    if (!edited) return { content, written: () => Promise.resolve(), failed: nothing };
    const { withUserChanges } = await import('./editedProposal');
    const text = withUserChanges(content, edited);
    const written = async (): Promise<void> => {
      if (text === undefined) await this.noticeLost(edited);
      else this.noticeUsed(edited);
    };
    return { content: text ?? content, written, failed: nothing };
  }

  /**
   * Before the agent hears of it: an allowed edit, as it stands in the diff editor at this moment. What the request
   * showed counts, not what its call says by now.
   */
  private answered({ requestId, toolCallId, outcome, asked, isKnownKind }: AnsweredRequest): void {
    if (outcome !== 'allowed') return;
    const { store, contents, proposals } = this.parts;
    const { chatId, cwd } = store.state;
    const edited = proposals.edited(chatId, requestId);
    const shownOf = new Map<string, readonly ShownChange[]>();
    for (const diff of shownDiffs(asked, contents)) {
      if (!showsText(diff)) continue;
      const path = absolute(diff.path, cwd);
      const mine = edited.find(other => absolute(other.path, cwd) === path);
      // A call may show several changes of one file.
      const shown = isKnownKind ? [...(shownOf.get(path) ?? []), diff] : [];
      shownOf.set(path, shown);
      const allowed = { toolCallId, path, shown, ...(mine && { edited: mine }) };
      this.allowed = [...this.allowed.filter(other => !same(other, allowed)), allowed];
    }
  }

  private take(path: string): AllowedEdit | undefined {
    const { cwd } = this.parts.store.state;
    const found = this.allowed.find(edit => edit.path === absolute(path, cwd));
    if (found) this.allowed = this.allowed.filter(edit => edit !== found);
    return found;
  }

  /** Agents that write to disk themselves have done so when their call ends. */
  private callChanged(toolCallId: string): void {
    const { status } = findToolCall(this.parts.store.state, toolCallId) ?? {};
    if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return;
    const ended = this.allowed.filter(edit => edit.toolCallId === toolCallId);
    if (ended.length === 0) return;
    this.allowed = this.allowed.filter(edit => edit.toolCallId !== toolCallId);
    for (const { edited } of ended) if (edited) void this.putInPlace(edited, status);
  }

  private turnEnded(): void {
    const left = this.allowed;
    this.allowed = [];
    for (const { edited } of left) if (edited) void this.putInPlace(edited, 'completed');
  }

  private async putInPlace(
    edited: EditedProposal,
    status: 'completed' | 'failed' | 'cancelled',
  ): Promise<void> {
    const { files, store } = this.parts;
    const path = absolute(edited.path, store.state.cwd);
    const { withUserChanges } = await import('./editedProposal');
    try {
      const now = await files.read(path);
      // What was not done leaves nothing to put right.
      if (status !== 'completed' && lf(now) !== edited.proposed) return;
      const text = withUserChanges(now, edited);
      if (text === undefined) return await this.noticeLost(edited);
      await files.write(path, text);
      this.noticeUsed(edited);
    } catch {
      await this.noticeLost(edited);
    }
  }

  private noticeUsed(edited: EditedProposal): void {
    this.undelivered = [...this.undelivered, edited];
    this.notice(
      'info',
      l10n.t('Your version of the edit was written to {0}.', nameOf(edited.path)),
      l10n.t('Your next message tells the agent what you changed.'),
    );
  }

  private async noticeLost(edited: EditedProposal): Promise<void> {
    const { userPatch } = await import('./editedProposal');
    this.notice(
      'warning',
      l10n.t('Your changes to the edit of {0} were not applied.', nameOf(edited.path)),
      `${l10n.t('The file differs from what you allowed. Here are your changes, to apply by hand:')}\n\n${userPatch(edited)}`,
    );
  }

  private notice(level: 'info' | 'warning', text: string, detail: string): void {
    const { store, translator } = this.parts;
    store.dispatch(translator.notice(level, text, detail));
  }
}

/** Whether the user has seen that `content` comes of it. */
function covers({ shown, edited }: AllowedEdit, before: string | null, content: string): boolean {
  if (shown.length === 0) return false;
  const text = lf(content);
  if (edited && (text === edited.proposed || text === edited.mine)) return true;
  return isAsShown(shown, before, content);
}

/** A deletion, a mere move and a change without text show nothing that could be written. */
function showsText({ change, oldText, newText }: FileDiff): boolean {
  if (change === 'deleted') return false;
  return newText !== '' || oldText !== null || change === 'added';
}

function same(a: AllowedEdit, b: AllowedEdit): boolean {
  return a.toolCallId === b.toolCallId && a.path === b.path;
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Agents name files by paths from their session's directory too. */
function absolute(path: string, cwd: string): string {
  const isAbsolute = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
  return isAbsolute ? path : `${cwd.replace(/[\\/]$/, '')}/${path.replace(/^\.\//, '')}`;
}
