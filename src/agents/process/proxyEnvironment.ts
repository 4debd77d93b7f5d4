import { isThisMachine } from '../registry/addresses';
import { getVariable, type Env } from './environmentVariables';

/** What the user has set in VS Code about how programs reach the network. */
export interface ProxySettings {
  /** `http.proxy`. */
  readonly proxy?: string;
  /** `http.noProxy`: hosts that are reached without it. */
  readonly noProxy?: readonly string[];
  /** `http.proxyStrictSSL`: false accepts any certificate. */
  readonly strictSsl?: boolean;
  /** A file with the certificates that the system trusts. */
  readonly certificates?: string;
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

/** Whether a proxy may stand between here and that host: one is named, for whichever hosts. */
export function mayUseProxy(hostname: string, env: Env, { proxy = '' }: ProxySettings): boolean {
  if (isThisMachine(hostname)) return false;
  const names = [...PROXIES, ...PROXIES.map(name => name.toLowerCase())];
  return proxy !== '' || names.some(name => (getVariable(env, name) ?? '') !== '');
}

/** Who is named in a proxy's address, with the password: the scheme may be absent, a password may have an `@`. */
const USER = /^([^:/@]*:\/\/)?(.*)@/;

export function withoutUser(address: string): string {
  return address.replace(USER, '$1•••@');
}

/** Names with passwords in the addresses of proxies, and the passwords alone. */
export function proxySecrets(env: Env): string[] {
  return [...PROXIES, ...PROXIES.map(name => name.toLowerCase())].flatMap(name => {
    const user = USER.exec(getVariable(env, name) ?? '')?.[2] ?? '';
    return user === '' ? [] : [user, user.slice(user.indexOf(':') + 1)];
  });
}

/** A proxy that a program was given: its address without who is named in it, and who says so. */
export interface UsedProxy {
  readonly address: string;
  readonly from: 'agent' | 'shell' | 'setting';
}

/**
 * @param env all that the program was given
 * @param configured what the user has set for this agent
 * @param shell what the shell has said
 */
export function usedProxy(env: Env, configured: Env, shell: Env): UsedProxy | undefined {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']) {
    const spelling = [name, name.toLowerCase()].find(one => (getVariable(env, one) ?? '') !== '');
    if (spelling === undefined) continue;
    const says = (other: Env) => getVariable(other, spelling) !== undefined;
    const from = says(configured) ? 'agent' : says(shell) ? 'shell' : 'setting';
    return { address: withoutUser(getVariable(env, spelling) ?? ''), from };
  }
  return undefined;
}

const CERTIFICATES = ['NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_EXTRA_CA_CERTS'];

/** `env` with what `agent`, the environment of an agent, says about the network: some agents start servers without it. */
export function withNetworkOf(agent: Env, env: Env): Env {
  const says = (name: string) =>
    (getVariable(env, name) ?? getVariable(env, name.toLowerCase())) !== undefined;
  const names = [
    ...(PROXIES.some(says) ? [] : PROXIES),
    ...['NO_PROXY', ...CERTIFICATES].filter(name => !says(name)),
  ];
  const added: Record<string, string> = {};
  for (const name of names) {
    // One name in two spellings is one variable on Windows.
    const spellings = process.platform === 'win32' ? [name] : [name, name.toLowerCase()];
    for (const spelling of spellings) {
      const value = getVariable(agent, spelling);
      if (value !== undefined) added[spelling] = value;
    }
  }
  return { ...added, ...env };
}

/** `env` with what the user's proxy settings add to it. What the shell says itself counts. */
export function withProxy(env: Env, settings: ProxySettings): Env {
  const { proxy, noProxy = [], strictSsl, certificates } = settings;
  const says = (name: string) =>
    (getVariable(env, name) ?? getVariable(env, name.toLowerCase())) !== undefined;
  const added: Record<string, string> = {};
  const add = (name: string, value: string) => {
    added[name] = value;
    // Programs read either; on Windows both are one.
    if (process.platform !== 'win32') added[name.toLowerCase()] = value;
  };
  if (proxy !== undefined && proxy !== '' && !PROXIES.some(says)) {
    add('HTTP_PROXY', proxy);
    add('HTTPS_PROXY', proxy);
    if (noProxy.length > 0 && !says('NO_PROXY')) add('NO_PROXY', noProxy.join(','));
  }
  if (strictSsl === false && !says('NODE_TLS_REJECT_UNAUTHORIZED')) {
    added['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  }
  if (certificates !== undefined && !says('NODE_EXTRA_CA_CERTS')) {
    added['NODE_EXTRA_CA_CERTS'] = certificates;
  }
  return { ...added, ...env };
}
