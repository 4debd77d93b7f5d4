import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { FetchError, hostOf, httpGet } from './httpGet';

export interface DownloadOptions {
  readonly signal: AbortSignal;
  readonly stallMs?: number;
  readonly sha256?: string;
  /** @param fraction undefined where the server does not say how much there is */
  readonly onProgress?: (received: number, fraction: number | undefined) => void;
}

const STALL_MS = 60_000;
const MAX_BYTES = 1_500_000_000;

/** Downloads into `file`, which must not exist. @throws FetchError; the caller removes what there is then. */
export async function download(
  address: string,
  file: string,
  { signal, stallMs = STALL_MS, sha256, onProgress }: DownloadOptions,
): Promise<void> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', 0o600);
  try {
    await httpGet(address, {
      signal,
      stallMs,
      maxBytes: MAX_BYTES,
      onBytes: async (bytes, received, total) => {
        hash.update(bytes);
        await handle.writeFile(bytes);
        onProgress?.(received, total === undefined ? undefined : received / total);
      },
    });
  } finally {
    await handle.close();
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256) {
    throw new FetchError(
      l10n.t(
        'The checksum of the download from {0} does not match the list of agents. Nothing was installed.',
        hostOf(address),
      ),
    );
  }
}
