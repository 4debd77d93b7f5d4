/** Checks messages of an agent against the protocol's own JSON Schema. */
import assert from 'node:assert/strict';
import Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv';
import v1 from '@agentclientprotocol/sdk/schema/v1/schema.json';

type Role = 'Request' | 'Response' | 'Notification';

const INTEGERS = ['uint16', 'uint32', 'uint64', 'int32', 'int64'];

/** One for a whole test file: it counts what it has seen. */
export class SchemaCheck {
  /** How often each method or update kind was seen and valid. */
  readonly seen = new Map<string, number>();
  private readonly validators = new Map<string, ValidateFunction>();

  constructor() {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    for (const format of INTEGERS) ajv.addFormat(format, { type: 'number', validate: isWhole });
    ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
    ajv.addFormat('uri', { type: 'string', validate: value => URL.canParse(value) });
    ajv.addSchema(v1, 'acp');
    for (const [name, definition] of Object.entries(v1.$defs)) {
      const method = 'x-method' in definition ? definition['x-method'] : undefined;
      const role = /(?:Request|Response|Notification)$/.exec(name)?.[0];
      if (method === undefined || role === undefined) continue;
      const validator = ajv.compile({ $ref: `acp#/$defs/${name}` });
      this.validators.set(`${method} ${role}`, validator);
    }
  }

  /** @param answered the method that a response answers. */
  message(message: Readonly<Record<string, unknown>>, answered?: string): void {
    assert.equal(message['jsonrpc'], '2.0');
    const { method } = message;
    if (typeof method === 'string') {
      this.check(method, 'id' in message ? 'Request' : 'Notification', message['params']);
      const update = (message['params'] as { update?: { sessionUpdate: string } }).update;
      if (update) this.count(update.sessionUpdate);
    } else if ('error' in message) {
      const { code, message: text } = message['error'] as { code: unknown; message: unknown };
      assert.ok(Number.isInteger(code), 'an error has a whole number as its code');
      assert.equal(typeof text, 'string');
    } else {
      assert.ok(answered, `a response to nothing: ${JSON.stringify(message)}`);
      this.check(answered, 'Response', message['result']);
    }
  }

  private check(method: string, role: Role, value: unknown): void {
    const validator = this.validators.get(`${method} ${role}`);
    assert.ok(validator, `the protocol has no ${role} ${method}`);
    const problems = (): string => JSON.stringify(validator.errors, null, 1).slice(0, 3000);
    assert.ok(validator(value), `${method} ${role}: ${JSON.stringify(value)}\n${problems()}`);
    this.count(method);
  }

  private count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value);
}
