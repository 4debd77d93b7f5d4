// Loads and activates an extension with a `vscode` that answers everything and does nothing; prints the CPU
// time of each step in milliseconds. Run in a process of its own: `node activate.cjs dist/extension.js`.
const { mkdtempSync, rmSync } = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');

/** An object that can be called, constructed, extended and asked for anything. */
function anything() {
  const members = new Map();
  return new Proxy(function () {}, {
    get(target, name) {
      if (name === 'then' || name === Symbol.iterator) return undefined;
      if (name === Symbol.toPrimitive) return () => '';
      if (name === 'prototype') return target.prototype;
      if (!members.has(name)) members.set(name, anything());
      return members.get(name);
    },
    set(_, name, value) {
      members.set(name, value);
      return true;
    },
    apply: () => anything(),
    construct: () => anything(),
  });
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'parley-bench-'));
const uri = file => ({
  scheme: 'file',
  fsPath: file,
  path: file,
  toString: () => `file://${file}`,
});
// Bundles copy the own members of a module and keep its prototype: the rest must be found there.
const vscode = Object.create(anything());
vscode.version = '1.106.0';
vscode.workspace.workspaceFolders = [{ uri: uri(directory), name: 'bench', index: 0 }];
vscode.workspace.textDocuments = [];
vscode.workspace.isTrusted = true;
vscode.workspace.getConfiguration = () => ({
  get: (_, fallback) => fallback,
  inspect: () => undefined,
  has: () => false,
});
vscode.window.visibleTextEditors = [];
vscode.window.tabGroups.all = [];
vscode.l10n.t = text => (typeof text === 'string' ? text : text.message);
vscode.l10n.bundle = undefined;

const memento = { get: (_, fallback) => fallback, update: async () => {}, keys: () => [] };
const context = {
  subscriptions: [],
  extensionPath: path.dirname(path.dirname(path.resolve(process.argv[2]))),
  extensionUri: uri(path.dirname(path.dirname(path.resolve(process.argv[2])))),
  asAbsolutePath: file => path.join(context.extensionPath, file),
  extension: { id: 'parley.parley-acp', packageJSON: { version: '0.0.0' } },
  extensionMode: 1,
  globalState: { ...memento, setKeysForSync() {} },
  workspaceState: memento,
  secrets: anything(),
  storageUri: uri(path.join(directory, 'storage')),
  globalStorageUri: uri(path.join(directory, 'global')),
  logUri: uri(path.join(directory, 'log')),
};

const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));

// An extension host has loaded these long before it loads an extension.
for (const name of [
  'child_process',
  'crypto',
  'fs/promises',
  'net',
  'stream',
  'url',
  'util',
  'zlib',
]) {
  require(`node:${name}`);
}

const spent = since => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

async function main() {
  let start = process.cpuUsage();
  const extension = require(path.resolve(process.argv[2]));
  const required = spent(start);
  start = process.cpuUsage();
  await extension.activate(context);
  const activated = spent(start);
  process.stdout.write(JSON.stringify({ require: required, activate: activated }), () => {
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  });
}

void main();
