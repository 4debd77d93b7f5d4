/** The settings that an agent offers for a session, as the user sees and changes them. */

export type ConfigOption = ConfigSelect | ConfigBoolean;

interface ConfigBase {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** ACP's categories: mode, model, model_config, thought_level; others are the agent's own. */
  readonly category?: string;
  /** Which protocol feature it came from, and so how a change is sent. */
  readonly source: 'configOption' | 'mode' | 'model';
}

export interface ConfigSelect extends ConfigBase {
  readonly type: 'select';
  readonly value: string;
  readonly groups: readonly ConfigGroup[];
}

export interface ConfigBoolean extends ConfigBase {
  readonly type: 'boolean';
  readonly value: boolean;
}

export interface ConfigGroup {
  /** Absent for ungrouped options. */
  readonly name?: string;
  readonly choices: readonly ConfigChoice[];
}

export interface ConfigChoice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}
