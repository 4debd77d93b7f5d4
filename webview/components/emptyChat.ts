import { html, nothing, type TemplateResult } from 'lit';
import * as l10n from '@vscode/l10n';
import type { AvailableCommand } from '../../src/session/state/state';
import type { ChatSummary, PanelState } from '../../src/shared/panelState';
import { emitIntent } from '../intent';
import { icon } from '../ui/icon';
import { whenText } from '../ui/time';
import { chatState, summaryTitle } from './chatSummary';

const RECENT = 3;

export interface ReadyView {
  readonly agentName: string;
  readonly panel: PanelState;
  /** The commands of the agent. */
  readonly commands: readonly AvailableCommand[];
  readonly now: number;
  /** Puts a prompt into the composer. */
  readonly onSuggest: (prompt: string) => void;
  readonly onShowChats: () => void;
}

/** An empty chat: what could be asked, and what was talked about before. */
export function readyHero(view: ReadyView): TemplateResult {
  const { agentName, panel } = view;
  const tries = suggestions(view);
  const recent = panel.chats
    .filter(chat => chat.chatId !== panel.chatId && (chat.title ?? chat.firstPrompt))
    .slice(0, RECENT);
  return html`<div class="hero">
    <div class="say">
      <h2>${l10n.t('What should we build?')}</h2>
      <p>
        ${
          panel.workspaceName
            ? sentence(
                l10n.t('{0} works in {1}.', agentName, '\u0000'),
                html`<span class="inline">${panel.workspaceName}</span>`,
              )
            : l10n.t('{0} is ready.', agentName)
        }
        ${l10n.t('When it asks for permission, answer here.')}
      </p>
    </div>
    ${tries.length > 0 ? suggested(tries, view) : nothing}
    ${recent.length > 0 ? recentChats(recent, view) : nothing}
  </div>`;
}

function suggested(tries: readonly Suggestion[], view: ReadyView): TemplateResult {
  return html`<section aria-labelledby="suggestions">
    <h3 class="group-h" id="suggestions">${l10n.t('Try')}</h3>
    <ul>
      ${tries.map(each => suggestionRow(each, view))}
    </ul>
  </section>`;
}

/** `text` with the placeholder `\0` replaced by markup. */
function sentence(text: string, markup: TemplateResult): TemplateResult {
  const [before, after] = text.split('\u0000');
  return html`${before}${markup}${after}`;
}

interface Suggestion {
  readonly icon: string;
  readonly title: string;
  readonly prompt: string;
  readonly about?: string;
  /** What is open in the editor goes along. */
  readonly takesEditor?: true;
}

/** The built-in agent's commands that show most. */
const DEMO_COMMANDS: Readonly<Record<string, string>> = {
  tour: 'compass',
  edit: 'edit',
  run: 'terminal',
};

/** Plain prompts, so that they work with every agent; the built-in one answers its commands alone. */
function suggestions({ agentName, panel, commands }: ReadyView): readonly Suggestion[] {
  const isBuiltIn = panel.agents.some(({ name, builtIn }) => builtIn && name === agentName);
  return isBuiltIn ? demoSuggestions(commands) : promptSuggestions(panel);
}

function demoSuggestions(commands: readonly AvailableCommand[]): readonly Suggestion[] {
  return commands.flatMap(({ name, description }) => {
    const symbol = DEMO_COMMANDS[name];
    const prompt = `/${name}`;
    return symbol === undefined
      ? []
      : [{ icon: symbol, title: description, prompt, about: prompt }];
  });
}

function promptSuggestions({ activeEditor }: PanelState): readonly Suggestion[] {
  const all: Suggestion[] = [
    {
      icon: 'book',
      title: l10n.t('Explain how this project is organized'),
      prompt: l10n.t('Explain how this project is organized.'),
    },
  ];
  if (activeEditor) {
    all.unshift({
      icon: 'beaker',
      title: l10n.t('Write tests for the open file'),
      prompt: l10n.t('Write tests for {0}.', activeEditor.label),
      about: activeEditor.label,
      takesEditor: true,
    });
  }
  all.push({
    icon: 'diff',
    title: l10n.t('Review my uncommitted changes'),
    prompt: l10n.t('Review my uncommitted changes.'),
  });
  return all;
}

function suggestionRow(suggestion: Suggestion, view: ReadyView): TemplateResult {
  const suggest = ({ currentTarget }: Event) => {
    if (suggestion.takesEditor && currentTarget) {
      emitIntent(currentTarget, { type: 'addActiveEditor' });
    }
    view.onSuggest(suggestion.prompt);
  };
  return html`<li>
    <button type="button" class="item" @click=${suggest}>
      ${icon(suggestion.icon)}<span class="grow">${suggestion.title}</span>${
        suggestion.about
          ? html`<span class="when cut hide-xs" title=${suggestion.about}
              >${suggestion.about}</span
            >`
          : nothing
      }
    </button>
  </li>`;
}

function recentChats(chats: readonly ChatSummary[], view: ReadyView): TemplateResult {
  return html`<section aria-labelledby="recent">
    <div class="group-h">
      <h3 class="grow" id="recent">${l10n.t('Recent')}</h3>
      <button type="button" class="link" @click=${view.onShowChats}>${l10n.t('Show all')}</button>
    </div>
    <ul>
      ${chats.map(chat => recentRow(chat, view))}
    </ul>
  </section>`;
}

function recentRow(chat: ChatSummary, view: ReadyView): TemplateResult {
  const title = summaryTitle(chat);
  const open = (event: Event) =>
    emitIntent(event.currentTarget ?? document.body, { type: 'selectChat', chatId: chat.chatId });
  return html`<li>
    <button type="button" class="item" @click=${open}>
      <span class="two"
        ><span class="cut" title=${title}>${title}</span
        ><small><span class="cut" title=${chat.agentName}>${chat.agentName}</span></small></span
      >${chatState(chat, true) ?? html`<span class="when">${whenText(chat.updatedAt, view.now)}</span>`}
    </button>
  </li>`;
}
