/**
 * Steps that are carried out on a real workspace and on the model: real files, the real git, an agent that writes
 * through the editor, itself, or by a shell.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { ReviewTarget, TurnRef } from '../../../../src/review/model';
import { git } from '../../git/support';
import {
  ABSENT,
  isPendingModel,
  sameSide,
  settledModel,
  textOf,
  textSide,
  type Side,
} from './fileModel';
import { shell } from './support';
import { ReviewedWorkspace } from './reviewedWorkspace';

/** What a history decides on: several files or hunks at once are as one after the other. */
type HistoryTarget = Exclude<ReviewTarget, { kind: 'files' | 'hunks' }>;

/** How an agent's hand is seen. */
export type Hand = 'editor' | 'disk' | 'shell';

/** What agents, the user and git do, to the real workspace and to the model. */
export class History extends ReviewedWorkspace {
  private turn: TurnRef | undefined;
  private turns = 0;

  get isRunning(): boolean {
    return this.turn !== undefined;
  }

  // ── turns ──────────────────────────────────────────────────────────────────────────────────────────

  async startTurn(): Promise<void> {
    if (this.turn) return;
    this.turn = await this.reviewed.start(String(++this.turns), `chat-${this.turns % 2}`);
  }

  async endTurn(): Promise<void> {
    const { turn } = this;
    if (!turn) return;
    this.turn = undefined;
    this.reviewed.tracker.turnEnded(turn);
    await this.reviewed.tracker.idle();
  }

  // ── the agent ──────────────────────────────────────────────────────────────────────────────────────

  async agentWrites(name: string, side: Side, hand: Hand): Promise<void> {
    const { turn } = this;
    if (!turn) return;
    const isDirty = this.dirty.has(name);
    if (isDirty && (hand !== 'editor' || side.kind !== 'text')) return;
    // The editor would make a new file without a mark.
    const isFresh = this.at(name).now.kind === 'absent' && this.marked.has(name);
    if (hand === 'editor' && side.kind === 'text' && !isFresh) {
      const content = { kind: side.kind, text: side.text };
      const write = () => this.reviewed.files.write(this.file(name), content);
      await this.reviewed.tracker.record(turn, this.file(name), write);
    } else {
      await this.onDisk(name, side, hand === 'shell');
    }
    this.agentMade(name, side, turn);
    await this.told(name);
  }

  async agentMoves(from: string, to: string): Promise<void> {
    const { turn } = this;
    if (!turn || this.dirty.has(from)) return;
    const side = this.at(from).now;
    mkdirSync(path.dirname(this.file(to)), { recursive: true });
    await shell(this.root, `mv '${from}' '${to}'`);
    if (this.marked.has(from)) this.marked.add(to);
    this.agentMade(from, ABSENT, turn);
    this.agentMade(to, side, turn);
    await this.told(from, to);
  }

  // ── the user ───────────────────────────────────────────────────────────────────────────────────────

  /** Types in the document, which has unsaved text from then on. */
  async userTypes(name: string, at: number, remove: number, add: number): Promise<void> {
    const file = this.at(name);
    if (file.now.kind !== 'text' || this.isWholeBinary(file)) return;
    if (!this.dirty.has(name)) this.dirty.set(name, file.now);
    this.userEdits(name, at, remove, add);
    this.reviewed.files.type(this.file(name), textOf(this.at(name).now));
  }

  async userSaves(name: string): Promise<void> {
    if (!this.dirty.has(name)) return;
    this.dirty.delete(name);
    const saved = await this.reviewed.files.save(this.file(name));
    this.reviewed.tracker.saved(this.file(name), saved);
    await this.told(name);
  }

  /** With another program: nobody tells whose it is, so no agent may be at work. */
  async userWrites(name: string, at: number, remove: number, add: number): Promise<void> {
    const file = this.at(name);
    if (this.turn || this.dirty.has(name)) return;
    if (file.now.kind !== 'text' || this.isWholeBinary(file)) return;
    this.userEdits(name, at, remove, add);
    await this.onDisk(name, this.at(name).now, false);
    await this.told(name);
  }

