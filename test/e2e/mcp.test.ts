import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { eventually } from '../workbench/eventually';
import type { Workbench } from '../workbench/workbench';
import { allowed } from './agentWork';
import { ChangesBar } from './changesBar';
import {
  fixtureAgent,
  newChat,
  newChatWith,
  suite,
  userTest,
  withSettings,
  workspace,
} from './suite';

const AGENT = 'MCP fixture';
const SECRET = 'p@ss-"word"-73c1';
const HEADER = 'header-secret-58ba';

const MCP_JSON = `{
  // As VS Code has it, comments and all.
  "inputs": [
    { "id": "token", "type": "promptString", "description": "The token", "password": true },
    { "id": "place", "type": "promptString", "description": "The place", "default": "here" },
    { "id": "size", "type": "pickString", "description": "The size", "options": ["small", "large"] },
  ],
  "servers": {
    "local": {
      "command": "\${workspaceFolder}/server.sh",
      "args": ["--size", "\${input:size}", "\${env:HOME}"],
      "env": { "TOKEN": "\${input:token}", "PLACE": "\${input:place}" }
    },
    "page": { "type": "http", "url": "http://127.0.0.1:9/mcp", "headers": { "A": "\${input:token}" } },
    "events": { "type": "sse", "url": "http://127.0.0.1:9/sse" }
  }
}
`;

/** Answers the question for `description`: a password with the secret, a text with what is proposed. */
async function answer(
  { quickInput, pickerInput }: Workbench,
  description: string,
  kind: 'text' | 'password',
): Promise<void> {
  await quickInput.getByText(description).first().waitFor();
  assert.equal(await pickerInput.getAttribute('type'), kind);
  if (kind === 'password') await pickerInput.fill(SECRET);
  await pickerInput.press('Enter');
}

/** Answers the question about the server that is shown with `texts`. */
async function confirm(
  { dialog }: Workbench,
  texts: readonly string[],
  button: string,
): Promise<void> {
  const question = dialog.filter({ hasText: `Name: ${texts[0] ?? ''}` });
  await question.waitFor();
  const shown = await question.innerText();
  for (const text of texts) assert.ok(shown.includes(text), `${text} in ${shown}`);
  await question.getByRole('button', { name: button, exact: true }).click();
  await question.waitFor({ state: 'hidden' });
}

const LOCAL = [
  'local',
  'From: .vscode/mcp.json, line 9',
  "Command: '${workspaceFolder}/server.sh' --size '${input:size}' '${env:HOME}'",
  'TOKEN=${input:token}',
  'PLACE=${input:place}',
  'It is given: ${input:size}, ${env:HOME}, ${input:token}, ${input:place}',
  '1 more waits for your answer.',
];
const PAGE = ['page', 'URL (http): http://127.0.0.1:9/mcp', 'A=${input:token}'];

/** Servers get the proxies and certificates of this machine, whatever those are. */
function withoutNetwork(key: string, value: unknown): unknown {
  if (key !== 'env' || !Array.isArray(value)) return value;
  const isNetwork = ({ name }: { name: string }) => /_proxy$|^(?:NODE|SSL)_/i.test(name);
  return (value as { name: string }[]).filter(each => !isNetwork(each));
}

