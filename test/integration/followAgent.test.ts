import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/event';
import { initialSession } from '../../src/session/state/initialSession';
import { SessionStore } from '../../src/session/state/store';
import type { ToolLocation } from '../../src/session/state/state';
import { FollowAgent } from '../../src/vscode/follow/followAgent';
import type { FollowedChat } from '../../src/vscode/follow/followAgent';
import { allTabs, closeAllEditors, open, temporaryFolder, until } from './support';

const SETTING = 'parley.followAgent';
const LINES = Array.from({ length: 400 }, (_, index) => `line ${index + 1}\n`).join('');

describe('following the agent', () => {
  const { root, remove } = temporaryFolder();
  const file = (name: string): string => path.join(root, name);
  const added = new Emitter<FollowedChat>();
  let store: SessionStore;
  let current: string | undefined;
  let follow: FollowAgent;
  let calls = 0;

  const setting = async (value: boolean | undefined): Promise<void> =>
    vscode.workspace
      .getConfiguration()
      .update(SETTING, value, vscode.ConfigurationTarget.Workspace);
  /** The user sends a prompt, and the agent's turn begins. */
  const prompt = (): void => {
    const message = { id: 'm', text: 'Do it', attachments: [] };
    store.dispatch({ type: 'messageQueued', message });
    store.dispatch({ type: 'messageUnqueued', messageId: 'm' });
    store.dispatch({ type: 'turnStarted', turnId: 't', prompt: message, at: 1 });
  };
  /** The agent names places with a tool call, a new one by default. */
  const works = (
    locations: readonly ToolLocation[],
    toolCallId = `call-${(calls += 1)}`,
  ): string => {
    store.dispatch({
      type: 'toolCallChanged',
      turnId: 't',
      partId: toolCallId,
      toolCallId,
      announced: true,
      title: 'Read',
      locations,
      at: 2,
    });
    return toolCallId;
  };
  const shown = (name: string): vscode.TextEditor | undefined =>
    vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file(name));
  const untilSeen = (condition: () => boolean): Promise<void> =>
    until(condition, [
      vscode.window.onDidChangeVisibleTextEditors,
      vscode.window.onDidChangeTextEditorVisibleRanges,
      vscode.window.tabGroups.onDidChangeTabs,
    ]);
  const isAt = (name: string, line: number): boolean =>
    shown(name)?.visibleRanges.some(range => range.contains(new vscode.Position(line, 0))) === true;

  beforeEach(async () => {
    for (const name of ['a.txt', 'b.txt', 'mine.txt']) writeFileSync(file(name), LINES);
    store = new SessionStore(initialSession({ chatId: 'c', agentName: 'A', cwd: root, at: 0 }));
    current = 'c';
    follow = new FollowAgent(
      { all: [], onDidAdd: added.event },
      () => current,
      () => [root],
    );
    added.fire({ chatId: 'c', store });
    await setting(true);
  });
  afterEach(async () => {
    follow.dispose();
    await vscode.commands.executeCommand('workbench.action.unlockEditorGroup');
    await closeAllEditors();
    await setting(undefined);
  });
  after(remove);

  it('shows the file and the line that a tool call names, in a preview tab', async () => {
    prompt();
    works([{ path: file('a.txt'), line: 300 }]);
    await untilSeen(() => isAt('a.txt', 299));
    assert.equal(shown('a.txt')?.selection.active.line, 0);
    works([{ path: 'b.txt' }]);
    await untilSeen(() => shown('b.txt') !== undefined);
    assert.deepEqual(
      allTabs().map(({ label, isPreview }) => [label, isPreview]),
      [['b.txt', true]],
    );
  });

  it('goes on as a tool call names more, and not back as it repeats itself', async () => {
    prompt();
    const call = works([{ path: file('a.txt'), line: 1 }]);
    await untilSeen(() => isAt('a.txt', 0));
    works(
      [
        { path: file('a.txt'), line: 1 },
        { path: file('a.txt'), line: 200 },
      ],
      call,
    );
    await untilSeen(() => isAt('a.txt', 199));
    works([{ path: file('b.txt') }]);
    works(
      [
        { path: file('a.txt'), line: 1 },
        { path: file('a.txt'), line: 200 },
      ],
      call,
    );
    await untilSeen(() => shown('b.txt') !== undefined);
    assert.equal(shown('a.txt'), undefined);
  });

  it('shows a new file once it is there', async () => {
    rmSync(file('b.txt'));
    prompt();
    const call = works([{ path: file('b.txt') }]);
    // Shown after it was looked for in vain.
    works([{ path: file('a.txt') }]);
    await untilSeen(() => shown('a.txt') !== undefined);
    writeFileSync(file('b.txt'), LINES);
    works([{ path: file('b.txt') }], call);
    await untilSeen(() => shown('b.txt') !== undefined);
  });

  it('pauses when the user types somewhere, until their next prompt', async () => {
    prompt();
    await open(file('mine.txt'));
    assert.equal(follow.isFollowing, false);
    await follow.toggle();
    assert.equal(follow.isFollowing, true);
    await vscode.commands.executeCommand('type', { text: 'x' });
    await until(() => !follow.isFollowing, [vscode.window.onDidChangeTextEditorSelection]);
    works([{ path: file('a.txt') }]);
    store.dispatch({ type: 'turnEnded', end: { reason: 'end_turn' }, planPartId: 'p', at: 3 });
    prompt();
    works([{ path: file('b.txt') }]);
    await untilSeen(() => shown('b.txt') !== undefined);
    assert.ok(!allTabs().some(({ label }) => label === 'a.txt'));
  });

  it('leaves a locked group as it is', async () => {
    await open(file('mine.txt'));
    await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
    const locked = vscode.window.tabGroups.activeTabGroup;
    prompt();
    works([{ path: file('a.txt') }]);
    await untilSeen(() => shown('a.txt') !== undefined);
    assert.deepEqual(
      locked.tabs.map(({ label }) => label),
      ['mine.txt'],
    );
    await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
  });

  it('shows nothing of other chats, of files elsewhere, or when it is off', async () => {
    prompt();
    current = 'other';
    works([{ path: file('a.txt') }]);
    current = 'c';
    works([{ path: __filename }]);
    await setting(false);
    works([{ path: file('a.txt') }]);
    await setting(true);
    works([{ path: file('b.txt') }]);
    await untilSeen(() => shown('b.txt') !== undefined);
    assert.deepEqual(
      allTabs().map(({ label }) => label),
      ['b.txt'],
    );
  });

  it('is turned on and off by its command', async () => {
    await follow.toggle();
    assert.equal(vscode.workspace.getConfiguration().get(SETTING), false);
    await follow.toggle();
    assert.equal(vscode.workspace.getConfiguration().get(SETTING), true);
  });
});
