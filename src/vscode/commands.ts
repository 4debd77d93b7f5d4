import * as vscode from 'vscode';
import { DisposableStore } from '../base/lifecycle';
import type { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/logger';
import type { Chat, Chats } from '../session/chats';
import type { Agent } from '../session/ports';
import { editAgents } from './settings/editAgents';
import type { ChatActions } from './chats/chatActions';
import { AnswerCommands } from './chats/answerCommands';
import type { ChatRequests } from './chats/chatRequests';
import type { ChatViews } from './chatView/chatViews';
import type { CodeReview } from './codeBlocks/codeReview';
import type { LazyFollow } from './follow/lazyFollow';
import type { DiffEditor } from './review/diff/diffEditor';
import { signIn, signOut } from './signIn/signInCommands';
import { showErrorMessage, showInformationMessage } from './messages';

export interface CommandParts {
  readonly actions: ChatActions;
  readonly chats: Chats;
  readonly views: ChatViews;
  readonly requests: ChatRequests;
  readonly diffs: DiffEditor;
  readonly follow: Pick<LazyFollow, 'toggle'>;
  readonly logger: Logger;
  agent(name: string): Agent;
  /** Forgets what the user said about what the workspace brings, and inputs of MCP servers. */
  forgetWorkspace(): Promise<void>;
  /** Lists all chats of the window, to open and answer them. */
  showInbox(): Promise<void>;
  /** Shows the page with the registry's agents. */
  browseAgents(): Promise<void>;
  /** Shows the page that looks at what agents need. */
  runDoctor(): Promise<void>;
  showPermissionLog(): Promise<void>;
  /** Writes what was said with the chat's agent to a file, for a report. */
  exportTraffic(chat: Chat, file?: unknown): Promise<void>;
  /** Plays such a file in a chat, without the agent. */
  replayTraffic(file?: unknown, speed?: unknown): Promise<void>;
  /** Shows the page with what was said with the chat's agent, and how long it took. */
  showTraffic(chat: Chat): Promise<void>;
  codeReview(): Promise<CodeReview>;
  /** Takes secrets out of a text. */
  readonly mask: (text: string) => string;
  /** Settles when the chats of earlier windows are there. */
  readonly restored: Promise<void>;
}

/** The commands of the manifest; a test holds both lists together. */
export const COMMANDS = [
  'parley.open',
  'parley.newChat',
  'parley.newChatWith',
  'parley.openInEditor',
  'parley.stop',
  'parley.history',
  'parley.showInbox',
  'parley.findInChat',
  'parley.previousPrompt',
  'parley.nextPrompt',
  'parley.openChatAsText',
  'parley.addSelection',
  'parley.addFile',
  'parley.addProblems',
  'parley.addSelectionFromMenu',
  'parley.addFileFromMenu',
  'parley.allow',
  'parley.reject',
  'parley.setMode',
  'parley.setModel',
  'parley.signIn',
  'parley.signOut',
  'parley.forgetMcpInputs',
  'parley.followAgent',
  'parley.restartAgent',
  'parley.showLog',
  'parley.showPermissionLog',
  'parley.showTraffic',
  'parley.exportTraffic',
  'parley.replayTraffic',
  'parley.addPermissionRule',
  'parley.exportChat',
  'parley.forkChat',
  'parley.editAgents',
  'parley.browseAgents',
  'parley.runDoctor',
  'parley.applyCode',
  'parley.discardCode',
] as const;

export type CommandId = (typeof COMMANDS)[number];

/** Registers every command. One that cannot do its work says what is missing. */
export function registerCommands(parts: CommandParts): Disposable {
  const { actions, views, logger } = parts;
  const answers = new AnswerCommands(parts.requests, parts.diffs, views);
  const withChat = (run: (chat: Chat, arg?: unknown) => unknown) => async (arg?: unknown) => {
    const chat = views.current;
    if (chat) await run(chat, arg);
    else await noChat(actions);
  };
  const handlers: { readonly [Id in CommandId]: (...args: unknown[]) => unknown } = {
    'parley.open': () => views.focus(),
    'parley.newChat': agent => actions.newChat(typeof agent === 'string' ? agent : undefined),
    'parley.newChatWith': () => actions.newChatWith(),
    'parley.openInEditor': async () => {
      const chat = await actions.currentOrNew();
      if (chat) views.openInEditor(chat.chatId);
    },
    'parley.stop': withChat(stop),
    'parley.history': () => views.command({ type: 'showChats' }),
    'parley.showInbox': () => parts.showInbox(),
    'parley.findInChat': () => views.command({ type: 'find' }),
    'parley.previousPrompt': () => views.command({ type: 'previousPrompt' }),
    'parley.nextPrompt': () => views.command({ type: 'nextPrompt' }),
    'parley.openChatAsText': withChat(async ({ chatId, store }) => {
      const { chatText, titleOf } = await import('./chats/chatText');
      const { state } = store;
      await parts.diffs.openText(chatId, 'text', titleOf(state), chatText(state, parts.mask));
    }),
    'parley.addSelection': () => actions.addSelection(),
    'parley.addFile': (uri, selected) => addFile(actions, uri, selected),
    // The same by one short name: VS Code's own chat has entries beside them.
    'parley.addSelectionFromMenu': () => actions.addSelection(),
    'parley.addFileFromMenu': (uri, selected) => addFile(actions, uri, selected),
    'parley.addProblems': uri => actions.addProblems(uri instanceof vscode.Uri ? uri : undefined),
    'parley.allow': uri => answers.answer('allow', uri),
    'parley.reject': uri => answers.answer('reject', uri),
    'parley.setMode': withChat(chat => actions.setConfig(chat, 'mode')),
    'parley.setModel': withChat(chat => actions.setConfig(chat, 'model')),
    'parley.signIn': withChat(chat =>
      signIn(chat, parts.agent(chat.store.state.agent.name), parts.chats),
    ),
    'parley.signOut': withChat(chat => signOut(chat, parts.agent(chat.store.state.agent.name))),
    'parley.forgetMcpInputs': async () => {
      await parts.forgetWorkspace();
      show(vscode.l10n.t('The next chat asks again.'));
    },
    'parley.followAgent': () => parts.follow.toggle(),
    'parley.restartAgent': withChat(chat => chat.controller.restart()),
    'parley.showLog': () => actions.showLog(),
    'parley.browseAgents': () => parts.browseAgents(),
    'parley.runDoctor': () => parts.runDoctor(),
    'parley.showPermissionLog': () => parts.showPermissionLog(),
    'parley.showTraffic': withChat(chat => parts.showTraffic(chat)),
    'parley.exportTraffic': withChat((chat, file) => parts.exportTraffic(chat, file)),
    'parley.replayTraffic': (file, speed) => parts.replayTraffic(file, speed),
    'parley.addPermissionRule': () => addPermissionRule(parts),
    'parley.exportChat': withChat(chat => actions.exportChat(chat)),
    'parley.forkChat': withChat(chat => actions.forkChat(chat)),
    'parley.editAgents': () => editAgents(),
    'parley.applyCode': async (uri, line) =>
      (await parts.codeReview()).apply(...codePlace(uri, line)),
    'parley.discardCode': async (uri, line) =>
      (await parts.codeReview()).discard(...codePlace(uri, line)),
  };
  const disposables = new DisposableStore();
  for (const id of COMMANDS) {
    const handler = async (...args: unknown[]): Promise<void> => {
      try {
        await parts.restored;
        await handlers[id](...args);
      } catch (error) {
        logger.error(`${id} failed`, error);
        const message = error instanceof Error ? error.message : String(error);
        void showErrorMessage(vscode.l10n.t('Parley: {0}', message));
      }
    };
    disposables.add(vscode.commands.registerCommand(id, handler));
  }
  return disposables;
}

function stop({ store, controller }: Chat): void {
  const { activeTurn, connection, cancelling } = store.state;
  if (activeTurn || connection.kind === 'starting') {
    controller.stop();
    return;
  }
  if (!cancelling) show(vscode.l10n.t('Nothing is running in this chat.'));
}

/** From the Explorer (with a selection of files), an editor's title or tab, or the palette. */
async function addFile(actions: ChatActions, uri: unknown, selected: unknown): Promise<void> {
  const several = Array.isArray(selected)
    ? selected.filter((item): item is vscode.Uri => item instanceof vscode.Uri)
    : [];
  if (several.length > 0) return actions.addFiles(several);
  if (uri instanceof vscode.Uri) return actions.addFiles([uri]);
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active?.scheme === 'file') return actions.addFiles([active]);
  return actions.pickFiles();
}

/** For the request that has waited longest; without one there are the settings. */
async function addPermissionRule({ requests, views, chats }: CommandParts): Promise<void> {
  const { addRule, openRules } = await import('./permissions/addRule');
  const waiting = requests.oldest(views.current?.chatId);
  const controller = waiting && chats.get(waiting.chatId)?.controller;
  const suggestions = waiting && controller?.ruleSuggestions(waiting.requestId);
  await (suggestions ? addRule(suggestions) : openRules());
}

/** From a lens, with the hunk's line; from the editor's title, without. */
function codePlace(uri: unknown, line: unknown): [vscode.Uri | undefined, number | undefined] {
  return [uri instanceof vscode.Uri ? uri : undefined, typeof line === 'number' ? line : undefined];
}

async function noChat(actions: ChatActions): Promise<void> {
  const create = vscode.l10n.t('New Chat');
  const picked = await showInformationMessage(vscode.l10n.t('No chat is open yet.'), create);
  if (picked === create) await actions.newChat();
}

function show(message: string): void {
  void showInformationMessage(message);
}