  async userRemoves(name: string): Promise<void> {
    if (this.dirty.has(name) || this.at(name).now.kind === 'absent') return;
    rmSync(this.file(name));
    this.files.set(name, settledModel(ABSENT));
    await this.reviewed.tracker.managed([{ from: this.file(name) }]);
    await this.told(name);
  }

  /** Takes a file away and brings it back: what was pending in it is again. */
  async userTakesAndReturns(name: string): Promise<void> {
    if (this.dirty.has(name) || this.at(name).now.kind === 'absent') return;
    const bytes = readFileSync(this.file(name));
    rmSync(this.file(name));
    await this.reviewed.tracker.managed([{ from: this.file(name) }]);
    await this.told(name);
    writeFileSync(this.file(name), bytes);
    await this.reviewed.tracker.managed([{ to: this.file(name) }]);
    await this.told(name);
  }

  async userMoves(from: string, to: string): Promise<void> {
    const file = this.files.get(from);
    if (!file || this.dirty.has(from) || file.now.kind === 'absent') return;
    mkdirSync(path.dirname(this.file(to)), { recursive: true });
    renameSync(this.file(from), this.file(to));
    if (this.marked.has(from)) this.marked.add(to);
    this.files.delete(from);
    this.files.set(to, file);
    await this.reviewed.tracker.managed([{ from: this.file(from), to: this.file(to) }]);
    await this.told(from, to);
  }

  /** Makes a file, perhaps where an agent deleted one. */
  async userMakes(name: string, text: string): Promise<void> {
    if (this.at(name).now.kind !== 'absent' || this.dirty.has(name)) return;
    this.splitRename(name, textSide(text));
    this.files.set(name, settledModel(textSide(text)));
    await this.onDisk(name, textSide(text), false);
    await this.reviewed.tracker.managed([{ to: this.file(name) }]);
    await this.told(name);
  }

  // ── decisions ──────────────────────────────────────────────────────────────────────────────────────

  async decide(decision: 'keep' | 'undo', target: HistoryTarget, again: boolean): Promise<void> {
    const { review } = this.reviewed;
    for (const name of this.chosen(target).keys()) {
      // Else there would be an unsaved document of a file that is none any more.
      if (this.at(name).before.kind !== 'text' || this.at(name).renamedFrom)
        await this.userSaves(name);
    }
    const chosen = this.chosen(target);
    if (chosen.size === 0) return;
    const before = new Map(this.files);
    const outcome = await review[decision](target);
    assert.deepEqual(outcome.failures, []);
    for (const [name, hunks] of chosen) this.decided(decision, name, hunks);
    if (decision === 'keep' || !again) return;
    this.compare();
    const back = await review.redo();
    assert.deepEqual(back.failures, []);
    this.files.clear();
    for (const [name, file] of before) this.files.set(name, file);
  }

  /** The files that a decision is about, with the numbers of the hunks; undefined: as a whole. */
  private chosen(target: HistoryTarget): Map<string, readonly number[] | undefined> {
    const chosen = new Map<string, readonly number[] | undefined>();
    for (const file of this.reviewed.review.pending) {
      const name = path.relative(this.root, file.path);
      switch (target.kind) {
        case 'hunk': {
          const index = file.hunks.findIndex(({ id }) => id === target.hunkId);
          if (file.path === target.path && index >= 0) chosen.set(name, [index]);
          break;
        }
        case 'file':
          if (file.path === target.path) chosen.set(name, undefined);
          break;
        case 'turn':
        case 'chat': {
          const isMeant = ({ chatId, turnId }: TurnRef) =>
            target.kind === 'chat'
              ? chatId === target.chatId
              : chatId === target.turn.chatId && turnId === target.turn.turnId;
          if (!file.turns.some(isMeant)) break;
          const hunks = [...file.hunks.keys()].filter(index =>
            file.hunks[index]?.turns.some(isMeant),
          );
          chosen.set(name, hunks.length === file.hunks.length ? undefined : hunks);
          break;
        }
        case 'all':
          chosen.set(name, undefined);
      }
    }
    return chosen;
  }

  // ── git ────────────────────────────────────────────────────────────────────────────────────────────

