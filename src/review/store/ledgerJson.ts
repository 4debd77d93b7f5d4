import { PersistentMap } from '../../base/persistentMap';
import { inParallel } from '../../base/inParallel';
import type { Ledger, Undo } from '../core/ledger';
import type { FileReview } from '../core/fileReview';
import type { FileContent } from '../model';

/** A content as it is stored: texts by the hash of their bytes. */
export type StoredContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly blob: string }
  | { readonly kind: 'binary'; readonly hash: string; readonly bytes: number };

type StoredReview = Omit<FileReview, 'baseline' | 'current'> & {
  readonly baseline: StoredContent;
  readonly current: StoredContent;
};

type StoredPart = {
  readonly path: string;
  readonly undone:
    | Extract<Undo['parts'][number]['undone'], { readonly kind: 'lines' }>
    | { readonly kind: 'file'; readonly before: StoredReview; readonly after: StoredContent };
};

export interface StoredLedger {
  readonly files: readonly (readonly [string, StoredReview])[];
  readonly undos: readonly { readonly id: number; readonly parts: readonly StoredPart[] }[];
}

/** @param put keeps a content's text and says how to store it. */
export function storedLedger(
  ledger: Ledger,
  put: (content: FileContent) => StoredContent,
): StoredLedger {
  const review = (value: FileReview): StoredReview => ({
    ...value,
    baseline: put(value.baseline),
    current: put(value.current),
  });
  return {
    files: [...ledger.files].map(([path, value]) => [path, review(value)] as const),
    undos: ledger.undos.map(({ id, parts }) => ({
      id,
      parts: parts.map(({ path, undone }) => ({
        path,
        undone:
          undone.kind === 'lines'
            ? undone
            : { kind: undone.kind, before: review(undone.before), after: put(undone.after) },
      })),
    })),
  };
}

/**
 * The ledger as it was. What cannot be read any more is left out.
 * @param get undefined when a text is not kept
 */
export async function readLedger(
  stored: StoredLedger,
  get: (content: StoredContent) => Promise<FileContent | undefined>,
): Promise<Ledger> {
  const review = async (value: StoredReview): Promise<FileReview | undefined> => {
    const [baseline, current] = await Promise.all([get(value.baseline), get(value.current)]);
    return baseline && current && { ...value, baseline, current };
  };
  const files = new Map<string, FileReview>();
  await inParallel(stored.files, async ([path, value]) => {
    const read = await review(value);
    if (read) files.set(path, read);
  });
  const undos: Undo[] = [];
  for (const { id, parts } of stored.undos) {
    const read: Undo['parts'][number][] = [];
    for (const { path, undone } of parts) {
      if (!files.has(path)) continue;
      if (undone.kind === 'lines') {
        read.push({ path, undone });
        continue;
      }
      const [before, after] = await Promise.all([review(undone.before), get(undone.after)]);
      if (before && after) read.push({ path, undone: { kind: 'file', before, after } });
    }
    if (read.length > 0) undos.push({ id, parts: read });
  }
  return { files: PersistentMap.from(files), undos };
}
