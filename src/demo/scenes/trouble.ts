import type * as schema from '../../acp/schema/schema';
import { ErrorCode, RpcError } from '../peer';
import type { Scene } from '../scene';

export const notice: Scene = {
  name: 'notice',
  description: 'Notices: information, a warning, an error',
  title: 'Notices',
  async play(turn) {
    if (!turn.client.capabilities.session?.notices) {
      await turn.say('This client does not show notices, so I keep them to myself.');
      return;
    }
    turn.notice('info', 'The index is up to date', 'Nothing to do for you.');
    turn.notice('warning', 'The budget is nearly used up', 'A real agent would slow down now.');
    turn.notice('error', 'A server did not answer', 'A real agent would go on without it.');
    await turn.say('Those were three notices. None of them is true.');
  },
};

export const fail: Scene = {
  name: 'error',
  description: 'Answers with an error',
  title: 'An error',
  async play(turn) {
    await turn.say('This answer ends with an error, as you asked…');
    throw new RpcError(ErrorCode.internalError, 'The demo was asked to fail', {
      hint: 'Send anything else to go on.',
    });
  },
};

export const crash: Scene = {
  name: 'crash',
  description: 'Ends the process in the middle of a turn',
  title: 'A crash',
  async play(turn) {
    await turn.say('Goodbye: I end my process now. Parley says what happened and restarts me.');
    await turn.pause(300);
    await new Promise<void>(resolve => {
      process.stderr.write('demo agent: asked to crash\ndemo agent: exiting with code 3\n', () =>
        resolve(),
      );
    });
    process.exit(3);
  },
};

const REASONS: readonly schema.StopReason[] = ['max_tokens', 'max_turn_requests', 'refusal'];

export const end: Scene = {
  name: 'end',
  description: 'Ends the turn for another reason',
  hint: REASONS.join(', '),
  title: 'Reasons to stop',
  async play(turn, ask) {
    const reason = REASONS.find(candidate => ask.text.includes(candidate)) ?? 'max_tokens';
    await turn.say('This answer stops in the middle of a');
    return reason;
  },
};

export const fill: Scene = {
  name: 'fill',
  description: 'Fills the context window, to see its meter',
  hint: 'percent',
  title: 'Context',
  async play(turn, ask) {
    const percent = Math.min(100, Number(/\d+/.exec(ask.text)?.[0] ?? 85));
    turn.session.usage.used = Math.round(
      (contextSize(turn.session.settings.model) * percent) / 100,
    );
    await turn.say(`The context window is now ${percent} % full. Pretend tokens.`);
  },
};

/** Pretend tokens. */
export function contextSize(model: 'small' | 'large'): number {
  return model === 'small' ? 32_000 : 200_000;
}
