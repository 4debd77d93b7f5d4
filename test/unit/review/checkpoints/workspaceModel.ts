/** What a whole workspace is under review, as far as a simple model can say. */
import type { TurnRef } from '../../../../src/review/model';
import * as lines from '../lineModel';
import {
  ABSENT,
  hunkCount,
  isPendingModel,
  linesIn,
  settledModel,
  tidy,
  withLines,
  type FileModel,
  type Side,
} from './fileModel';

export const BOM = '\uFEFF';
const ENDINGS = ['\n', '\n', '\r\n'];
const WORDS = ['', 'plain', 'ünï', '日本語', '\ttab ', '🙂', 'a\u2028b', '  '];

export class WorkspaceModel {
  protected readonly files = new Map<string, FileModel>();
  /** What the disk says of files whose documents have unsaved text. */
  protected readonly dirty = new Map<string, Side>();
  protected readonly committed = new Map<string, Side>();
  /** Files that begin with a byte-order mark, whoever writes them. */
  protected readonly marked = new Set<string>();
  protected readonly writers = new Map<string, string>();
  protected written = 0;

  get names(): readonly string[] {
    return [...this.files.keys()].sort();
  }

  get existing(): readonly string[] {
    return this.names.filter(name => this.at(name).now.kind !== 'absent');
  }

  get pending(): readonly string[] {
    return this.names.filter(name => isPendingModel(this.at(name)));
  }

  isDirty(name: string): boolean {
    return this.dirty.has(name);
  }

  sideOf(name: string): Side {
    return this.at(name).now;
  }

  /** A name where nothing is and nothing was. */
  freshName(): string {
    return `made/${++this.written}.txt`;
  }

  /** So many lines that no other text has. */
  text(count: number, flavour: number, open = false): string {
    const made = Array.from({ length: count }, (_, index) => {
      const ending = ENDINGS[(flavour + index) % ENDINGS.length] ?? '\n';
      const word = WORDS[(flavour + index) % WORDS.length] ?? '';
      return `${++this.written} ${word}${open && index === count - 1 ? '' : ending}`;
    });
    return made.join('');
  }

  protected agentMade(name: string, side: Side, turn: TurnRef): void {
    this.splitRename(name, side);
    const before = this.at(name);
    const turns = [...before.turns, turn.turnId];
    this.files.set(name, tidy({ ...before, now: side, turns }));
    for (const { text, before: isOld } of linesIn(this.at(name))) {
      if (!isOld && !this.writers.has(text)) this.writers.set(text, turn.turnId);
    }
  }

  protected userEdits(name: string, at: number, remove: number, add: number): void {
    const file = this.at(name);
    const present = lines.current(linesIn(file));
    const last = present.at(-1);
    // What comes after a line without an ending would run into it.
    const isOpen = last !== undefined && !last.text.endsWith('\n');
    const index = Math.min(at, present.length - (isOpen ? 1 : 0));
    const fresh = splitFresh(this.text(add, at));
    const changed =
      remove > 0
        ? lines.userDeletes(linesIn(file), index, remove)
        : lines.userInserts(linesIn(file), index, fresh);
    this.files.set(name, withLines(file, changed));
  }

  protected decided(
    decision: 'keep' | 'undo',
    name: string,
    hunks: readonly number[] | undefined,
  ): void {
    const file = this.at(name);
    const isWhole =
      hunks === undefined ||
      (hunks.length === hunkCount(file) &&
        (decision === 'undo'
          ? file.before.kind !== 'text' || file.now.kind !== 'text'
          : file.renamedFrom === undefined));
    if (isWhole) {
      const { renamedFrom } = file;
      if (decision === 'keep') this.files.set(name, settledModel(file.now));
      else if (renamedFrom === undefined) this.files.set(name, settledModel(file.before));
      else {
        this.files.set(name, settledModel(ABSENT));
        this.files.set(renamedFrom, settledModel(file.before));
      }
      return;
    }
    const present = linesIn(file);
    const all = lines.hunksIn(present);
    const meant = new Set(hunks.flatMap(index => all[index] ?? []));
    const stays = (line: lines.Line) => (decision === 'keep' ? line.now : line.before);
    this.files.set(name, withLines(file, lines.decided(present, meant, stays)));
  }

  protected at(name: string): FileModel {
    return this.files.get(name) ?? settledModel(ABSENT);
  }

  protected isWholeBinary(file: FileModel): boolean {
    return file.before.kind === 'binary' && isPendingModel(file);
  }

  /** What a file was renamed from is there again, or what it became is not. */
  protected splitRename(name: string, side: Side): void {
    for (const [to, file] of [...this.files]) {
      const { renamedFrom: from, ...rest } = file;
      if (from === undefined || !(from === name || (to === name && side.kind === 'absent')))
        continue;
      this.files.set(to, { ...rest, before: ABSENT });
      this.files.set(from, { before: file.before, now: ABSENT, turns: file.turns });
    }
  }

  /** As Latin-1. */
  protected bytesOf(name: string, side: Side): string | undefined {
    if (side.kind === 'absent') return undefined;
    if (side.kind === 'binary') return side.text;
    return Buffer.from((this.marked.has(name) ? BOM : '') + side.text).toString('latin1');
  }
}

function splitFresh(text: string): readonly string[] {
  return text.match(/[^\n]*\n/g) ?? [];
}
