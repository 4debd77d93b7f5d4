/** Codex without an adapter: its CLI as a server, spoken to in its own protocol. */
import type * as schema from '../../../acp/schema/schema';
import type { Account, Backend, BackendHost } from '../../backend';
import type { CodexAgent as Definition } from '../../definitions';
import { signInMethods } from '../acp/authMethods';
import type { Product } from '../inProcess/product';
import { startProduct } from '../inProcess/startProduct';
import { CodexAgent } from './codexAgent';
import { API_KEY_METHOD } from './signIn';

const CODEX: Product = {
  title: 'Codex',
  install: 'npm install -g @openai/codex',
  update: 'npm install -g @openai/codex',
  version: /codex(?:-cli)? (\d+)\.(\d+)\.(\d+)/,
  // Run: 0.171.0. From where on it works is not known: what is far older is refused.
  least: [0, 150, 0],
};

export const codexBackend: Backend<Definition> = {
  start: (definition, start, signal) =>
    startProduct(
      CODEX,
      definition,
      start,
      parts => new CodexAgent(parts),
      signal,
      (account, initialized) => withKey(account, definition.name, initialized, start.host),
    ),
};

/** A key is for Codex itself to keep, as `codex login` does. */
function withKey(
  account: Account,
  name: string,
  initialized: schema.InitializeResponse,
  { signIn, onSecrets }: BackendHost,
): Account {
  return {
    ...account,
    async signIn(methodId, connect, signal) {
      const method = signInMethods(initialized).find(({ id }) => id === methodId);
      if (methodId !== API_KEY_METHOD || method?.type !== 'env_var') {
        return account.signIn(methodId, connect, signal);
      }
      const asked = { ...method, keeper: CODEX.title };
      const [apiKey] = Object.values((await signIn?.askVariables(name, asked, signal)) ?? {});
      if (apiKey === undefined || signal.aborted) return undefined;
      onSecrets?.([apiKey]);
      const link = await connect();
      await link.authenticate({ methodId, _meta: { apiKey } }, signal);
      return 'done';
    },
  };
}
