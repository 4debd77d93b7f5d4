import * as path from 'node:path';
import { label } from '../ask';
import type { Scene } from '../scene';
import { createFile, editFile } from '../skills/editFile';
import { readFile } from '../skills/readFile';
import { runCommand, sampleCommand } from '../skills/runCommand';
import { searchFiles } from '../skills/searchFiles';
import { favouriteFile, testCommand, textFiles } from '../workspace';
import { explain } from './edit';
import { Plan } from './plan';
import { explainRun } from './run';

/** One task from start to finish, on the files that are there. */
export const tour: Scene = {
  name: 'tour',
  description: 'A whole task: read, plan, edit, run',
  words: /\b(?:tour|demo|show me)\b/i,
  title: 'A tour of Parley',
  next: 'choose **Auto-edit** as the mode and send `/edit` to see the difference.',
  async play(turn) {
    await turn.think(
      'A small task shows more than a list of features.',
      'Look around first, then one edit that the user can judge at a glance, then a command.',
    );
    await turn.say('Let me take you through one small task. The plan is above the message box.');
    const target = favouriteFile(turn.cwd);
    const command = testCommand(turn.cwd) ?? sampleCommand();
    const plan = new Plan(turn, [
      ['Look around the folder', 'medium'],
      ['Make one change, with your permission', 'high'],
      ['Run a command, with your permission', 'high'],
    ]);

    plan.begin(0);
    const files = textFiles(turn.cwd);
    const readme = files.find(file => path.basename(file) === 'README.md');
    if (readme !== undefined && readme !== target) await readFile(turn, readme);
    await searchFiles(turn, target?.endsWith('greeting.js') ? 'greet' : 'demo');

    plan.begin(1);
    const file = target ?? path.join(turn.cwd, 'demo.md');
    await turn.say(
      `\n\nI found ${count(files.length)} and chose \`${label(file, turn.cwd)}\`. ` +
        'Next comes a change: look at the diff, then allow or reject it. Both are fine.',
    );
    const result =
      target === undefined
        ? await createFile(turn, file, '# Demo\n\nMade on the tour of Parley.\n')
        : await editFile(turn, target, '');
    await explain(turn, label(file, turn.cwd), result);

    plan.begin(2);
    await turn.say('\n\nAnd a command. Its output appears as it comes.');
    await explainRun(turn, command, await runCommand(turn, command));

    plan.finish();
    await turn.say(SUMMARY);
  },
};

function count(files: number): string {
  return files === 1 ? '1 text file' : `${files} text files`;
}

const SUMMARY = `

### That was the tour

1. **I read** through the editor, so unsaved text counts.
2. **You decided** about the edit and the command. Either answer is remembered when you choose
   *Always*, until the agent restarts.
3. **You can stop me** at any time: **Esc**, or the square button.

Everything stays in this chat: unfold a tool to see what went in and what came out.
`;
