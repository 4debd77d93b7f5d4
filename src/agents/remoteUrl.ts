/** Addresses of agents on other machines. */
import * as l10n from '@vscode/l10n';

/** Streamable HTTP, and WebSocket. */
const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'wss:', 'ws:']);

/** Why no agent can be reached at `url`, in a sentence for the user; undefined when one can. */
export function remoteUrlProblem(url: string): string | undefined {
  const parsed = parse(url);
  if (!parsed) return l10n.t('"url" is not a valid address: {0}', url);
  const { protocol } = parsed;
  if (SCHEMES.has(protocol)) return undefined;
  return l10n.t(
    '"url" begins with "{0}", but Parley supports only "https:", "http:", "wss:" and "ws:".',
    protocol,
  );
}

/** `url` as it may be shown. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^/?#@:]*):[^/?#@]*@/, '$1:•••@');
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
