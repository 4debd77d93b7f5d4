/**
 * The user's values of a setting. In a remote window (SSH, WSL, a container) there are two: of the user
 * settings and of the remote ones. Both count, and the remote one first.
 */
import { isRecord } from '../../base/isRecord';

/** What VS Code answers to `inspect`; the last two are not in its types. */
export interface InspectedValue {
  readonly defaultValue?: unknown;
  /** Both, joined deeply: an entry with parts of each is nobody's. */
  readonly globalValue?: unknown;
  readonly globalLocalValue?: unknown;
  readonly globalRemoteValue?: unknown;
}

export interface UserValues {
  /** The default where the user has set nothing. */
  readonly local: unknown;
  /** Undefined outside remote windows, too. */
  readonly remote: unknown;
}

export function userValues(inspected: InspectedValue | undefined): UserValues {
  const { globalValue, globalLocalValue, globalRemoteValue: remote } = inspected ?? {};
  const local = globalLocalValue ?? (remote === undefined ? globalValue : undefined);
  return { local: local ?? (remote === undefined ? inspected?.defaultValue : undefined), remote };
}

/** One value of both. Of objects each name counts, and as a whole: the remote one's first. */
export function joined({ local, remote }: UserValues): unknown {
  if (isRecord(local) && isRecord(remote)) return { ...local, ...remote };
  return remote ?? local;
}
