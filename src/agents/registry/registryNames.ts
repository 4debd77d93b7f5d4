/** Names of agents and versions in the registry. Both name folders, too. */
const ID = /^[a-z][a-z0-9-]{0,63}$/;
const VERSION = /^\d[\w+-]*(?:\.[\w+-]+)*$/;

export function isAgentId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id);
}

export function isVersion(version: unknown): version is string {
  return typeof version === 'string' && version.length <= 64 && VERSION.test(version);
}
