import { label, namedFile } from '../ask';
import type { Scene } from '../scene';
import { readFile } from '../skills/readFile';
import { searchFiles } from '../skills/searchFiles';
import { favouriteFile } from '../workspace';

export const read: Scene = {
  name: 'read',
  description: 'Read a file through the editor',
  hint: 'file',
  words: /\b(?:read|open|look at|summari[sz]e|explain)\b/i,
  title: 'Reading a file',
  next: '`/edit` changes the same file.',
  async play(turn, ask) {
    const file = namedFile(ask, turn.cwd, ask.command === undefined) ?? favouriteFile(turn.cwd);
    if (file === undefined) {
      await turn.say('There is no text file in this folder. `/new demo.md` creates one.');
      return;
    }
    const content = await readFile(turn, file);
    const name = label(file, turn.cwd);
    if (content === undefined) {
      await turn.say(`I could not read \`${name}\`; the reason is above.`);
      return;
    }
    const lines = content.replace(/\n$/, '').split('\n');
    const first =
      lines
        .find(line => /\w/.test(line))
        ?.trim()
        .slice(0, 120) ?? '';
    await turn.say(
      `\`${name}\` has **${lines.length} ${lines.length === 1 ? 'line' : 'lines'}**` +
        (first === '' ? '.' : ` and begins with:\n\n    ${first}\n\n`) +
        '\nI read it through the editor, so unsaved changes count.',
    );
  },
};

export const searchScene: Scene = {
  name: 'search',
  description: 'Search the files of this folder',
  hint: 'text',
  words: /\b(?:search|find|grep|where is)\b/i,
  title: 'Searching',
  next: '`/read` opens one of them.',
  async play(turn, ask) {
    const quoted = /["'`]([^"'`]+)["'`]/.exec(ask.text)?.[1];
    const term = quoted ?? (ask.command === undefined ? lastWord(ask.text) : ask.text);
    const wanted = term === '' ? 'name' : term;
    const matches = await searchFiles(turn, wanted);
    if (matches.length === 0) {
      await turn.say(`Nothing here contains \`${wanted}\`.`);
      return;
    }
    const shown = matches.slice(0, 8).map(match => {
      const place = `${label(match.file, turn.cwd)}:${match.line}`;
      return `- [${place}](${place}) \`${match.text.replace(/`/g, "'")}\``;
    });
    const rest =
      matches.length > shown.length ? `\n- and ${matches.length - shown.length} more` : '';
    const results = matches.length === 1 ? '1 result' : `${matches.length} results`;
    await turn.say(`**${results}** for \`${wanted}\`:\n\n${shown.join('\n')}${rest}\n`);
  },
};

function lastWord(text: string): string {
  return text.match(/[\w-]+/g)?.at(-1) ?? '';
}
