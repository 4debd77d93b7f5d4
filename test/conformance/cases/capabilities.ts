import assert from 'node:assert/strict';
import type { McpServer } from '../../../src/acp/schema/schema';
import { usableBy } from '../../../src/agents/mcp/resolveMcpServer';
import { abilitiesOf } from '../../../src/session/history/agentSessions';
import type { ConformanceCase, ConformanceGroup } from '../conformanceCase';
import { capabilitiesOf, kindsOf } from '../enumerate';

const CLIENT: Readonly<Record<string, string>> = {
  'fs.readTextFile': '`fs/read_text_file` is answered.',
  'fs.writeTextFile': '`fs/write_text_file` is answered.',
  terminal: 'All of `terminal/*` is answered.',
  'session.compaction': 'Compactions are shown.',
  'session.configOptions.boolean': 'Options that are on or off are offered.',
  'session.notices': 'Notices are shown.',
  'auth.terminal': 'Signing in runs in a terminal of the editor.',
  'elicitation.form': 'Forms are shown and checked.',
  'elicitation.url': 'Pages are opened on consent.',
};

const DRAFT_CLIENT: Readonly<Record<string, string>> = {
  subagents:
    'Sessions of subagents are shown under the call that began them, and each as a conversation of its own.',
  plan: 'Plans with names, proposed or approved, are shown.',
  '_meta.terminal_output': 'Commands that agents run themselves are shown as terminals.',
  '_meta.terminal_output_delta': 'The same, in pieces; all of the output may come in their place.',
  '_meta.subagent-transcript': 'What subagents say, where their agent knows no sessions for them.',
  '_meta.terminal-auth': 'Signing in runs in a terminal, for agents that know no `auth.terminal`.',
};

const declared = (capabilities: Readonly<Record<string, string>>): readonly ConformanceCase[] =>
  Object.entries(capabilities).map(([name, does]) => ({
    name,
    does,
    async run(it) {
      await it.chat();
      const [params] = it.calls('initialize') as { readonly clientCapabilities: object }[];
      const value = name
        .split('.')
        .reduce<unknown>(
          (inner, key) => (inner as Record<string, unknown>)[key],
          params?.clientCapabilities,
        );
      assert.ok(value, JSON.stringify(params));
    },
  }));

export const clientCapabilities: ConformanceGroup = {
  title: 'What Parley declares',
  all: capabilitiesOf('ClientCapabilities'),
  cases: declared(CLIENT),
};

export const draftCapabilities: ConformanceGroup = {
  title: 'What Parley declares outside the stable schema',
  cases: declared(DRAFT_CLIENT),
};

/** Declared by the agent, and so seen in the chat. */
const seen = (name: string, does: string, field: string): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const { state } = await it.chat({ capabilities: declare(name) });
    assert.equal(state.agent.capabilities[field as 'image'], true);
    const without = await it.chat();
    assert.notEqual(without.state.agent.capabilities[field as 'image'], true);
  },
});

function declare(name: string): object {
  const leaf: unknown =
    name.startsWith('sessionCapabilities') || name.startsWith('auth') ? {} : true;
  return name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf) as object;
}

const offered = (name: string, does: string, ability: 'list' | 'delete'): ConformanceCase => ({
  name,
  does,
  async run(it) {
    const { agent } = await it.chat({ capabilities: declare(name) });
    assert.equal(abilitiesOf((await agent.connect()).initialized)[ability], true);
  },
});

const SERVERS = [
  { type: 'stdio', name: 'a', command: 'a', args: [], env: {} },
  { type: 'http', name: 'b', url: 'https://b.example/', headers: {} },
  { type: 'sse', name: 'c', url: 'https://c.example/', headers: {} },
] as const;

/** The servers of each kind that an agent with `capabilities` is handed. */
const handed = (name: string, does: string, capabilities: object): ConformanceCase => ({
  name,
  does,
  async run(it) {
    await it.chat(
      { capabilities },
      {
        mcpServers: mcp =>
          Promise.resolve(
            usableBy(mcp, SERVERS).map((server): McpServer =>
              server.type === 'stdio'
                ? { name: server.name, command: server.command, args: [], env: [] }
                : { type: server.type, name: server.name, url: server.url, headers: [] },
            ),
          ),
      },
    );
    const [params] = it.calls('session/new') as { readonly mcpServers: { type?: string }[] }[];
    const types = params?.mcpServers.map(({ type }) => type ?? 'stdio');
    const kind = name.split('.').at(-1) ?? name;
    assert.deepEqual(types, kind === 'stdio' ? ['stdio'] : ['stdio', kind]);
  },
});

