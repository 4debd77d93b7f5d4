import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import {
  ARCHIVE_SESSION_METHOD,
  FORK_SESSION_METHOD,
  SET_MODEL_METHOD,
  SET_TITLE_METHOD,
  STEER_METHOD,
  UNARCHIVE_SESSION_METHOD,
} from '../../src/acp/schema/methods';
import type { Traffic } from '../../src/acp/transport/transport';

type Json = Record<string, unknown>;

interface Schema {
  readonly $defs: Record<string, Definition>;
}

type Definition = Json & {
  readonly properties?: Json;
  readonly 'x-method'?: string;
  readonly 'x-side'?: 'agent' | 'client' | 'protocol';
};

type Version = 'v1' | 'v2';

const read = (version: Version): Schema =>
  JSON.parse(
    readFileSync(
      createRequire(__filename).resolve(`@agentclientprotocol/sdk/schema/${version}/schema.json`),
      'utf8',
    ),
  ) as Schema;
const schemas = { v1: read('v1'), v2: read('v2') };

/** Methods that Parley sends though the schema does not have them, with what they have to look like. */
const OTHER_METHODS: Record<string, Definition> = {
  [SET_MODEL_METHOD]: {
    type: 'object',
    properties: { sessionId: { type: 'string' }, modelId: { type: 'string' } },
    required: ['sessionId', 'modelId'],
  },
  [SET_TITLE_METHOD]: {
    type: 'object',
    properties: { sessionId: { type: 'string' }, title: { type: 'string' } },
    required: ['sessionId', 'title'],
  },
  [ARCHIVE_SESSION_METHOD]: {
    type: 'object',
    properties: { sessionId: { type: 'string' } },
    required: ['sessionId'],
  },
  [UNARCHIVE_SESSION_METHOD]: {
    type: 'object',
    properties: { sessionId: { type: 'string' } },
    required: ['sessionId'],
  },
  [STEER_METHOD]: {
    type: 'object',
    properties: {
      sessionId: { type: 'string' },
      prompt: { type: 'array', minItems: 1 },
      _meta: {},
    },
    required: ['sessionId', 'prompt'],
  },
  [FORK_SESSION_METHOD]: {
    type: 'object',
    properties: { sessionId: {}, cwd: {}, additionalDirectories: {}, mcpServers: {} },
    required: ['sessionId', 'cwd'],
  },
};

export const definitions: Readonly<Record<string, Definition>> = schemas.v1.$defs;
export const definitionsOfV2: Readonly<Record<string, Definition>> = schemas.v2.$defs;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
for (const bits of [8, 16, 32, 64]) {
  ajv.addFormat(`uint${bits}`, {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && value >= 0 && value < 2 ** bits,
  });
}
ajv.addSchema(schemas.v1, 'v1');
ajv.addSchema(schemas.v2, 'v2');

interface Rule {
  readonly properties: ReadonlySet<string> | undefined;
  readonly validate: ValidateFunction;
}

interface Rules {
  readonly params: Map<string, Rule>;
  readonly result: Map<string, Rule>;
  readonly error: Rule;
}

/** The definition for a method, by the kind of message. */
const rules: Readonly<Record<Version, Rules>> = { v1: rulesOf('v1'), v2: rulesOf('v2') };
for (const [method, definition] of Object.entries(OTHER_METHODS)) {
  const rule = ruleOf(definition, ajv.compile(definition));
  for (const version of ['v1', 'v2'] as const) {
    if (!rules[version].params.has(method)) rules[version].params.set(method, rule);
  }
}
// Nobody knows yet which version will be spoken: the first request says what each wants to know.
for (const version of ['v1', 'v2'] as const) {
  const { params } = rules[version];
  const own = params.get('initialize');
  const all = [schemas.v1, schemas.v2].flatMap(({ $defs }) =>
    Object.keys($defs['InitializeRequest']?.properties ?? {}),
  );
  if (own) params.set('initialize', { ...own, properties: new Set(all) });
}

function rulesOf(version: Version): Rules {
  return {
    params: rulesFor(version, ['agent', 'protocol'], /Request$|Notification$/),
    result: rulesFor(version, ['client'], /Response$/),
    error: ruleOf(schemas[version].$defs['Error'] ?? {}, compiled(version, 'Error')),
  };
}

function rulesFor(version: Version, sides: readonly string[], names: RegExp): Map<string, Rule> {
  const found = new Map<string, Rule>();
  for (const [name, definition] of Object.entries(schemas[version].$defs)) {
    const method = definition['x-method'];
    if (method === undefined || !sides.includes(definition['x-side'] ?? '') || !names.test(name)) {
      continue;
    }
    found.set(method, ruleOf(definition, compiled(version, name)));
  }
  return found;
}

