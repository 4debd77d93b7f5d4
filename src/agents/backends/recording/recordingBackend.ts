/** Agents that are recordings: what they said is said again, and no program runs. */
import * as l10n from '@vscode/l10n';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { stdioTransport } from '../../../acp/transport/stdioTransport';
import { Deferred } from '../../../base/deferred';
import type { Backend, RunningAgent } from '../../backend';
import type { RecordedAgent } from '../../definitions';
import { AgentError } from '../../../session/ports';
import type { Problem } from '../../../session/state/state';
import { problem } from '../../problems';
import * as problems from '../../startProblems';
import type { JsonObject } from '../../traffic/recording';
import { accountOf } from '../acp/account';
import { limitsOf } from '../acp/agentLimits';
import type { Endpoint } from '../acp/endpoint';
import { initializeAgent } from '../acp/initialize';
import type { Playback } from './playback';

export const recordingBackend: Backend<RecordedAgent> = {
  async start({ name, playback }, start, signal) {
    const { host } = start;
    if (playback.isUsed) throw new AgentError(played(name));
    start.onInitialize(l10n.t('a recording'), limitsOf(host.settings()).initializeSeconds);
    const agent = {
      name,
      endpoint: endpointOf(name, playback),
      protocol: 'auto' as const,
      isLocal: false,
      account: (initialized: RunningAgent['link']['initialized']) =>
        accountOf(name, initialized, host),
    };
    return initializeAgent(agent, start, signal);
  },
};

function played(name: string): Problem {
  return problem('disconnected', {
    title: l10n.t('The recording of {0} has ended', name),
    detail: [l10n.t('Use the command "Replay Protocol Traffic…" to replay it.')],
    actions: ['newChat'],
  });
}

function endpointOf(name: string, playback: Playback): Endpoint {
  const [fromAgent, toAgent] = [new PassThrough(), new PassThrough()];
  const stopped = new Deferred<void>();
  createInterface({ input: toAgent }).on('line', line =>
    playback.received(JSON.parse(line) as JsonObject),
  );
  return {
    transport(options) {
      void playback.play(message => fromAgent.write(`${JSON.stringify(message)}\n`));
      return stdioTransport(fromAgent, toAgent, options);
    },
    ending: stopped.promise,
    problems: {
      notAcp: (evidence, output) => problems.notAcp(name, evidence, output),
      timedOut: (seconds, output) => problems.initializeTimeout(name, seconds, output),
      closedEarly: (reason, output) => problems.disconnected(name, reason, output),
      disconnected: (reason, output) => problems.disconnected(name, reason, output),
    },
    output: () => [],
    stop() {
      playback.stop();
      fromAgent.end();
      toAgent.end();
      stopped.resolve();
      return Promise.resolve();
    },
  };
}
