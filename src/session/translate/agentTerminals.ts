/**
 * Some agents run commands themselves and tell the output in `_meta` of tool calls: `terminal_info`,
 * `terminal_output` (or `terminal_output_delta`) and `terminal_exit`. This is not in the specification;
 * the shapes are those that several agents send.
 */
import type { SessionAction } from '../state/actions';
import { MAX_TERMINAL_OUTPUT, type SessionState } from '../state/state';

interface Meta {
  readonly [key: string]: unknown;
}

const OUTPUTS = ['terminal_output', 'terminal_output_delta'];
const KEYS = ['terminal_info', ...OUTPUTS, 'terminal_exit'];

/** The terminal of which `meta` tells output. */
export function terminalIn(meta: unknown): string | undefined {
  const fields = record(meta);
  return OUTPUTS.map(key => text(record(fields?.[key])?.['terminal_id'])).find(Boolean);
}

/** @param isOver the output is all there is, and no end will be told. */
export function terminalActions(
  meta: unknown,
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
    actions.push({
      type: 'terminalOutput',
      terminalId,
      data: last(text(output['data']) ?? ''),
      at,
    });
  }

  const exit = record(fields['terminal_exit']);
  const exitId = (exit && text(exit['terminal_id'])) ?? (isOver ? terminalIn(meta) : undefined);
  if (exitId) {
    start(exitId, title ?? '');
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
