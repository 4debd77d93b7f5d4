import { html, nothing, type TemplateResult } from 'lit';
import type { ToolCallPart } from '../../src/session/state/state';
import { toggled } from './contentView';
import type { ViewContext } from './context';
import { tip, toolName } from './toolLine';

/** How a call stands in the conversation. */
interface CallLook {
  readonly className: string;
  readonly role?: 'group' | 'listitem';
  readonly status?: string;
  /** What it is folded by, where it is. */
  readonly fold?: string;
}

/** The element of a call: it is named, and found by its ids. */
export function callElement(
  part: ToolCallPart,
  { className, role = 'group', status = part.status, fold }: CallLook,
  body: unknown,
): TemplateResult {
  return html`<div
    class=${className}
    role=${role}
    aria-label=${toolName(part)}
    data-part="tool"
    data-id=${part.id}
    data-tool-call-id=${part.toolCallId}
    data-kind=${part.toolKind}
    data-status=${status}
    data-fold=${fold ?? nothing}
  >
    ${body}
  </div>`;
}

interface FoldedLine {
  readonly key: string;
  readonly open: boolean;
  readonly name: string;
  readonly status: string;
  /** The call, where the line is that of one. */
  readonly part?: ToolCallPart;
  readonly line: unknown;
  readonly sign: unknown;
  readonly kids: unknown;
}

/** A line that opens to what is below it: that of a call, or of several. */
export function foldedLine(
  context: ViewContext,
  { key, open, name, status, part, line, sign, kids }: FoldedLine,
): TemplateResult {
  return html`<details
    class=${part ? 'fold tool' : 'fold tool reads'}
    role="group"
    aria-label=${name}
    data-part=${part ? 'tool' : nothing}
    data-id=${part?.id ?? nothing}
    data-tool-call-id=${part?.toolCallId ?? nothing}
    data-kind=${part?.toolKind ?? nothing}
    data-status=${status}
    data-fold=${key}
    ?open=${open}
    @toggle=${toggled(context, key)}
  >
    <summary tabindex="-1" data-item>${line}${tip()}${sign}</summary>
    ${kids}
  </details>`;
}
