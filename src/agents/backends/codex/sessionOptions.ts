/** What can be set in a session: mode, model, effort, when Codex asks, and what its sandbox allows. */
import * as l10n from '@vscode/l10n';
import { toJson } from '../../../base/json';
import type { Json } from '../../../acp/schema/guards/primitives';
import { object, objects, text } from '../inProcess/json';
import { choice, select, titled, type Choice } from '../inProcess/selects';

/** For a policy that has no name. */
const OWN = 'own';

/** The policies of sandboxes by their types, as a change to them is asked for. */
const SANDBOXES: Readonly<Record<string, Json>> = {
  readOnly: { type: 'readOnly', networkAccess: false },
  workspaceWrite: {
    type: 'workspaceWrite',
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  },
  dangerFullAccess: { type: 'dangerFullAccess' },
};

export class SessionOptions {
  private mode = 'default';
  private model = '';
  private effort: string | undefined;
  private approval: unknown = 'on-request';
  /** That of the user's configuration, where it has no name. */
  private ownApproval: unknown;
  private sandbox = 'readOnly';
  /** With what the user's configuration adds to them. */
  private sandboxes: Readonly<Record<string, Json>> = SANDBOXES;

  /** @param models that the server lists */
  constructor(private readonly models: readonly Json[]) {}

  /**
   * @param settings of a thread, or the answer to what opens one
   * @returns whether something else is set than before
   */
  read(settings: Json): boolean {
    const before = toJson(this.list());
    this.model = text(settings['model']) ?? this.model;
    this.effort = text(settings['effort']) ?? text(settings['reasoningEffort']) ?? this.effort;
    this.mode = text(object(settings['collaborationMode'])['mode']) ?? this.mode;
    const { approvalPolicy } = settings;
    if (approvalPolicy != null) this.approval = approvalPolicy;
    if (typeof approvalPolicy === 'object' && approvalPolicy) this.ownApproval = approvalPolicy;
    const sandbox = object(settings['sandbox'] ?? settings['sandboxPolicy']);
    const type = text(sandbox['type']);
    if (type !== undefined) {
      this.sandbox = type;
      this.sandboxes = { ...this.sandboxes, [type]: sandbox };
    }
    return toJson(this.list()) !== before;
  }

  get isPlanning(): boolean {
    return this.mode === 'plan';
  }

  /** Everything that is set, as parameters of `thread/settings/update`. */
  get settings(): Json {
    return {
      ...(this.model !== '' && { model: this.model }),
      ...(this.effort !== undefined && { effort: this.effort }),
      approvalPolicy: this.approval,
      sandboxPolicy: this.sandboxes[this.sandbox],
      ...this.collaboration(this.mode),
    };
  }

  /** What sets that, as parameters of `thread/settings/update`; undefined when there is no such option or value. */
  change(id: string, value: unknown): Json | undefined {
    const option = this.list().find(each => each.id === id);
    if (!option?.options.some(each => each.value === value)) return undefined;
    switch (id) {
      case 'mode':
        return this.collaboration(String(value));
      case 'model':
        return { model: value };
      case 'effort':
        return { effort: value };
      case 'approval':
        return { approvalPolicy: value === OWN ? this.ownApproval : value };
      default:
        return { sandboxPolicy: this.sandboxes[String(value)] };
    }
  }

  /** As `configOptions` of ACP. */
  list() {
    const models = this.models.map(({ model, displayName, description }) =>
      choice(String(model), text(displayName) ?? String(model), text(description)),
    );
    const { supportedReasoningEfforts, defaultReasoningEffort } = this.modelInfo;
    const efforts = objects(supportedReasoningEfforts).flatMap(
      ({ reasoningEffort: level, description }) =>
        text(level) === undefined
          ? []
          : [choice(String(level), titled(String(level)), text(description))],
    );
    const effort = this.effort ?? text(defaultReasoningEffort) ?? '';
    const modes = [
      choice('default', l10n.t('Default'), l10n.t('Works on what you ask')),
      choice('plan', l10n.t('Plan'), l10n.t('Makes a plan before it changes anything')),
    ];
    const model = l10n.t('Model');
    return [
      select('mode', l10n.t('Mode'), 'mode', this.mode, withCurrent(modes, this.mode)),
      select('model', model, 'model', this.model, withCurrent(models, this.model)),
      ...(efforts.length > 0
        ? [
            select(
              'effort',
              l10n.t('Effort'),
              'thought_level',
              effort,
              withCurrent(efforts, effort),
            ),
          ]
        : []),
      select('approval', l10n.t('Approvals'), undefined, this.approvalName, this.approvals()),
      select('sandbox', l10n.t('Sandbox'), undefined, this.sandbox, this.sandboxChoices()),
    ];
  }

  private get approvalName(): string {
    return typeof this.approval === 'string' ? this.approval : OWN;
  }

  private approvals(): readonly Choice[] {
    const known = [
      choice(
        'untrusted',
        l10n.t('Untrusted'),
        l10n.t('Asks before commands that are not known to be safe'),
      ),
      choice('on-request', l10n.t('On request'), l10n.t('Asks to do what the sandbox forbids')),
      choice('never', l10n.t('Never'), l10n.t('Never asks; what the sandbox forbids fails')),
      ...(this.ownApproval === undefined
        ? []
        : [choice(OWN, l10n.t('Custom'), l10n.t('As set in the configuration of Codex'))]),
    ];
    return withCurrent(known, this.approvalName);
  }

  private sandboxChoices(): readonly Choice[] {
    const known = [
      choice('readOnly', l10n.t('Read only'), l10n.t('Reads files; commands change nothing')),
      choice('workspaceWrite', l10n.t('Workspace'), l10n.t('Writes only in the workspace')),
      choice('dangerFullAccess', l10n.t('Full access'), l10n.t('No sandbox')),
    ];
    return withCurrent(known, this.sandbox);
  }

  private collaboration(mode: string): Json {
    const settings = {
      model: this.model,
      reasoning_effort: this.effort ?? null,
      developer_instructions: null,
    };
    return { collaborationMode: { mode, settings } };
  }

  private get modelInfo(): Json {
    return this.models.find(({ model }) => model === this.model) ?? {};
  }
}

/** What the user's configuration has may be unknown here. */
function withCurrent(choices: readonly Choice[], current: string): readonly Choice[] {
  const isListed = current === '' || choices.some(({ value }) => value === current);
  return isListed ? choices : [...choices, choice(current, current)];
}
