/** What can be set in a session: mode, model and effort. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, strings, text } from '../inProcess/json';
import { choice, select, titled, type Choice } from '../inProcess/selects';

/** What the CLI takes for the model that it would use by itself, and for the effort. */
const DEFAULT = 'default';

/** A change, as a control request of the CLI's. */
export interface ControlRequest {
  readonly subtype: string;
  readonly fields: Json;
}

export class SessionOptions {
  private mode = DEFAULT;
  private model = DEFAULT;
  private effort = DEFAULT;
  private models: readonly Json[] = [];
  private isKnown = false;

  /** @param mayBypass the user has started the CLI so that it may do without permissions altogether */
  constructor(private readonly mayBypass: boolean) {}

  /** @param initialized what the CLI answered to `initialize`  @param settings to `get_settings` */
  read(initialized: Json, settings: Json): void {
    this.models = objects(initialized['models']).filter(({ value }) => text(value) !== undefined);
    // A process that takes the place of another is started with what was set.
    if (this.isKnown) return;
    this.isKnown = true;
    const { permissions, effortLevel } = object(settings['effective']);
    this.mode = text(object(permissions)['defaultMode']) ?? this.mode;
    this.effort = text(effortLevel) ?? this.effort;
    const model = text(object(settings['applied'])['model']);
    const listed = this.models.find(({ value, resolvedModel }) =>
      [value, resolvedModel].includes(model),
    );
    this.model = text(listed?.['value']) ?? this.firstModel;
  }

  /** As arguments of a new process that is to be as this one. */
  get args(): readonly string[] {
    return [
      ...(this.mode === DEFAULT ? [] : ['--permission-mode', this.mode]),
      ...(this.model === this.firstModel ? [] : ['--model', this.model]),
      ...(this.effort === DEFAULT ? [] : ['--effort', this.effort]),
    ];
  }

  get hasAutoMode(): boolean {
    return this.modelInfo['supportsAutoMode'] === true;
  }

  /** The CLI has changed its mode. @returns whether that is new */
  setMode(mode: unknown): boolean {
    const id = text(mode);
    if (id === undefined || id === this.mode) return false;
    this.mode = id;
    return true;
  }

  /** What asks the CLI for that value; undefined when there is no such option or value. */
  requestFor(id: string, value: unknown): ControlRequest | undefined {
    const option = this.list().find(each => each.id === id);
    if (!option?.options.some(each => each.value === value)) return undefined;
    switch (id) {
      case 'mode':
        return { subtype: 'set_permission_mode', fields: { mode: value } };
      case 'model':
        return { subtype: 'set_model', fields: { model: value } };
      default: {
        const effortLevel = value === DEFAULT ? null : value;
        return { subtype: 'apply_flag_settings', fields: { settings: { effortLevel } } };
      }
    }
  }

  /** The CLI has agreed. */
  changed(id: string, value: string): void {
    if (id === 'mode') this.mode = value;
    else if (id === 'model') this.model = value;
    else this.effort = value;
  }

  /** As `configOptions` of ACP. */
  list() {
    const models = this.models.map(({ value, displayName, description }) =>
      choice(String(value), text(displayName) ?? String(value), text(description)),
    );
    const efforts = this.modelInfo['supportsEffort'] === true ? this.efforts() : [];
    return [
      select('mode', l10n.t('Mode'), 'mode', this.mode, this.modes()),
      ...(models.length > 0 ? [select('model', l10n.t('Model'), 'model', this.model, models)] : []),
      ...(efforts.length > 0
        ? [select('effort', l10n.t('Effort'), 'thought_level', this.effort, efforts)]
        : []),
    ];
  }

  private modes(): readonly Choice[] {
    const modes = [
      choice(DEFAULT, l10n.t('Manual'), l10n.t('Asks before it changes anything')),
      choice('acceptEdits', l10n.t('Accept edits'), l10n.t('Edits files without asking')),
      choice('plan', l10n.t('Plan'), l10n.t('Makes a plan before it changes anything')),
    ];
    if (this.hasAutoMode) {
      modes.push(choice('auto', l10n.t('Auto'), l10n.t('Claude decides what needs to be asked')));
    }
    if (this.mayBypass) {
      modes.push(choice('bypassPermissions', l10n.t('Bypass permissions'), l10n.t('Never asks')));
    }
    // What the user's settings have.
    const isListed = modes.some(({ value }) => value === this.mode);
    return isListed ? modes : [...modes, choice(this.mode, this.mode)];
  }

  private efforts(): readonly Choice[] {
    const levels = strings(this.modelInfo['supportedEffortLevels']);
    if (levels.length === 0) return [];
    return [DEFAULT, ...levels].map(level =>
      choice(level, level === DEFAULT ? l10n.t('Default') : titled(level)),
    );
  }

  private get firstModel(): string {
    return text(this.models[0]?.['value']) ?? DEFAULT;
  }

  private get modelInfo(): Json {
    return this.models.find(({ value }) => value === this.model) ?? {};
  }
}
