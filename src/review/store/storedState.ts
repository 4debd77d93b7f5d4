import type { StoredOriginal } from '../checkpoints/originals';
import type { StoredRewind } from '../checkpoints/rewind';
import type { Ledger } from '../core/ledger';
import type { Recoverable } from './historyLimit';
import type { StoredContent, StoredLedger } from './ledgerJson';

/** What is kept of a review: plain JSON, texts by their hashes. */
export interface StoredState {
  readonly version: 1;
  readonly ledger: StoredLedger;
  readonly originals: readonly (readonly [string, StoredOriginal])[];
  readonly rewind: StoredRewind;
  readonly removed?: readonly (readonly [string, StoredOriginal])[];
  /** Where HEAD was, by the root of each repository. */
  readonly heads?: readonly (readonly [string, string])[];
}

/** @throws Error when it is none of this version */
export function parseState(text: string): StoredState {
  const state = JSON.parse(text) as StoredState;
  if (state.version !== 1) throw new Error(`Version ${String(state.version)} is not known`);
  return state;
}

/** Where the files under review are, and where they come back to. */
export function placesIn({ files, undos }: Ledger): ReadonlySet<string> {
  const places = new Set(files.keys());
  for (const [, { renamedFrom }] of files) if (renamedFrom !== undefined) places.add(renamedFrom);
  for (const { undone } of undos.flatMap(({ parts }) => parts)) {
    if (undone.kind === 'lines' || undone.before.renamedFrom === undefined) continue;
    places.add(undone.before.renamedFrom);
  }
  return places;
}

export function* hashesIn(content: StoredContent): Iterable<string> {
  if (content.kind === 'text') yield content.blob;
  else if (content.kind === 'binary') yield content.hash;
}

export function* hashesOf({ files, undos }: StoredLedger): Iterable<string> {
  for (const [, review] of files) {
    yield* hashesIn(review.baseline);
    yield* hashesIn(review.current);
  }
  for (const { undone } of undos.flatMap(({ parts }) => parts)) {
    if (undone.kind === 'lines') continue;
    yield* hashesIn(undone.before.baseline);
    yield* hashesIn(undone.before.current);
    yield* hashesIn(undone.after);
  }
}

export function undoCost({ parts }: StoredLedger['undos'][number]): Recoverable {
  const hashes: string[] = [];
  let bytes = 0;
  for (const { undone } of parts) {
    if (undone.kind === 'lines') {
      for (const line of [...undone.restored, ...undone.removed]) bytes += line.length;
    } else {
      const { before, after } = undone;
      for (const content of [before.baseline, before.current, after]) {
        hashes.push(...hashesIn(content));
      }
    }
  }
  return { hashes, bytes };
}
