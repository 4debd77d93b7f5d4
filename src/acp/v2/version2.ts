/**
 * ACP v2 on the wire, and what it is inside: v1's shapes where v1 has them, and v2's own kinds of updates
 * beside them. Like all readers here it throws nothing; guards see afterwards what is of no use.
 */
import { isObject } from '../schema/guards/primitives';
import { AgentMethod, ClientMethod, FORK_SESSION_METHOD } from '../schema/methods';
import { listOfOptions, openedSession } from './answers';
import { withTypes } from './mcpServers';
import { PermissionReader } from './permissions';
import { updateOf } from './updates';

/** A request as it goes out. */
export interface Call {
  readonly method: string;
  readonly params: object;
}

export class Version2 {
  private readonly permissions = new PermissionReader();

  /** A request of v1's as v2's. */
  call(method: string, params: object): Call {
    switch (method) {
      case AgentMethod.authenticate:
        return { method: 'auth/login', params };
      case AgentMethod.logout:
        return { method: 'auth/logout', params };
      case AgentMethod.loadSession:
        return {
          method: AgentMethod.resumeSession,
          params: { ...withTypes(params), replayFrom: { type: 'start' } },
        };
      case AgentMethod.newSession:
      case AgentMethod.resumeSession:
      case FORK_SESSION_METHOD:
        return { method, params: withTypes(params) };
      case AgentMethod.setConfigOption:
        // A boolean says its type in v1 too.
        return { method, params: { type: 'id', ...params } };
      default:
        return { method, params };
    }
  }

  /** What was answered to `method` of v1. */
  result(method: string, result: unknown): unknown {
    switch (method) {
      case AgentMethod.newSession:
      case AgentMethod.loadSession:
      case AgentMethod.resumeSession:
      case FORK_SESSION_METHOD:
        return openedSession(result);
      case AgentMethod.setConfigOption:
        return isObject(result)
          ? { ...result, configOptions: listOfOptions(result['configOptions']) }
          : result;
      default:
        return result;
    }
  }

  /** The parameters of a `session/update`. */
  update(params: unknown): unknown {
    if (!isObject(params) || !isObject(params['update'])) return params;
    return { ...params, update: updateOf(params['update']) };
  }

  /** The parameters of a request of the agent. */
  request(method: string, params: unknown): unknown {
    return method === ClientMethod.requestPermission ? this.permissions.read(params) : params;
  }
}
