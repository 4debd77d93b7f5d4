/**
 * The only import of the webview UI toolkit: it is archived upstream, and this file is the way out. It loads
 * with the first element that needs it; the look is set in `styles/controls.css`.
 */
import { provideVSCodeDesignSystem, vsCodeCheckbox } from '@vscode/webview-ui-toolkit';

// Defines `<vscode-checkbox>`.
provideVSCodeDesignSystem().register(vsCodeCheckbox());
