import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { McpServerConfig } from '../../../src/agents/mcp/mcpConfig';
import { mcpServerText, variablesOf } from '../../../src/agents/mcp/mcpServerText';

const PROGRAM: McpServerConfig = {
  type: 'stdio',
  name: 'files',
  command: 'npx',
  args: ['-y', 'files-server', '--token=${env:TOKEN}', 'two words'],
  env: { KEY: '${input:key}', AGAIN: '${env:TOKEN}', PLAIN: 'x' },
  envFile: '${workspaceFolder}/.env',
};

test('a program is shown with every argument, variable and file', () => {
  assert.equal(
    mcpServerText(PROGRAM, '.vscode/mcp.json, line 3'),
    [
      'Name: files',
      'From: .vscode/mcp.json, line 3',
      "Command: npx -y files-server '--token=${env:TOKEN}' 'two words'",
      'Environment:',
      '    KEY=${input:key}',
      '    AGAIN=${env:TOKEN}',
      '    PLAIN=x',
      'Environment file: ${workspaceFolder}/.env',
      'It is given: ${env:TOKEN}, ${input:key}',
    ].join('\n'),
  );
});

test('an environment file is shown with the names in it, and no value', () => {
  const variables = [
    { name: 'LD_PRELOAD', value: '/evil.so' },
    { name: 'A\u202eB', value: 'secret' },
  ];
  const text = mcpServerText(PROGRAM, 'mcp.json', { variables });
  assert.match(text, /\.env\nVariables in this file: LD_PRELOAD, A‹U\+202E›B\n/);
  assert.doesNotMatch(text, /evil|secret/);
  const unread = mcpServerText(PROGRAM, 'mcp.json', { problem: 'It cannot be read.' });
  assert.match(unread, /\.env\nIt cannot be read\.\n/);
  assert.equal(
    mcpServerText(PROGRAM, 'mcp.json', { variables: [] }),
    mcpServerText(PROGRAM, 'mcp.json'),
  );
});

test('a page is shown with its address and every header', () => {
  const page: McpServerConfig = {
    type: 'sse',
    name: 'page',
    url: 'https://mcp.example/?k=${env:SECRET}',
    headers: { Authorization: 'Bearer ${input:token}' },
  };
  assert.equal(
    mcpServerText(page, 'mcp.json'),
    [
      'Name: page',
      'From: mcp.json',
      'URL (sse): https://mcp.example/?k=${env:SECRET}',
      'Headers:',
      '    Authorization=Bearer ${input:token}',
      'It is given: ${env:SECRET}, ${input:token}',
    ].join('\n'),
  );
  assert.deepEqual(variablesOf(page), ['${env:SECRET}', '${input:token}']);
});

const HIDDEN = ['\u202e', '\u200b', '\u2066', '\ufeff', '\u2028', '\u0000', '\u001b', '\u{e0041}'];

test('whatever a server is made of, no character of it is hidden and none makes a line', () => {
  const text = fc
    .array(fc.constantFrom('a', ' ', '\n', '\r', '\t', '"', '${env:A}', ...HIDDEN), {
      maxLength: 8,
    })
    .map(parts => parts.join(''));
  const server = fc.record({
    type: fc.constant('stdio' as const),
    name: text,
    command: text,
    args: fc.array(text, { maxLength: 4 }),
    env: fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }),
    envFile: text,
  });
  fc.assert(
    fc.property(server, fc.array(text, { maxLength: 3 }), (given, names) => {
      const envFile = { variables: names.map(name => ({ name, value: 'v' })) };
      const shown = mcpServerText(given, 'mcp.json', envFile);
      assert.doesNotMatch(shown, /[^\P{C}\n]|\p{Zl}|\p{Zp}/u);
      const pairs = Object.keys(given.env).length;
      const variables = variablesOf(given).length;
      const lines =
        4 + Math.min(names.length, 1) + (pairs > 0 ? pairs + 1 : 0) + (variables > 0 ? 1 : 0);
      assert.equal(shown.split('\n').length, lines);
    }),
  );
});
