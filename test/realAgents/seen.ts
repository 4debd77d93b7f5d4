/** What of the protocol passes between Parley and an agent, by the groups and names of `docs/conformance.md`. */
import type { Traffic } from '../../src/acp/transport/transport';
import { asList as listOf, asObject, asString, type Json } from './llm/json';

/** Names by their group. */
export type Seen = ReadonlyMap<string, ReadonlySet<string>>;

export class SeenProtocol {
  readonly names = new Map<string, Set<string>>();
  /** Methods of requests that wait for their answer, by who asked. */
  private readonly asked = {
    send: new Map<unknown, string>(),
    receive: new Map<unknown, string>(),
  };

  readonly tap = ({ direction, json }: Traffic): void => {
    const message = asObject(JSON.parse(json));
    const method = asString(message['method']);
    const other = direction === 'send' ? 'receive' : 'send';
    if (method !== undefined) {
      if ('id' in message) this.asked[direction].set(message['id'], method);
      const params = asObject(message['params']);
      if (direction === 'receive') this.heard(method, params, 'id' in message);
      else this.said(method, params, 'id' in message);
      return;
    }
    const answered = this.asked[other].get(message['id']);
    if (direction === 'receive' && answered) this.answered(answered, message);
  };

  private add(group: string, ...names: readonly unknown[]): void {
    for (const name of names) {
      if (typeof name !== 'string') continue;
      this.names.set(group, (this.names.get(group) ?? new Set()).add(name));
    }
  }

  private heard(method: string, params: Json, isRequest: boolean): void {
    this.add(isRequest ? 'What agents call' : 'What agents report', method);
    if (method === 'session/update') this.update(asObject(params['update']));
    if (method === 'session/request_permission') {
      this.call(asObject(params['toolCall']));
      const subject = asObject(params['subject']);
      this.add('What permission is asked for', subject['type']);
      this.call(asObject(subject['toolCall']));
      const options = listOf(params['options']).map(option => option['kind']);
      this.add('Kinds of permission options', ...options);
    }
    if (method === 'elicitation/create') {
      const properties = Object.values(asObject(asObject(params['requestedSchema'])['properties']));
      this.add('Fields of forms', ...properties.map(property => asObject(property)['type']));
    }
  }

  private said(method: string, params: Json, isRequest: boolean): void {
    if (!isRequest) this.add('What Parley calls', method);
    if (method === 'session/prompt') {
      this.add('Content in prompts', ...listOf(params['prompt']).map(({ type }) => type));
    }
    const servers = listOf(params['mcpServers']).map(({ type }) => type ?? 'stdio');
    this.add('MCP servers', ...servers);
  }

  private answered(method: string, message: Json): void {
    const error = asObject(message['error']);
    if ('code' in error) {
      const code = String(error['code']);
      if (method === 'session/prompt') this.add('Errors that agents answer a prompt with', code);
      return;
    }
    this.add('What Parley calls', method);
    this.add('What Parley calls outside the stable schema', method);
    const result = asObject(message['result']);
    if (method === 'session/prompt') this.add('Stop reasons', result['stopReason']);
    if (method !== 'initialize') return;
    const capabilities = asObject(result['capabilities'] ?? result['agentCapabilities']);
    this.add('What agents declare', ...leaves(capabilities));
    const methods = listOf(result['authMethods']).map(({ type }) => type ?? 'agent');
    this.add('Ways to sign in', ...methods);
  }

  private update(update: Json): void {
    const kind = update['sessionUpdate'];
    this.add('Updates (`session/update`)', kind);
    this.add('Updates outside the stable schema', kind);
    if (kind === 'state_update') {
      this.add('States of a session', update['state']);
      this.add('Stop reasons', update['stopReason']);
      this.add('Background work', ...listOf(update['background']).map(({ type }) => type));
    }
    if (kind === 'plan_update') this.add('Plans', asObject(update['plan'])['type']);
    if (/^agent_/.test(String(kind))) {
      const { content } = update;
      const blocks = Array.isArray(content) ? listOf(content) : [asObject(content)];
      this.add('Content in replies', ...blocks.map(({ type }) => type));
    }
    if (/^tool_call/.test(String(kind))) this.call(update);
  }

  private call(call: Json): void {
    this.add('Kinds of tools', call['kind']);
    this.add('States of tool calls', call['status']);
    const content = Array.isArray(call['content']) ? call['content'] : [call['content']];
    for (const item of content.map(asObject)) {
      this.add('Content of tool calls', item['type']);
      this.add('Changes in diffs', ...listOf(item['changes']).map(({ operation }) => operation));
    }
  }
}

/** Paths of what is declared: neither false nor null. */
function leaves(value: Json, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (inner === false || inner === null) return [];
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const below = typeof inner === 'object' ? leaves(asObject(inner), path) : [];
    return below.length > 0 ? below : [path];
  });
}
