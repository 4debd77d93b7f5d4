/**
 * Some agents run commands themselves and send the output in `_meta` of tool calls: `terminal_info`,
 * `terminal_output` (or `terminal_output_delta`) and `terminal_exit`. This is not in the specification;
 * the shapes are those that several agents send.
 */
import { terminalOf } from '../state/selectors';
import type * as schema from '../../acp/schema/schema';
import type { SessionAction } from '../state/actions';
import type { SessionState } from '../state/state';
import { MAX_TERMINAL_OUTPUT, MAX_TERMINALS } from '../state/terminalLimits';
import { outputText } from './commandOutput';

interface Meta {
  readonly [key: string]: unknown;
}

const OUTPUTS = ['terminal_output', 'terminal_output_delta'];
const KEYS = ['terminal_info', ...OUTPUTS, 'terminal_exit'];

/** The terminal of which `meta` has output. */
export function terminalIn(meta: unknown): string | undefined {
  const fields = record(meta);
  return OUTPUTS.map(key => text(record(fields?.[key])?.['terminal_id'])).find(Boolean);
}

/** What one agent sends of terminals in `_meta`. */
export class AgentTerminals {
  /** Of which output came as `terminal_output_delta`: an agent that knows both words means each as it says. */
  private readonly inPieces = new Set<string>();

  /** @param isOver the output is all there is, and no end will be reported. */
  actions(
    { _meta: meta, rawOutput }: Pick<schema.ToolCallUpdate, '_meta' | 'rawOutput'>,
    title: string | undefined,
    state: SessionState,
    at: number,
    isOver = false,
  ): SessionAction[] {
    const fields = record(meta);
    // Nearly all updates of some agents have a `_meta`, and few of them speak of terminals.
    if (!fields || !KEYS.some(key => key in fields)) return [];
    const actions: SessionAction[] = [];
    const started = new Set(Object.keys(state.terminals));
    const start = (terminalId: string, command: string, cwd?: string) => {
      if (started.has(terminalId)) return;
      started.add(terminalId);
      actions.push({
        type: 'terminalStarted',
        terminalId,
        command,
        ...(cwd !== undefined && { cwd }),
        owned: false,
        at,
      });
    };

    const info = record(fields['terminal_info']);
    const infoId = info && text(info['terminal_id']);
    if (infoId) start(infoId, text(info['command']) ?? title ?? '', text(info['cwd']));

    for (const key of OUTPUTS) {
      const output = record(fields[key]);
      const terminalId = output && text(output['terminal_id']);
      if (!output || !terminalId) continue;
      start(terminalId, title ?? '');
      const replaces = this.replaces(terminalId, key) && { replaces: true as const };
      const data = last(text(output['data']) ?? '');
      actions.push({ type: 'terminalOutput', terminalId, data, ...replaces, at });
    }

    const exit = record(fields['terminal_exit']);
    const exitId = (exit && text(exit['terminal_id'])) ?? (isOver ? terminalIn(meta) : undefined);
    if (exitId) {
      start(exitId, title ?? '');
      // Codex sends what a quick command printed in the raw result alone.
      const isSilent = !terminalOf(state, exitId)?.output && terminalIn(meta) === undefined;
      const printed = isSilent ? outputText(rawOutput) : undefined;
      if (printed !== undefined) {
        actions.push({ type: 'terminalOutput', terminalId: exitId, data: last(printed), at });
      }
      const code = exit?.['exit_code'];
      actions.push({
        type: 'terminalExited',
        terminalId: exitId,
        exit: {
          exitCode: typeof code === 'number' ? code : null,
          signal: text(exit?.['signal']) ?? null,
        },
        at,
      });
    }
    return actions;
  }

  /**
   * `terminal_output` is one more piece from agents that know no other word (Codex, pi), and all of the output
   * from those that send pieces as deltas (what Claude runs in the background).
   */
  private replaces(terminalId: string, key: string): boolean {
    if (key === 'terminal_output') return this.inPieces.has(terminalId);
    if (this.inPieces.size >= MAX_TERMINALS) this.inPieces.clear();
    this.inPieces.add(terminalId);
    return false;
  }
}

/** No more is kept; one unit more says that something was dropped, another that a pair may be cut. */
function last(data: string): string {
  return data.slice(-MAX_TERMINAL_OUTPUT - 2);
}

function record(value: unknown): Meta | undefined {
  return typeof value === 'object' && value !== null ? (value as Meta) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
