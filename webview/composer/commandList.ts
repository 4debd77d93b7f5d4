import type { TemplateResult } from 'lit';
import { comparable, hitsIn, rankOf } from '../../src/base/fuzzy';
import type { AvailableCommand } from '../../src/session/state/state';
import { commandPopup, commandOptionId, COMMAND_LIST_ID } from './commandPopup';
import { arrowed, type Completion } from './completion';

export interface CommandMatch {
  readonly command: AvailableCommand;
  /** Places of the typed letters in its name. */
  readonly hits: readonly number[];
}

interface CommandListActions {
  /** Something else is to be drawn. */
  readonly changed: () => void;
  readonly choose: (command: AvailableCommand) => void;
}

/** The agent's commands, while the text is a slash and part of a name. */
export class CommandList implements Completion {
  readonly listId = COMMAND_LIST_ID;
  private text = '';
  private found: readonly CommandMatch[] = [];
  private current = 0;
  /** The text for which the list stays closed. */
  private dismissed: string | undefined;

  constructor(private readonly actions: CommandListActions) {}

  get isOpen(): boolean {
    return this.found.length > 0;
  }

  get currentId(): string {
    return commandOptionId(this.current);
  }

  /** The text was not typed: nobody asks for a command. */
  restored(text: string): void {
    this.text = text;
    this.dismissed = text;
  }

  update(text: string, commands: readonly AvailableCommand[]): void {
    if (text !== this.text) this.dismissed = undefined;
    this.text = text;
    const query = text === this.dismissed ? undefined : typedCommand(text);
    this.found = query === undefined ? [] : matchCommands(commands, query);
    if (this.current >= this.found.length) this.current = 0;
  }

  key(event: KeyboardEvent): boolean {
    const { found, current } = this;
    const next = arrowed(event.key, current, found.length);
    if (next !== undefined) this.current = next;
    else if (event.key === 'Escape') this.dismissed = this.text;
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      const command = found[current]?.command;
      // A name typed in full, with nothing to add, is a message.
      const complete = command && this.text === `/${command.name}` && !command.hint;
      if (!command || (event.key === 'Enter' && complete)) return false;
      this.actions.choose(command);
    } else return false;
    this.actions.changed();
    return true;
  }

  render(): TemplateResult {
    return commandPopup(this.found, this.current, ({ command }) => this.actions.choose(command));
  }
}

/**
 * What of a command is being typed: the part after the slash, while the text is nothing else. Undefined
 * when it is no command, or its name is complete.
 */
function typedCommand(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1];
}

/** The commands that `query` may mean, the best first. */
function matchCommands(
  commands: readonly AvailableCommand[],
  query: string,
): readonly CommandMatch[] {
  const wanted = comparable(query);
  return commands
    .flatMap(command => {
      const lower = comparable(command.name);
      const rank = rankOf(lower, command.name, wanted, 0);
      if (rank === undefined) return [];
      // Names that begin with it stay in the agent's order.
      return [{ rank: Math.max(rank, 2), match: { command, hits: hitsIn(lower, wanted, 0) } }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ match }) => match);
}