export const agentCapabilities: ConformanceGroup = {
  title: 'What agents declare',
  all: capabilitiesOf('AgentCapabilities'),
  cases: [
    seen('loadSession', 'Chats of earlier windows are resumed.', 'loadSession'),
    seen('promptCapabilities.image', 'Images can be attached.', 'image'),
    seen('promptCapabilities.audio', 'Sounds can be attached.', 'audio'),
    seen(
      'promptCapabilities.embeddedContext',
      'Selections and small files are sent whole.',
      'embeddedContext',
    ),
    handed('mcpCapabilities.http', 'MCP servers over HTTP are handed on.', {
      mcpCapabilities: { http: true },
    }),
    handed('mcpCapabilities.sse', 'MCP servers over SSE are handed on.', {
      mcpCapabilities: { sse: true },
    }),
    offered('sessionCapabilities.list', 'Its sessions are listed.', 'list'),
    offered('sessionCapabilities.delete', 'Its sessions can be deleted.', 'delete'),
    {
      name: 'sessionCapabilities.additionalDirectories',
      does: 'The other folders of the workspace are handed on.',
      async run(it) {
        await it.chat(
          { capabilities: declare('sessionCapabilities.additionalDirectories') },
          { additionalDirectories: ['/other'] },
        );
        await it.chat({}, { additionalDirectories: ['/other'] });
        const calls = it.calls('session/new') as { readonly additionalDirectories?: string[] }[];
        assert.deepEqual(
          calls.map(({ additionalDirectories }) => additionalDirectories),
          [['/other'], undefined],
        );
      },
    },
    seen('sessionCapabilities.resume', 'Chats are resumed without a replay.', 'resumeSession'),
    {
      name: 'sessionCapabilities.close',
      does: 'Sessions are closed with their chats.',
      async run(it) {
        const without = await it.chat();
        await without.chat.controller.close();
        assert.equal(it.calls('session/close').length, 0);
        const chat = await it.chat({ capabilities: declare('sessionCapabilities.close') });
        await chat.chat.controller.close();
        assert.equal(it.calls('session/close').length, 1);
      },
    },
    {
      name: 'auth.logout',
      does: '"Sign Out" tells the agent.',
      async run(it) {
        const chat = await it.chat({ capabilities: declare('auth.logout') });
        await chat.agent.signOut();
        assert.equal(it.calls('logout').length, 1);
      },
    },
  ],
};

export const mcpServers: ConformanceGroup = {
  title: 'MCP servers',
  all: kindsOf('McpServer'),
  cases: [
    handed('http', 'To agents that can use them.', { mcpCapabilities: { http: true } }),
    handed('sse', 'To agents that can use them.', { mcpCapabilities: { sse: true } }),
    handed('stdio', 'To every agent.', {}),
  ],
};

export const signInMethods: ConformanceGroup = {
  title: 'Ways to sign in',
  all: kindsOf('AuthMethod'),
  cases: [
    {
      name: 'terminal',
      does: "The agent's command with the method's arguments, in a terminal of the editor.",
      async run(it) {
        const commands: (readonly string[])[] = [];
        const chat = await it.chat(
          { auth: [{ id: 't', name: 'T', type: 'terminal', args: ['login'] }] },
          {
            connect: false,
            signIn: {
              runInTerminal: (_, { args }) => {
                commands.push(args);
                return Promise.resolve(1);
              },
              askVariables: () => Promise.resolve(undefined),
            },
          },
        );
        await chat.until(({ connection }) => connection.kind === 'signIn');
        await chat.chat.controller.signIn('t');
        assert.equal(commands[0]?.at(-1), 'login');
      },
    },
    {
      name: 'agent',
      does: '`authenticate`: the agent does the rest.',
      async run(it) {
        const chat = await it.chat({ auth: [{ id: 'a', name: 'A' }] }, { connect: false });
        await chat.until(({ connection }) => connection.kind === 'signIn');
        await chat.chat.controller.signIn('a');
        assert.equal(chat.state.connection.kind, 'ready');
      },
    },
  ],
};
