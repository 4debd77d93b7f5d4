/**
 * The only import of the webview UI toolkit: it is archived upstream, and this file is the way out.
 * Registered are the elements Parley uses; the look of each is set in `styles/toolkit.css`.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
} from '@vscode/webview-ui-toolkit';

/** Defines `<vscode-button>` and `<vscode-checkbox>`; call it once, before rendering. */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeCheckbox());
}
