import * as l10n from '@vscode/l10n';
import type { ConfigOption } from '../state/config';
import { configAfterUpdate } from '../translate/configOptions';
import type { Agent, OptionDefaults } from '../ports';
import { isAuthRequired, isUnanswered, promptFailure } from './problems';
import type { OpenSession } from './openSession';
import type { SessionConnection } from './sessionConnection';
import type { SessionStore } from '../state/store';
import type { Notices } from '../notices';

/** The agent's options in one chat: mode, model and whatever else it offers. */
export class SessionOptions {
  /** What the user chose when the agent wanted a sign-in first. */
  private waiting: { readonly optionId: string; readonly value: string | boolean } | undefined;

  constructor(
    private readonly agent: Pick<Agent, 'name' | 'lease'>,
    private readonly store: SessionStore,
    private readonly connection: Pick<SessionConnection, 'current' | 'wake' | 'requireSignIn'>,
    private readonly notices: Notices,
    private readonly defaults: OptionDefaults,
  ) {}

  /** The user's choice: shown at once; taken back, with a notice, when the agent refuses. */
  async set(optionId: string, value: string | boolean): Promise<void> {
    // It answers before it may be let go.
    const held = this.agent.lease();
    try {
      await this.setNow(optionId, value);
    } finally {
      held.dispose();
    }
  }

  private async setNow(optionId: string, value: string | boolean): Promise<void> {
    const session = this.connection.current ?? (await this.connection.wake());
    const option = this.find(optionId);
    if (!option || !session || option.value === value) return;
    try {
      await this.change(session, option, value);
      this.defaults.remember(this.agent.name, option, value);
    } catch (error) {
      if (isAuthRequired(error) && !this.store.state.activeTurn) {
        this.waiting = { optionId, value };
        this.connection.requireSignIn(error);
        return;
      }
      this.complain(option, promptFailure(this.agent.name, error).detail);
    }
  }

  /** What had to wait for a sign-in. */
  async resume(): Promise<void> {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) await this.set(waiting.optionId, waiting.value);
  }

  /** Gives a session that has just been made the user's defaults. Never rejects. */
  async applyDefaults(session: OpenSession): Promise<void> {
    for (const { optionId, value, isConfigured } of this.defaults.of(this.agent.name)) {
      const option = this.find(optionId);
      if (option?.value === value) continue;
      if (!option || !offers(option, value)) {
        // What was merely remembered may be gone: that is the agent's business.
        if (isConfigured) this.reportUnknown(optionId, option, value);
        continue;
      }
      try {
        await this.change(session, option, value);
      } catch (error) {
        this.complain(option, promptFailure(this.agent.name, error).detail);
        // One that does not answer would keep the user waiting once more for each of them.
        if (isUnanswered(error)) return;
      }
    }
  }

  /** The process is another one, and may not know what was chosen in this chat. Never rejects. */
  async restore(session: OpenSession, before: readonly ConfigOption[]): Promise<void> {
    for (const { id, value } of before) {
      const option = this.find(id);
      if (!option || option.value === value || !offers(option, value)) continue;
      try {
        await this.change(session, option, value);
      } catch (error) {
        this.complain(option, promptFailure(this.agent.name, error).detail);
        if (isUnanswered(error)) return;
      }
    }
  }

  private async change(
    session: OpenSession,
    option: ConfigOption,
    value: string | boolean,
  ): Promise<void> {
    const optionId = option.id;
    this.store.dispatch({ type: 'configValueChanged', optionId, value });
    try {
      await this.send(session, option, value);
    } catch (error) {
      if (this.find(optionId)?.value === value) {
        this.store.dispatch({ type: 'configValueChanged', optionId, value: option.value });
      }
      throw error;
    }
  }

  private async send(
    { link, sessionId }: OpenSession,
    option: ConfigOption,
    value: string | boolean,
  ): Promise<void> {
    switch (option.source) {
      case 'mode':
        return link.setMode({ sessionId, modeId: String(value) });
      case 'model':
        return link.setModel({ sessionId, modelId: String(value) });
      case 'configOption': {
        const params =
          typeof value === 'boolean'
            ? { sessionId, configId: option.id, type: 'boolean' as const, value }
            : { sessionId, configId: option.id, value };
        const { configOptions } = await link.setConfigOption(params);
        // Some agents answer nothing: the value shown is then what there is to know.
        if (configOptions.length === 0) return;
        const options = configAfterUpdate(this.store.state.configOptions, configOptions);
        this.store.dispatch({ type: 'configChanged', options });
      }
    }
  }

  private find(optionId: string): ConfigOption | undefined {
    return this.store.state.configOptions.find(({ id }) => id === optionId);
  }

  private complain(option: ConfigOption, detail: string): void {
    const text = l10n.t('{0} could not be changed.', option.name);
    this.notices.add('warning', text, detail);
  }

  private reportUnknown(
    optionId: string,
    option: ConfigOption | undefined,
    value: string | boolean,
  ): void {
    const text = option
      ? l10n.t('{0} offers no "{1}" for {2}.', this.agent.name, String(value), option.name)
      : l10n.t('{0} has no option "{1}".', this.agent.name, optionId);
    const detail = l10n.t('It is set in parley.defaults. Correct or remove it.');
    this.notices.add('warning', text, detail);
  }
}

function offers(option: ConfigOption, value: string | boolean): boolean {
  if (option.type === 'boolean') return typeof value === 'boolean';
  return option.groups.some(({ choices }) => choices.some(choice => choice.value === value));
}
