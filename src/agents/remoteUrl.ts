/** Addresses of agents on other machines. */
import * as l10n from '@vscode/l10n';
import { shownUrl } from '../base/shownUrl';

/** Streamable HTTP, and WebSocket. */
const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'wss:', 'ws:']);

/**
 * Why no agent can be reached at `url`, in a sentence for the user; undefined when one can.
 * @param written the same with variables as configured: their values may be secret
 */
export function remoteUrlProblem(url: string, written = url): string | undefined {
  const parsed = parse(url);
  if (!parsed) {
    // Who knows where the password begins.
    const bare = written.replace(/^(\w+:\/\/)?.*@/s, '$1');
    return l10n.t('"url" is not a valid address: {0}', shownUrl(bare));
  }
  const { protocol } = parsed;
  if (SCHEMES.has(protocol)) return undefined;
  return l10n.t(
    '"url" begins with "{0}", but Parley supports only "https:", "http:", "wss:" and "ws:".',
    protocol,
  );
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
