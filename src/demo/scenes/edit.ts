import * as path from 'node:path';
import { label, namedFile, type Ask } from '../ask';
import type { Scene } from '../scene';
import { createFile, editFile, type EditResult } from '../skills/editFile';
import type { Turn } from '../turn';
import { favouriteFile } from '../workspace';

export const edit: Scene = {
  name: 'edit',
  description: 'Change a file, with your permission',
  hint: 'file, or: replace a with b in file',
  words: /\b(?:edit|change|fix|replace|rename|improve|refactor)\b/i,
  title: 'Editing a file',
  next: '`/run npm test` checks the result, or open the diff above.',
  async play(turn, ask) {
    const file = namedFile(ask, turn.cwd, ask.command === undefined) ?? favouriteFile(turn.cwd);
    if (file === undefined) {
      await turn.say('There is no text file in this folder yet, so I start one.');
      await explain(turn, 'demo.md', await createFile(turn, path.join(turn.cwd, 'demo.md'), DEMO));
      return;
    }
    const name = label(file, turn.cwd);
    await turn.think(`Which change is small enough to show, and useful in ${name}?`);
    await turn.say(`I read \`${name}\` first, then show you the change before I make it.`);
    await explain(turn, name, await editFile(turn, file, ask.text));
  },
};

export const newFile: Scene = {
  name: 'new',
  description: 'Create a file, with your permission',
  hint: 'file name',
  words: /\b(?:create|new file|write a file)\b/i,
  title: 'Creating a file',
  next: '`/edit` on the same file changes it.',
  async play(turn, ask) {
    const name = nameOfNew(ask);
    const file = path.resolve(turn.cwd, name);
    if (await exists(turn, file)) {
      await turn.say(`\`${name}\` is there already. \`/edit ${name}\` changes it.`);
      return;
    }
    await turn.say(`A new file, \`${name}\`. You see all of it before it exists.`);
    await explain(turn, name, await createFile(turn, file, contentFor(name)));
  },
};

/** Says in plain words how an edit ended. */
export async function explain(turn: Turn, name: string, result: EditResult): Promise<void> {
  switch (result.kind) {
    case 'changed':
      await turn.say(`Done: \`${name}\` ${result.edit.summary}.`);
      return;
    case 'proposed':
      await turn.say(
        `This is what I would change in \`${name}\`:\n\n\`\`\`diff\n${result.patch}\n\`\`\`\n\n` +
          'The mode is **Plan only**, so I leave it at that. Choose **Ask** to let me do it.',
      );
      return;
    case 'rejected':
      await turn.say(`As you wish: \`${name}\` stays as it was.`);
      return;
    case 'nothingToDo':
      await turn.say(`I found nothing to change in \`${name}\`, so I left it alone.`);
      return;
    case 'unreadable':
      await turn.say(`I could not read \`${name}\`. \`/new ${name}\` creates it.`);
      return;
    case 'failed':
      await turn.say(`The change to \`${name}\` did not go through; the reason is above.`);
      return;
  }
}

function nameOfNew(ask: Ask): string {
  const word = ask.text.match(/[^\s"'`,;()]*[\w-]\.\w+/)?.[0];
  return word ?? (ask.command !== undefined && /^\S+$/.test(ask.text) ? ask.text : 'demo.md');
}

async function exists(turn: Turn, file: string): Promise<boolean> {
  try {
    return (await turn.client.readTextFile(file)) !== '';
  } catch {
    return false;
  }
}

function contentFor(name: string): string {
  const base = path.basename(name).replace(/\.\w+$/, '');
  if (/\.[cm]?[jt]sx?$/.test(name)) {
    return `/** Made by Parley Demo. */\nexport const made = '${base.replace(/[\\']/g, '')}';\n`;
  }
  if (/\.py$/.test(name)) return '"""Made by Parley Demo."""\n\nprint("Hello from a new file")\n';
  if (/\.json$/.test(name)) return '{\n  "madeBy": "Parley Demo"\n}\n';
  if (/\.html?$/.test(name)) return '<!doctype html>\n<title>Made by Parley Demo</title>\n';
  return name === 'demo.md' ? DEMO : `Made by Parley Demo.\n`;
}

const DEMO = `# A file made in the chat

Parley showed you this text before the file existed, and you allowed it.

- Open it from the tool call in the chat.
- Change it yourself: the agent reads what you see, saved or not.
- Delete it when you are done.
`;