function compiled(version: Version, name: string): ValidateFunction {
  const validate = ajv.getSchema(`${version}#/$defs/${name}`);
  if (validate === undefined) throw new Error(`The schema has no ${name}`);
  return validate;
}

/** Definitions that leave their fields to a union name no properties that could be checked for typos. */
function ruleOf(definition: Definition, validate: ValidateFunction): Rule {
  const open = ['anyOf', 'oneOf', 'allOf'].some(key => key in definition);
  const { properties } = definition;
  return {
    properties: open || properties === undefined ? undefined : new Set(Object.keys(properties)),
    validate,
  };
}

/** Methods the client may send, by the schema. */
export const agentMethods: readonly string[] = [...rules.v1.params.keys()];
/** Methods the client has to answer, by the schema. */
export const clientMethods: readonly string[] = [...rules.v1.result.keys()];

/**
 * Checks one message that Parley sent against the SDK's JSON Schema: its envelope, its parameters or
 * result by the definition of its method, and that no field is sent that the definition does not have.
 * @param json the raw line
 * @param answered for a response, the method it answers; without it only the envelope is checked
 * @returns what is wrong, in words; empty when nothing is
 */
export function validateSent(json: string, answered?: string, version: Version = 'v1'): string[] {
  const { params, result, error } = rules[version];
  const message = JSON.parse(json) as Json;
  const problems: string[] = [];
  if (json.includes('\n')) problems.push('a message must be one line');
  if (message['jsonrpc'] !== '2.0') problems.push('jsonrpc must be "2.0"');
  const method = message['method'];
  if (typeof method === 'string') {
    const id = message['id'];
    if (id !== undefined && !Number.isInteger(id)) problems.push('our ids are integers');
    return [...problems, ...fields(message, ['jsonrpc', 'id', 'method', 'params'])].concat(
      check(params.get(method), message['params'], `params of ${method}`),
    );
  }
  if (!('id' in message)) problems.push('a response needs an id');
  if ('result' in message === 'error' in message) problems.push('a response needs one of both');
  problems.push(...fields(message, ['jsonrpc', 'id', 'result', 'error']));
  if ('error' in message) problems.push(...check(error, message['error'], 'error'));
  else if (answered !== undefined) {
    const what = `result of ${answered}`;
    problems.push(...check(result.get(answered), message['result'], what));
  }
  return problems;
}

function check(rule: Rule | undefined, value: unknown, what: string): string[] {
  if (rule === undefined) return [`${what}: the schema has no such method`];
  const problems = rule.validate(value)
    ? []
    : (rule.validate.errors ?? []).map(
        error => `${what}: ${error.instancePath || '/'} ${error.message ?? ''}`,
      );
  if (rule.properties !== undefined && typeof value === 'object' && value !== null) {
    problems.push(...fields(value as Json, [...rule.properties]).map(text => `${what}: ${text}`));
  }
  return problems;
}

function fields(value: Json, known: readonly string[]): string[] {
  return Object.keys(value)
    .filter(key => !known.includes(key))
    .map(key => `unknown field "${key}"`);
}

/**
 * Checks all that passes a connection; its `tap` goes into a transport. Responses are checked by the
 * method of the request they answer, and must answer one.
 */
export class SentValidator {
  /** One line a problem, with the message it is about. */
  readonly problems: string[] = [];
  /** Methods of requests and notifications that were sent. */
  readonly called = new Set<string>();
  /** Methods of requests that were answered with a result. */
  readonly answered = new Set<string>();
  private readonly asked = new Map<unknown, string>();

  constructor(private readonly version: Version = 'v1') {}

  readonly tap = ({ direction, json }: Traffic): void => {
    if (direction === 'receive') this.received(JSON.parse(json) as Json);
    else this.sent(json);
  };

  private received({ id, method }: Json): void {
    if (typeof method === 'string' && id !== undefined) this.asked.set(id, method);
  }

  private sent(json: string): void {
    const message = JSON.parse(json) as Json;
    let answered: string | undefined;
    if (typeof message['method'] === 'string') this.called.add(message['method']);
    else {
      answered = this.asked.get(message['id']);
      this.asked.delete(message['id']);
      if (answered === undefined) this.problems.push(`answers nothing: ${json}`);
      else if ('result' in message) this.answered.add(answered);
    }
    const problems = validateSent(json, answered, this.version);
    this.problems.push(...problems.map(problem => `${problem}: ${json.slice(0, 300)}`));
  }
}
