import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Terminal, ToolCallPart } from '../../src/session/state/state';
import { icon } from '../ui/icon';
import type { ViewContext } from './context';
import './elapsedTime';
import { duration, statusWord } from './words';

/** A command that ended with anything but 0 has failed, whatever the agent makes of it. */
export function failedExit(part: ToolCallPart, terminal?: Terminal): boolean {
  const exit = terminal?.exit;
  return (
    part.toolKind === 'execute' &&
    part.status === 'completed' &&
    exit !== undefined &&
    ((exit.exitCode ?? 0) !== 0 || exit.signal !== null)
  );
}

/** The sign at the right end of a call's line. */
export function statusSign(
  context: Pick<ViewContext, 'now'>,
  part: ToolCallPart,
  terminal?: Terminal,
): TemplateResult {
  const word = statusWord(part.status);
  switch (part.status) {
    case 'pending':
      return sign('circle-outline', word);
    case 'awaiting':
      return sign('bell-dot', word);
    case 'running':
      return html`<span class="st"
        >${icon('loading', { small: true, spin: true })}<span class="vh">${word}</span
        ><parley-elapsed
          .since=${terminal?.startedAt ?? part.startedAt}
          .now=${context.now}
          .lastOutputAt=${terminal ? (terminal.lastOutputAt ?? terminal.startedAt) : undefined}
        ></parley-elapsed
      ></span>`;
    case 'completed':
      if (failedExit(part, terminal)) return sign('error', failure(part, terminal));
      return html`<span class="vh">${word}</span>${
          part.toolKind === 'execute' && part.endedAt !== undefined
            ? html`<span class="st num">${took(part, terminal)}</span>`
            : nothing
        }`;
    case 'failed':
      return sign('error', failure(part, terminal));
    case 'rejected':
      return sign('circle-slash', word);
    case 'cancelled':
      return sign('stop-circle', word);
    default:
      return sign('question', String(part.status satisfies never));
  }
}

function sign(glyph: string, words: string): TemplateResult {
  return html`<span class="st">${icon(glyph, { small: true })}${words}</span>`;
}

function failure(part: ToolCallPart, terminal?: Terminal): string {
  const exit = terminal?.exit;
  const time = took(part, terminal);
  if (exit?.signal) return l10n.t('{0}, {1}', exit.signal, time);
  if (exit && (exit.exitCode ?? 0) !== 0) return l10n.t('Exit {0}, {1}', exit.exitCode ?? 0, time);
  return statusWord('failed');
}

function took(part: ToolCallPart, terminal?: Terminal): string {
  const start = terminal?.startedAt ?? part.startedAt;
  return duration((terminal?.endedAt ?? part.endedAt ?? start) - start, true);
}
