import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/vscode/commands';
import { REVIEW_COMMANDS } from '../../src/vscode/review/reviewCommandIds';
import { PROMPT_COMMANDS } from '../../src/vscode/review/restore/restoreCommands';

const ALL_COMMANDS: readonly string[] = [...COMMANDS, ...REVIEW_COMMANDS, ...PROMPT_COMMANDS];

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly keybindings: readonly {
      readonly command: string;
      readonly key: string;
      readonly when?: string;
    }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly media: { readonly svg?: string; readonly markdown?: string };
      }[];
    }[];
  };
}

describe('the manifest', () => {
  const extension = vscode.extensions.getExtension('parley.parley-acp');
  assert.ok(extension, 'the extension is installed');
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(path.join(extension.extensionPath, name), 'utf8'));
  const text = readFileSync(path.join(extension.extensionPath, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const { contributes } = manifest;

  before(() => extension.activate());

  it('names exactly the commands that are registered', async () => {
    const contributed = contributes.commands.map(({ command }) => command).sort();
    assert.deepEqual(contributed, [...ALL_COMMANDS].sort());
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.filter(command => !registered.has(command)),
      [],
    );
    assert.ok(contributes.commands.every(({ category }) => category === 'Parley'));
  });

  it('uses only its own commands in menus and keybindings', () => {
    const known = new Set<string>(ALL_COMMANDS);
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    assert.deepEqual(
      used.filter(({ command }) => !known.has(command)),
      [],
    );
  });

  it('has a text for each %key%, and no other', () => {
    const texts = read('package.nls.json') as Readonly<Record<string, string>>;
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(match => match[1]);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
    assert.ok(Object.values(texts).every(value => value.trim() !== ''));
  });

  it('has the pictures of the walkthrough', () => {
    const media = contributes.walkthroughs.flatMap(({ steps }) => steps.map(step => step.media));
    for (const language of ['package.nls.json', 'package.nls.de.json']) {
      const texts = read(language) as Readonly<Record<string, string>>;
      for (const { svg, markdown } of media) {
        const file = (svg ?? markdown)?.replace(/^%(.*)%$/, (_, key: string) => texts[key] ?? '');
        assert.ok(file);
        assert.ok(readFileSync(path.join(extension.extensionPath, file), 'utf8').length > 0);
      }
    }
  });

  it('binds no key that VS Code binds by itself, but in the chat', async () => {
    const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    const document = await vscode.workspace.openTextDocument(uri);
    // The defaults, and below them the commands without a key, as comments.
    const lines = document.getText().replace(/^\s*\/\/.*$/gm, '');
    const defaults = JSON.parse(lines) as readonly {
      readonly key: string;
      readonly command: string;
    }[];
    assert.ok(defaults.length > 300);
    const parts = (key: string) => key.toLowerCase().split('+').sort().join('+');
    const inChat = /^focusedView == parley\.chat /;
    for (const { key, command, when } of contributes.keybindings) {
      if (inChat.test(when ?? '')) continue;
      const clashes = defaults.filter(
        other => other.command !== command && parts(other.key.split(' ')[0] ?? '') === parts(key),
      );
      assert.deepEqual(clashes, [], key);
    }
  });
});
