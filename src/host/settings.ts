import { RememberedAnswers } from '../vscode/rememberedAnswers';
import { Settings } from '../vscode/settings/settings';
import { SettingsProblems } from '../vscode/settings/settingsProblems';
import { WorkspaceDefaults } from '../vscode/settings/workspaceDefaults';
import { workspaceSettingsFile } from '../vscode/settings/workspaceSettingsFile';
import type { LazyTracking } from '../vscode/tracking/lazyTracking';
import type { Window } from './window';

export interface WindowSettings {
  readonly settings: Settings;
  readonly workspaceDefaults: WorkspaceDefaults;
}

/** The settings as they count here, and what a workspace asks for of them. */
export function composeSettings(
  { parts, context, logger }: Window,
  tracking: LazyTracking,
): WindowSettings {
  const workspaceDefaults = parts.add(
    new WorkspaceDefaults({
      answers: new RememberedAnswers(context.workspaceState, 'parley.workspaceDefaults'),
      settingsFile: () => workspaceSettingsFile()?.fsPath,
      isPending: tracking.isPending,
      onDidChangePending: tracking.review.onDidChange,
      async ask(asked) {
        const { askAboutDefaults } = await import('../vscode/settings/askAboutDefaults');
        return askAboutDefaults(asked);
      },
      logger,
    }),
  );
  const settings = parts.add(new Settings(workspaceDefaults));
  parts.add(new SettingsProblems(settings, logger));
  return { settings, workspaceDefaults };
}
