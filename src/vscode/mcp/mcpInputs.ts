import * as vscode from 'vscode';
import type { McpInput } from '../../agents/mcp/mcpConfig';

interface Asking {
  readonly answer: Promise<string | undefined>;
  readonly takenBack: vscode.CancellationTokenSource;
  /** Who waits for the answer. */
  waiting: number;
}

const PREFIX = 'parley.mcp.input.';

/** Values of `${input:…}`: asked for once, then remembered; passwords in the secret storage. */
export class McpInputs {
  /** One question at a time, and each only once, however many chats open together. */
  private readonly asking = new Map<string, Asking>();

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly memento: vscode.Memento,
  ) {}

  /**
   * @param source distinguishes inputs of the same name in different files.
   * @param signal takes the question back; it goes away when nobody else waits for the answer.
   */
  value(source: string, input: McpInput, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const key = `${PREFIX}${source}#${input.id}`;
    const asking = this.asking.get(key) ?? this.ask(key, input);
    asking.waiting += 1;
    const leave = (): void => {
      asking.waiting -= 1;
      if (asking.waiting > 0) return;
      this.forgetAsking(key, asking);
      asking.takenBack.cancel();
    };
    signal.addEventListener('abort', leave, { once: true });
    return asking.answer.finally(() => signal.removeEventListener('abort', leave));
  }

  /** Forgets every answer, so that each is asked for again. */
  async forget(): Promise<void> {
    for (const key of this.memento.keys().filter(key => key.startsWith(PREFIX))) {
      await this.secrets.delete(key);
      await this.memento.update(key, undefined);
    }
  }

  private ask(key: string, input: McpInput): Asking {
    const before = Promise.allSettled([...this.asking.values()].map(({ answer }) => answer));
    const takenBack = new vscode.CancellationTokenSource();
    const answer = before
      .then(() => this.find(key, input, takenBack.token))
      .finally(() => this.forgetAsking(key, asking));
    const asking: Asking = { answer, takenBack, waiting: 0 };
    this.asking.set(key, asking);
    return asking;
  }

  private forgetAsking(key: string, asking: Asking): void {
    if (this.asking.get(key) === asking) this.asking.delete(key);
  }

  private async find(
    key: string,
    input: McpInput,
    token: vscode.CancellationToken,
  ): Promise<string | undefined> {
    if (token.isCancellationRequested) return undefined;
    const known = input.isSecret ? await this.secrets.get(key) : this.memento.get<string>(key);
    if (known !== undefined) return known;
    const value = await ask(input, token);
    if (value === undefined) return undefined;
    // Secrets cannot be listed: the memento remembers that there is one.
    if (input.isSecret) await this.secrets.store(key, value);
    await this.memento.update(key, input.isSecret ? true : value);
    return value;
  }
}

async function ask(input: McpInput, token: vscode.CancellationToken): Promise<string | undefined> {
  const title = vscode.l10n.t('An MCP server needs a value');
  if (input.type === 'pickString') {
    const options = { title, placeHolder: input.description, ignoreFocusOut: true };
    return vscode.window.showQuickPick([...input.choices], options, token);
  }
  const options = {
    title,
    prompt: input.description,
    password: input.isSecret,
    ignoreFocusOut: true,
    ...(input.initial !== undefined && { value: input.initial }),
  };
  return vscode.window.showInputBox(options, token);
}
