/** What the schema's definitions name: kinds, methods, capabilities. Read from the JSON, so that nothing is forgotten. */
import { agentMethods, clientMethods, definitions, definitionsOfV2 } from './schema';

type Json = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, Json>>;

/** The values that a definition allows: those of an enumeration, or of the field that tells its kinds apart. */
export function kindsOf(name: string, all: Definitions = definitions): readonly string[] {
  const definition = all[name] as Json;
  const variants = (definition['oneOf'] ?? definition['anyOf']) as readonly Json[];
  return variants.flatMap(variant => {
    if (isName(variant['const'])) return [`${variant['const']}`];
    const properties = Object.values((variant['properties'] ?? {}) as Json) as Json[];
    const tag = properties.map(property => property['const']).find(isName);
    if (tag !== undefined) return [`${tag}`];
    // What stands for all that is to come has no name of its own.
    const { title } = variant;
    return isName(title) && title !== 'other' ? [`${title}`] : [];
  });
}

function isName(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** The codes of errors, without the one that stands for all others. */
export function errorCodes(): readonly string[] {
  return kindsOf('ErrorCode').filter(code => /^-\d+$/.test(code));
}

/** The capabilities below a definition, as paths: `session.notices`. */
export function capabilitiesOf(
  name: string,
  prefix = '',
  all: Definitions = definitions,
): readonly string[] {
  const properties = ((all[name] as Json)['properties'] ?? {}) as Json;
  return Object.entries(properties).flatMap(([key, value]) => {
    if (key === '_meta') return [];
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const inner = referenced(value as Json);
    const below = inner === undefined ? [] : capabilitiesOf(inner, path, all);
    return below.length > 0 ? below : [path];
  });
}

function referenced(value: Json): string | undefined {
  const all = [value, ...((value['anyOf'] ?? value['allOf'] ?? []) as readonly Json[])];
  const reference = all.map(each => each['$ref']).find(each => typeof each === 'string');
  return reference?.split('/').at(-1);
}

export const methods = {
  /** What the client calls. */
  agent: agentMethods.filter(method =>
    Object.values(definitions).some(definition => definition['x-method'] === method),
  ),
  /** What the agent calls and the client answers. */
  client: clientMethods,
  /** What the agent tells. */
  notifications: Object.values(definitions).flatMap(definition =>
    definition['x-side'] === 'client' &&
    typeof definition['x-method'] === 'string' &&
    !clientMethods.includes(definition['x-method'])
      ? [definition['x-method']]
      : [],
  ),
};

const byMethod = (side: string, suffix: RegExp) =>
  Object.entries(definitionsOfV2).flatMap(([name, { 'x-method': method, 'x-side': own }]) =>
    own === side && suffix.test(name) && typeof method === 'string' ? [method] : [],
  );

export const v2 = {
  definitions: definitionsOfV2,
  /** What the client calls, asks and tells. */
  agent: [...byMethod('agent', /Request$|Notification$/), ...byMethod('protocol', /./)],
  client: byMethod('client', /Request$/),
  notifications: byMethod('client', /Notification$/),
};