  async commitAll(): Promise<void> {
    await this.saveAll();
    await this.commit(['add', '-A'], ['commit', '-qm', 'all', '--allow-empty']);
    for (const [name, { now }] of this.files) {
      if (now.kind === 'absent') this.committed.delete(name);
      else this.committed.set(name, now);
      this.files.set(name, settledModel(now));
    }
  }

  async commitOne(name: string): Promise<void> {
    const { now } = this.at(name);
    if (this.dirty.has(name) || (now.kind === 'absent' && !this.committed.has(name))) return;
    // Another path that was staged would be committed as well.
    await this.commit(['add', '-A', '--', name], ['commit', '-qm', name, '--allow-empty']);
    if (!sameSide(now, this.committed.get(name) ?? ABSENT)) {
      this.files.set(name, settledModel(now));
    }
    if (now.kind === 'absent') this.committed.delete(name);
    else this.committed.set(name, now);
  }

  /** What is not as in HEAD goes, and comes back unless it is dropped. */
  async stash(isPopped: boolean): Promise<void> {
    await this.saveAll();
    const names = new Set([...this.files.keys(), ...this.committed.keys()]);
    const headOf = (name: string) => this.committed.get(name) ?? ABSENT;
    const stashed = [...names].filter(name => !sameSide(this.at(name).now, headOf(name)));
    if (stashed.length === 0) return;
    const before = new Map(this.files);
    git(this.root, 'stash', '-q', '--include-untracked');
    await this.headSeen(
      ({ stashes }) => stashes.length > 0 && stashes[0]?.commit === this.stashed(),
    );
    for (const name of stashed) this.files.set(name, settledModel(headOf(name)));
    await this.told(...stashed);
    if (!isPopped) {
      git(this.root, 'stash', 'drop', '-q');
      return;
    }
    this.compare();
    git(this.root, 'stash', 'pop', '-q');
    this.files.clear();
    for (const [name, file] of before) this.files.set(name, file);
    await this.told(...stashed);
  }

  /** Takes one file back to what git has. */
  async discard(name: string): Promise<void> {
    const head = this.committed.get(name);
    if (!head || this.dirty.has(name) || sameSide(head, this.at(name).now)) return;
    git(this.root, 'checkout', '-q', 'HEAD', '--', name);
    this.splitRename(name, head);
    this.files.set(name, settledModel(head));
    await this.told(name);
  }

  private stashed(): string {
    return git(this.root, 'rev-parse', 'refs/stash').trim();
  }

  private async commit(...commands: readonly (readonly string[])[]): Promise<void> {
    for (const command of commands) git(this.root, ...command);
    const head = git(this.root, 'rev-parse', 'HEAD').trim();
    await this.headSeen(watched => watched.head === head);
  }

  private async headSeen(
    isSeen: (watched: {
      head: string | undefined;
      stashes: readonly { commit: string }[];
    }) => boolean,
  ): Promise<void> {
    const watched = await this.reviewed.git.containing(this.root);
    assert.ok(watched);
    await new Promise<void>(resolve => {
      if (isSeen(watched)) return resolve();
      const subscription = this.reviewed.git.onDidMove(() => {
        if (!isSeen(watched)) return;
        subscription.dispose();
        resolve();
      });
    });
    await this.reviewed.tracker.settled();
  }

  // ── the window ─────────────────────────────────────────────────────────────────────────────────────

  async reload(): Promise<void> {
    await this.endTurn();
    await this.saveAll();
    await this.reviewed.storage.flush();
    this.close();
    await this.open();
  }

  /** Keeps or undoes everything: the end of every history. */
  async end(decision: 'keep' | 'undo'): Promise<void> {
    await this.endTurn();
    await this.check();
    const before = new Map(this.files);
    await this.decide(decision, { kind: 'all' }, false);
    await this.check();
    assert.deepEqual(this.reviewed.review.pending, []);
    if (decision === 'keep' || before.size === 0) return;
    if (!this.reviewed.review.canRedo || [...before.values()].every(file => !isPendingModel(file)))
      return;
    assert.deepEqual((await this.reviewed.review.redo()).failures, []);
    this.files.clear();
    for (const [name, file] of before) this.files.set(name, file);
    await this.check();
  }

  private async saveAll(): Promise<void> {
    for (const name of [...this.dirty.keys()]) await this.userSaves(name);
  }
}
