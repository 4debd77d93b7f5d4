import { PersistentMap } from '../../../src/base/persistentMap';
import type { Ledger, Step, Write } from '../../../src/review/core/ledger';

/** The ledger after `steps`, and what they wrote. */
export function applied(
  ledger: Ledger,
  steps: readonly Step[],
): { readonly ledger: Ledger; readonly writes: readonly Write[] } {
  return {
    ledger: steps.reduce((now, step) => step.apply(now), ledger),
    writes: steps.flatMap(({ writes }) => writes),
  };
}

/** The ledger as it comes back from storage. */
export function parsed(ledger: Ledger): Ledger {
  const stored = JSON.stringify({ files: [...ledger.files], undos: ledger.undos });
  const { files, undos } = JSON.parse(stored) as {
    files: [string, never][];
    undos: Ledger['undos'];
  };
  return { files: PersistentMap.from(files), undos };
}
