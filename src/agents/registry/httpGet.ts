import * as l10n from '@vscode/l10n';
import { isLocalOrSecure } from './addresses';

/** What goes wrong on the way to a server, in the user's words. */
export class FetchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchError';
  }
}

export interface GetOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each answer, and between any two pieces of one. */
  readonly stallMs: number;
  readonly maxBytes: number;
  readonly onBytes: (
    bytes: Uint8Array,
    received: number,
    total: number | undefined,
  ) => Promise<void> | void;
}

const MAX_REDIRECTS = 5;

/**
 * Reads what is at `address`, piece by piece. Redirects are followed to servers that are as safe as the first.
 * @throws FetchError in the user's words; the signal's reason when aborted
 */
export async function httpGet(address: string, options: GetOptions): Promise<void> {
  const { signal, maxBytes, onBytes } = options;
  const stalled = new AbortController();
  const stop = AbortSignal.any([signal, stalled.signal]);
  const timer = setTimeout(() => stalled.abort(), options.stallMs);
  try {
    const response = await follow(address, stop);
    if (!response.ok || !response.body) {
      throw new FetchError(
        l10n.t('{0} answered with status {1}.', hostOf(address), response.status),
      );
    }
    const length = Number(response.headers.get('content-length') ?? NaN);
    const isEncoded = response.headers.get('content-encoding') !== null;
    const total = Number.isFinite(length) && !isEncoded ? length : undefined;
    let received = 0;
    for await (const piece of response.body as AsyncIterable<Uint8Array>) {
      timer.refresh();
      received += piece.byteLength;
      if (received > maxBytes) {
        throw new FetchError(
          l10n.t('The download from {0} is larger than {1} MB.', hostOf(address), maxBytes / 1e6),
        );
      }
      await onBytes(piece, received, total);
    }
    if (total !== undefined && received < total) throw new FetchError(cutShort(address));
  } catch (error) {
    if (error instanceof FetchError) throw error;
    signal.throwIfAborted();
    if (stalled.signal.aborted) {
      throw new FetchError(l10n.t('{0} does not answer.', hostOf(address)), { cause: error });
    }
    throw new FetchError(describe(address, error), { cause: error });
  } finally {
    clearTimeout(timer);
    // Whatever is left of the answer is not wanted.
    stalled.abort();
  }
}

async function follow(first: string, signal: AbortSignal): Promise<Response> {
  let address = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!isLocalOrSecure(address)) {
      throw new FetchError(l10n.t('{0} is not an HTTPS address.', address));
    }
    const response = await fetch(address, { redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    if (new URL(first).protocol === 'https:' && next.protocol !== 'https:') {
      throw new FetchError(l10n.t('{0} redirects to an address without HTTPS.', hostOf(address)));
    }
    address = next.href;
  }
  throw new FetchError(l10n.t('{0} redirects too many times.', hostOf(first)));
}

function cutShort(address: string): string {
  return l10n.t('The connection to {0} ended too early.', hostOf(address));
}

function describe(address: string, error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return cutShort(address);
  const reason = typeof code === 'string' ? code : String(cause);
  return l10n.t('{0} cannot be reached ({1}).', hostOf(address), reason);
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