describe('MCP servers', () => {
  let file: string;
  let seen: string;

  before(async () => {
    const folder = path.join(await workspace(), '.vscode');
    mkdirSync(folder, { recursive: true });
    file = path.join(folder, 'mcp.json');
    seen = path.join((await suite()).root, 'new-session.json');
  });

  after(() => rmSync(path.dirname(file), { recursive: true, force: true }));

  const withAgent = async (body: () => Promise<void>): Promise<void> => {
    const agent = {
      command: process.execPath,
      args: [await fixtureAgent('tellsNewSession'), seen],
    };
    const header = { type: 'http', url: 'http://127.0.0.1:9/mine', headers: { X: HEADER } };
    const settings = {
      'parley.agents': { [AGENT]: agent },
      'parley.mcpServers': { mine: header, local: { command: 'less-specific' } },
    };
    await withSettings(settings, body);
  };

  /** What the agent of a new chat was given, as soon as it was. */
  const given = async (meanwhile: () => Promise<void> = async () => undefined) => {
    rmSync(seen, { force: true });
    const panel = await newChatWith(AGENT);
    await meanwhile();
    await eventually('the agent is asked for a session', () => existsSync(seen));
    await panel.waitUntilReady();
    const { mcpServers } = JSON.parse(readFileSync(seen, 'utf8'), withoutNetwork) as {
      mcpServers: unknown;
    };
    return mcpServers;
  };

  const expected = (folder: string) => [
    {
      type: 'http',
      name: 'mine',
      url: 'http://127.0.0.1:9/mine',
      headers: [{ name: 'X', value: HEADER }],
    },
    {
      name: 'local',
      command: `${folder}/server.sh`,
      args: ['--size', 'large', process.env['HOME']],
      env: [
        { name: 'TOKEN', value: SECRET },
        { name: 'PLACE', value: 'here' },
      ],
    },
    {
      type: 'http',
      name: 'page',
      url: 'http://127.0.0.1:9/mcp',
      headers: [{ name: 'A', value: SECRET }],
    },
  ];

  userTest('are given with what the user was asked for, once, and no log tells it', async () => {
    const { workbench, root } = await suite();
    writeFileSync(file, MCP_JSON);
    await logEverything(workbench);
    await withAgent(async () => {
      const servers = await given(async () => {
        await confirm(workbench, LOCAL, 'Use');
        await confirm(workbench, PAGE, 'Use');
        await answer(workbench, 'The token', 'password');
        await answer(workbench, 'The place', 'text');
        await workbench.quickInput.getByPlaceholder('The size').waitFor();
        await workbench.pick('large');
      });
      assert.deepEqual(servers, expected(await workspace()));

      // Nothing is asked again.
      assert.deepEqual(await given(), expected(await workspace()));

      const isLogged = () => kept(root).some(text => text.includes('"session/new"'));
      await eventually('the protocol is logged', isLogged);
      for (const secret of [SECRET, JSON.stringify(SECRET).slice(1, -1)]) {
        const found = kept(root).filter(text => text.includes(secret));
        assert.equal(found.length, 0, `${secret} is in no file`);
      }
    });
  });

  userTest('are asked about again when the answers are forgotten', async () => {
    const { workbench } = await suite();
    await withAgent(async () => {
      await workbench.runCommand('Parley: Reset MCP Server Inputs and Workspace Confirmations');
      const servers = await given(async () => {
        await confirm(workbench, LOCAL, 'Use');
        await confirm(workbench, PAGE, 'Use');
        // Without an answer the servers that need it are left out, and nothing else is asked for them.
        await workbench.quickInput.getByText('The token').first().waitFor();
        await workbench.pickerInput.press('Escape');
      });
      assert.deepEqual(
        (servers as { readonly name: string }[]).map(({ name }) => name),
        ['mine'],
      );
    });
  });

  const command = (servers: unknown): string | undefined =>
    (servers as { readonly name: string; readonly command?: string }[]).find(
      ({ name }) => name === 'local',
    )?.command;

  userTest("are not used against the user's word, and asked about when they change", async () => {
    const { workbench } = await suite();
    const write = (args: readonly string[]) =>
      writeFileSync(file, JSON.stringify({ servers: { local: { command: 'theirs', args } } }));
    await withAgent(async () => {
      write(['a\u202eb']);
      // Closed: the user's own of that name counts, and the next chat asks again.
      const closed = await given(async () => {
        await workbench.dialog.filter({ hasText: 'a‹U+202E›b' }).waitFor();
        await workbench.page.keyboard.press('Escape');
      });
      assert.equal(command(closed), 'less-specific');
      const refused = await given(() => confirm(workbench, ['local', '‹U+202E›'], "Don't Use"));
      assert.equal(command(refused), 'less-specific');
      assert.equal(command(await given()), 'less-specific');
      write(['changed']);
      const used = await given(() => confirm(workbench, ['local', 'theirs changed'], 'Use'));
      assert.equal(command(used), 'theirs');
      assert.equal(await workbench.dialog.count(), 0);
    });
  });

  userTest('that an agent wrote wait for the review of the file', async () => {
    const { workbench } = await suite();
    rmSync(file);
    await withAgent(async () => {
      const written = { servers: { local: { command: 'of-an-agent' } } };
      const panel = await newChat();
      await allowed(panel, `/run echo '${JSON.stringify(written)}' > .vscode/mcp.json`);
      const bar = new ChangesBar(panel);
      await bar.files(1);
      assert.equal(command(await given()), 'less-specific');
      await workbench
        .notification(
          'New MCP servers in .vscode/mcp.json are not used because an agent changed that file.',
        )
        .getByRole('button', { name: 'Review Changes' })
        .waitFor();
      assert.equal(await workbench.dialog.count(), 0);

      await workbench.runCommand('Parley: Keep All Changes');
      await bar.gone();
      const used = await given(() => confirm(workbench, ['local', 'of-an-agent'], 'Use'));
      assert.equal(command(used), 'of-an-agent');
    });
  });

  userTest('whose environment file an agent changes are asked about after the review', async () => {
    const { workbench } = await suite();
    const envFile = path.join(await workspace(), 'server.env');
    writeFileSync(envFile, 'PLACE=here\n');
    const local = { command: 'theirs', envFile: '${workspaceFolder}/server.env' };
    writeFileSync(file, JSON.stringify({ servers: { local } }));
    await withAgent(async () => {
      const names = ['local', 'server.env', 'Variables in this file: PLACE'];
      const used = await given(() => confirm(workbench, names, 'Use'));
      assert.equal(command(used), 'theirs');

      const panel = await newChat();
      await allowed(panel, '/run echo LD_PRELOAD=evil.so >> server.env');
      const bar = new ChangesBar(panel);
      await bar.files(1);
      assert.equal(command(await given()), 'less-specific');
      await workbench
        .notification('The MCP server "local" is not used because an agent changed server.env.')
        .getByRole('button', { name: 'Review Changes' })
        .waitFor();

      await workbench.runCommand('Parley: Keep All Changes');
      await bar.gone();
      const changed = ['local', 'Variables in this file: LD_PRELOAD, PLACE'];
      const refused = await given(() => confirm(workbench, changed, "Don't Use"));
      assert.equal(command(refused), 'less-specific');
    });
    rmSync(envFile);
  });

  userTest('of a file with a mistake are told with the file and the line', async () => {
    const { workbench } = await suite();
    writeFileSync(
      file,
      '{\n  "servers": {\n    "good": { "command": "run" }\n    "bad": { "type": "pigeon" }\n  }\n}\n',
    );
    await withAgent(async () => {
      const question = () => confirm(workbench, ['good', 'Command: run'], 'Use');
      const servers = (await given(question)) as { readonly name: string }[];
      assert.ok(servers.some(({ name }) => name === 'good'));
      await workbench
        .notification('.vscode/mcp.json, line 3: a comma is missing.')
        .filter({ hasText: '.vscode/mcp.json, line 4: the MCP server "bad" is left out' })
        .waitFor();
    });
  });
});

/** Sets the log level of all that logs to Trace, as a user does who looks for a mistake. */
async function logEverything(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Developer: Set Log Level...');
  await workbench.pick('Trace');
}

/** The files that are kept on disk, logs included; without the user's settings and VS Code's history of them. */
function kept(root: string): string[] {
  return readdirSync(path.join(root, 'user'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'settings.json')
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(file => !file.includes(path.join('User', 'History')))
    .map(file => readFileSync(file, 'utf8'));
}
