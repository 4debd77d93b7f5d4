import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readSettings } from '../../src/vscode/settings/readSettings';
import { Settings } from '../../src/vscode/settings/settings';
import { until } from './support';

describe('settings', () => {
  const read = (values: Readonly<Record<string, unknown>>) =>
    readSettings({ user: name => values[name] });

  it('have defaults that need nothing', () => {
    assert.deepEqual(read({}), {
      agents: {},
      defaultAgent: 'Parley Demo',
      mcpServers: { local: undefined, remote: undefined },
      workspaceMcpServers: undefined,
      defaults: {},
      notifications: 'whenHidden',
      registryUrl: '',
      permissions: { user: [], workspace: [], protectedFiles: [] },
      reviewWhen: 'afterwards',
      budget: { chat: {}, day: {} },
      timeouts: {
        initialize: 30,
        newSession: 60,
        signIn: 600,
        request: 30,
        readFile: 30,
        writeFile: 60,
      },
      idleMinutes: 30,
      fileBytes: 10485760,
      readsPerMinute: 0,
      writesPerMinute: 0,
      lineBytes: 33554432,
      promptBytes: 20971520,
      promptsPerMinute: 60,
      updatesPerMinute: 0,
      problems: [],
    });
  });

  it('take the address of a list that is HTTPS or of this machine, and no other', () => {
    for (const url of ['', 'https://list.test/registry.json', 'http://127.0.0.1:8000/list']) {
      const { registryUrl, problems } = read({ 'registry.url': url });
      assert.deepEqual([registryUrl, problems], [url, []]);
    }
    for (const url of ['http://list.test', 'file:///etc/passwd', 'https://a:b@list.test', 'x', 7]) {
      const { registryUrl, problems } = read({ 'registry.url': url });
      assert.deepEqual([registryUrl, problems.length], ['', 1], String(url));
    }
  });

  it('take good values', () => {
    const settings = read({
      agents: { a: { command: 'b' } },
      defaultAgent: 'a',
      notifications: 'never',
      'review.when': 'beforeWriting',
      timeouts: { initialize: 5 },
      'limits.lineBytes': 100_000,
    });
    assert.deepEqual(settings.timeouts, {
      initialize: 5,
      newSession: 60,
      signIn: 600,
      request: 30,
      readFile: 30,
      writeFile: 60,
    });
    assert.equal(settings.lineBytes, 100_000);
    assert.equal(settings.reviewWhen, 'beforeWriting');
    assert.deepEqual(settings.problems, []);
  });

  it('replace bad values by the default and say which', () => {
    const settings = read({
      agents: ['a'],
      defaultAgent: 7,
      defaults: { a: { depth: 3 }, b: 'fast' },
      notifications: 'sometimes',
      'review.when': true,
      timeouts: { initialize: 0, newSession: 'long' },
      idleMinutes: -1,
      'limits.lineBytes': 12,
      'limits.fileBytes': '1 MB',
      'limits.readsPerMinute': -1,
      'limits.promptBytes': 0,
      'limits.promptsPerMinute': -1,
      'limits.updatesPerMinute': null,
    });
    assert.deepEqual({ ...settings, problems: [] }, { ...read({}), problems: [] });
    const named = settings.problems.map(problem => /parley\.[\w.]+/.exec(problem)?.[0]);
    assert.deepEqual(named, [
      'parley.agents',
      'parley.defaultAgent',
      'parley.notifications',
      'parley.review.when',
      'parley.defaults.a.depth',
      'parley.defaults.b',
      'parley.idleMinutes',
      'parley.timeouts.initialize',
      'parley.timeouts.newSession',
      'parley.limits.fileBytes',
      'parley.limits.readsPerMinute',
      'parley.limits.lineBytes',
      'parley.limits.promptBytes',
      'parley.limits.promptsPerMinute',
      'parley.limits.updatesPerMinute',
    ]);
  });

  it('are all complained about when their value is of another kind', () => {
    const manifest = vscode.extensions.getExtension('parley.parley-acp')?.packageJSON as {
      readonly contributes: { readonly configuration: { readonly properties: object } };
    };
    const settings = Object.keys(manifest.contributes.configuration.properties);
    assert.ok(settings.includes('parley.agents'));
    for (const name of settings.map(key => key.replace(/^parley\./, ''))) {
      // `readMcpConfig` says it, when servers are needed.
      if (name === 'mcpServers') continue;
      const [problem] = read({ [name]: [7] }).problems;
      assert.match(problem ?? '', new RegExp(`parley\\.${name}`), name);
    }
  });

  it('tell when they change', async () => {
    const settings = new Settings();
    const config = vscode.workspace.getConfiguration('parley');
    try {
      assert.equal(settings.current.notifications, 'whenHidden');
      const told = until(() => settings.current.notifications === 'always', [settings.onDidChange]);
      await config.update('notifications', 'always', vscode.ConfigurationTarget.Global);
      await told;
    } finally {
      await config.update('notifications', undefined, vscode.ConfigurationTarget.Global);
      settings.dispose();
    }
  });
});
