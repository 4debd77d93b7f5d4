import * as vscode from 'vscode';
import type { McpInput } from '../../agents/mcp/mcpConfig';

const PREFIX = 'parley.mcp.input.';

/** Values of `${input:…}`: asked for once, then remembered; passwords in the secret storage. */
export class McpInputs {
  /** One question at a time, and each only once, however many chats open together. */
  private readonly asking = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly memento: vscode.Memento,
  ) {}

  /** @param source tells inputs of the same name in different files apart. */
  value(source: string, input: McpInput): Promise<string | undefined> {
    const key = `${PREFIX}${source}#${input.id}`;
    let answer = this.asking.get(key);
    if (!answer) {
      const before = Promise.allSettled(this.asking.values());
      answer = before.then(() => this.find(key, input)).finally(() => this.asking.delete(key));
      this.asking.set(key, answer);
    }
    return answer;
  }

  /** Forgets every answer, so that each is asked for again. */
  async forget(): Promise<void> {
    for (const key of this.memento.keys().filter(key => key.startsWith(PREFIX))) {
      await this.secrets.delete(key);
      await this.memento.update(key, undefined);
    }
  }

  private async find(key: string, input: McpInput): Promise<string | undefined> {
    const known = input.isSecret ? await this.secrets.get(key) : this.memento.get<string>(key);
    if (known !== undefined) return known;
    const value = await ask(input);
    if (value === undefined) return undefined;
    // Secrets cannot be listed: the memento remembers that there is one.
    if (input.isSecret) await this.secrets.store(key, value);
    await this.memento.update(key, input.isSecret ? true : value);
    return value;
  }
}

async function ask(input: McpInput): Promise<string | undefined> {
  const title = vscode.l10n.t('An MCP server needs a value');
  if (input.type === 'pickString') {
    return vscode.window.showQuickPick([...input.choices], {
      title,
      placeHolder: input.description,
      ignoreFocusOut: true,
    });
  }
  return vscode.window.showInputBox({
    title,
    prompt: input.description,
    password: input.isSecret,
    ignoreFocusOut: true,
    ...(input.initial !== undefined && { value: input.initial }),
  });
}
