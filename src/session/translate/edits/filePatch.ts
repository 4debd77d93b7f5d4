import type { FileChange } from '../../../acp/schema/fileChange';
import type { Change } from './diffs';

/** What a text that describes changes was read as. */
export interface ReadPatch {
  readonly changes: readonly Change[];
  /** False when some of it was not understood: `rest`. */
  readonly complete: boolean;
  /** The lines that were not understood. */
  readonly rest: string;
}

/** One block of a file's change, as it is read line by line. */
class Block {
  private readonly before: string[] = [];
  private readonly after: string[] = [];
  /** Empty lines that belong to the block only if more of it follows. */
  private blanks = 0;
  private last = ' ';

  constructor(readonly line?: number) {}

  get isEmpty(): boolean {
    return this.before.length + this.after.length === 0;
  }

  /** Lines of the old and of the new text so far. */
  get lengths(): readonly [number, number] {
    return [this.before.length + this.blanks, this.after.length + this.blanks];
  }

  get texts(): readonly [string, string] {
    return [this.before.join(''), this.after.join('')];
  }

  /** Answers false when `line` is none of a patch. */
  take(line: string): boolean {
    if (line === '') {
      this.blanks += 1;
      return true;
    }
    const sign = line[0];
    if (sign !== ' ' && sign !== '-' && sign !== '+') return false;
    for (; this.blanks > 0; this.blanks -= 1) {
      this.before.push('\n');
      this.after.push('\n');
    }
    const text = `${line.slice(1)}\n`;
    if (sign !== '+') this.before.push(text);
    if (sign !== '-') this.after.push(text);
    this.last = sign;
    return true;
  }

  /** The line before has no line end. */
  endsWithoutLineEnd(): void {
    if (this.last !== '+') chop(this.before);
    if (this.last !== '-') chop(this.after);
  }
}

function chop(lines: string[]): void {
  const last = lines.pop();
  if (last !== undefined) lines.push(last.replace(/\n$/, ''));
}

/** One file of a patch while it is read. */
export class FilePatch {
  oldPath: string | undefined;
  private readonly blocks: Block[] = [];

  constructor(
    public path: string,
    public change: FileChange,
  ) {}

  /** @param line where the block begins in the file, from 1 */
  begin(line?: number): void {
    this.blocks.push(new Block(line));
  }

  take(line: string): boolean {
    if (this.blocks.length === 0) {
      if (line === '') return true;
      this.begin();
    }
    return this.blocks.at(-1)?.take(line) === true;
  }

  endsWithoutLineEnd(): void {
    this.blocks.at(-1)?.endsWithoutLineEnd();
  }

  /** Lines of the old and of the new text of the last block. */
  get lengths(): readonly [number, number] {
    return this.blocks.at(-1)?.lengths ?? [0, 0];
  }

  /** A change for each block; one for a file of which only the fate is known. */
  changes(): readonly Change[] {
    const { path, change, oldPath } = this;
    const own = { path, change, ...(oldPath !== undefined && { oldPath }) };
    const blocks = this.blocks.filter(block => !block.isEmpty);
    if (blocks.length === 0) return [{ ...own, oldText: null, newText: '' }];
    return blocks.map(({ texts: [before, after], line }) => ({
      ...own,
      oldText: change === 'added' || (change === 'deleted' && before === '') ? null : before,
      newText: after,
      ...(line !== undefined && { line }),
    }));
  }
}

/** The files of a patch and what of it was not understood. */
export function readPatch(files: readonly FilePatch[], rest: readonly string[]): ReadPatch {
  return {
    changes: files.flatMap(file => file.changes()),
    complete: rest.length === 0,
    rest: rest.join('\n'),
  };
}
