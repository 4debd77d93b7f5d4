/** Terminals that an agent runs itself and reports by ACP v2: snapshots, and pieces of bytes in base64. */
import { terminalOf } from '../state/selectors';
import { isObject, name } from '../../acp/schema/guards/primitives';
import type { SessionAction } from '../state/actions';
import type { SessionState } from '../state/state';
import { MAX_TERMINAL_OUTPUT, MAX_TERMINALS } from '../state/terminalLimits';
import type { Fields } from './namedPlans';

export class OwnTerminals {
  /** A piece may end within a character. */
  private readonly decoders = new Map<string, InstanceType<typeof TextDecoder>>();

  /** What is left out stays, what is null goes. */
  update(state: SessionState, terminalId: string, fields: Fields, at: number): SessionAction[] {
    const { command, cwd, output, exitStatus, capabilities } = fields;
    const known = terminalOf(state, terminalId);
    const line = name(command);
    const place = name(cwd);
    const cancels = capabilities === undefined ? undefined : isSet(capabilities, 'cancel');
    const actions: SessionAction[] = [];
    if (!known || line !== undefined || place !== undefined || cancels !== undefined) {
      actions.push({
        type: 'terminalStarted',
        terminalId,
        command: line ?? '',
        ...(place !== undefined && { cwd: place }),
        owned: false,
        ...(cancels !== undefined && { cancels }),
        at,
      });
    }
    if (output !== undefined) {
      this.decoders.delete(terminalId);
      const data = isObject(output) ? output['data'] : '';
      const text = this.text(terminalId, typeof data === 'string' ? data : '');
      actions.push({ type: 'terminalOutput', terminalId, data: text, replaces: true, at });
    }
    if (isObject(exitStatus)) {
      const { exitCode, signal } = exitStatus;
      actions.push({
        type: 'terminalExited',
        terminalId,
        exit: {
          exitCode: typeof exitCode === 'number' ? exitCode : null,
          signal: name(signal) ?? null,
        },
        at,
      });
    }
    return actions;
  }

  output(state: SessionState, terminalId: string, data: string, at: number): SessionAction[] {
    const begun = terminalOf(state, terminalId) ? [] : this.update(state, terminalId, {}, at);
    return [
      ...begun,
      { type: 'terminalOutput', terminalId, data: this.text(terminalId, data), at },
    ];
  }

  private text(terminalId: string, data: string): string {
    if (this.decoders.size >= MAX_TERMINALS) this.decoders.clear();
    const decoder = this.decoders.get(terminalId) ?? new TextDecoder();
    this.decoders.set(terminalId, decoder);
    const text = decoder.decode(bytesOf(data), { stream: true });
    // No more is kept; one unit more says that something was dropped, another that a pair may be cut.
    return text.slice(-MAX_TERMINAL_OUTPUT - 2);
  }
}

function bytesOf(data: string): Uint8Array {
  try {
    return Uint8Array.from(atob(data), character => character.charCodeAt(0));
  } catch {
    // No base64: an agent that sends the text itself.
    return new TextEncoder().encode(data);
  }
}

function isSet(capabilities: unknown, key: string): boolean {
  return isObject(capabilities) && isObject(capabilities[key]);
}
