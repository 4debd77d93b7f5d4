import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type * as schema from '../../../acp/schema/schema';
import type { Protocol } from '../../definitions';

/** Whether a session can be held in the version that the agent answered. */
export function speaks(protocol: Protocol, version: number): boolean {
  return (version === 1 && protocol !== 'v2') || (version === 2 && protocol !== 'v1');
}

/**
 * Says who asks and what it can show: agents leave out what they are not asked for. Asked for v2, an agent that
 * knows v1 alone answers that: it finds what v1 needs, too.
 */
export function initializeRequest(
  version: 1 | 2,
  isLocal: boolean,
  clientVersion: string,
): schema.InitializeRequest {
  const info = { name: 'parley', title: 'Parley', version: clientVersion };
  const clientCapabilities = clientCapabilitiesOf(isLocal);
  const v1 = { protocolVersion: version, clientInfo: info, clientCapabilities };
  if (version === 1) return v1;
  const { elicitation, _meta } = clientCapabilities;
  const auth = isLocal && { auth: { terminal: {} } };
  return { ...v1, info, capabilities: { elicitation, ...auth, _meta } } as typeof v1;
}

/** The agent has answered that it does not speak the version it was asked for, instead of saying which it does. */
export function refusesVersion(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return VERSION_CODES.has(error.code) || /version/i.test(error.message);
}

const UNSUPPORTED_VERSION = -32022;
const VERSION_CODES: ReadonlySet<number> = new Set([
  UNSUPPORTED_VERSION,
  ErrorCode.invalidParams,
  ErrorCode.invalidRequest,
]);

/** @param isLocal whether commands that sign the user in can run where the agent runs */
function clientCapabilitiesOf(isLocal: boolean): schema.DraftClientCapabilities {
  return {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    elicitation: { form: {}, url: {} },
    subagents: {},
    plan: {},
    ...(isLocal && { auth: { terminal: true } }),
    _meta: {
      // Commands that agents run themselves come as terminals with an exit code, else as text.
      terminal_output: true,
      terminal_output_delta: true,
      // What subagents say, from agents that know no `subagents` yet.
      'subagent-transcript': true,
      // Older than `auth.terminal`, and what many agents still ask before they offer a sign-in.
      ...(isLocal && { 'terminal-auth': true }),
    },
  };
}
