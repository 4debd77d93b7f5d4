import type { Scene } from '../scene';
import { runCommand, sampleCommand, type RunResult } from '../skills/runCommand';
import type { Turn } from '../turn';
import { testCommand } from '../workspace';

export const run: Scene = {
  name: 'run',
  description: 'Run a command, with its output as it comes',
  hint: 'command',
  words: /\b(?:run|execute|terminal|shell|tests?)\b/i,
  title: 'Running a command',
  async play(turn, ask) {
    const typed = ask.command === undefined ? /`([^`]+)`/.exec(ask.text)?.[1] : ask.text;
    const command = typed || (testCommand(turn.cwd) ?? sampleCommand());
    await turn.think('The user should see the exact command before it runs.');
    await explainRun(turn, command, await runCommand(turn, command));
  },
};

/** Says in plain words how a command ended. */
export async function explainRun(turn: Turn, command: string, result: RunResult): Promise<void> {
  switch (result.kind) {
    case 'exited':
      await turn.say(
        result.exitCode === 0
          ? 'It finished without errors.'
          : result.signal !== null
            ? `It was ended by ${result.signal}.`
            : `It ended with exit code **${result.exitCode ?? 'unknown'}**; its output says why.`,
      );
      return;
    case 'proposed':
      await turn.say(
        `I would run this:\n\n\`\`\`sh\n${command}\n\`\`\`\n\n` +
          'The mode is **Plan only**, so I do not. Choose **Ask** to let me.',
      );
      return;
    case 'rejected':
      await turn.say('Fine, I did not run it.');
      return;
    case 'failed':
      await turn.say('The command did not start; the reason is above.');
      return;
    case 'unsupported':
      await turn.say('This client offers agents no terminal, so I cannot run commands here.');
      return;
  }
}
