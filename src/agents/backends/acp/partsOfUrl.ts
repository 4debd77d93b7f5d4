import { shownUrl } from '../../../base/shownUrl';

/** Where the server is: its host, and its port if the address names one. */
export function shownHost(url: string): string {
  return shownOrigin(url).replace(/^\w+:\/\//, '');
}

/** The same with how it is spoken to: `wss://agents.example:8443`. */
export function shownOrigin(url: string): string {
  return shownUrl(url).replace(/^((?:\w+:\/\/)?[^/]*).*/s, '$1');
}

/** What of an address may be secret. */
export function secretsOfUrl(url: string): string[] {
  const {
    username = '',
    password = '',
    searchParams,
    hash = '',
  } = (URL.canParse(url) ? new URL(url) : undefined) ?? {};
  const parts = [username, password, hash.slice(1)].flatMap(part => [part, decoded(part)]);
  return [...parts, ...(searchParams?.values() ?? [])].filter(part => part !== '');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
