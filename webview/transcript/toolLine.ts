import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { withoutEscapes } from '../../src/base/escapeSequences';
import type { ToolCallPart } from '../../src/session/state/state';
import type { ToolText } from './toolText';
import { visible } from './visibleText';

export function toolName(part: ToolCallPart): string {
  return l10n.t('Tool: {0}', withoutEscapes(part.title) || part.toolKind);
}

/** What a call is about, in a line. */
export function lineText(text: ToolText, title: string): TemplateResult {
  const whole =
    withoutEscapes(title) || [text.before, text.object, text.after].filter(Boolean).join(' ');
  return html`<span class="cut grow" title=${whole}
    >${text.before ? `${text.before} ` : nothing}<span class=${text.mono ? 'obj mono' : 'obj'}
      >${text.object}</span
    >${text.after ? html` <span class="hide-xs">${text.after}</span>` : nothing}</span
  >`;
}

/** Stands where a line opens. */
export function tip(): TemplateResult {
  return html`<i class="codicon tip codicon-chevron-right" aria-hidden="true"></i>`;
}

/** Which rule decided about it. */
export function noteView({ note }: ToolCallPart): unknown {
  return note ? html`<p class="note">${visible(note)}</p>` : nothing;
}
