import type { Attached } from '../ask';
import type { Scene } from '../scene';
import { readFile } from '../skills/readFile';

export const context: Scene = {
  name: 'context',
  description: 'What reached me of what you attached',
  words: /\b(?:attached|attachment|context|selection)\b/i,
  title: 'What was attached',
  async play(turn, ask) {
    if (ask.attached.length === 0) {
      await turn.say(
        'Nothing is attached. Use **Add Context** below, or select some code and run ' +
          '**Parley: Add Selection to Chat**, then ask again.',
      );
      return;
    }
    for (const item of ask.attached) {
      if (item.kind === 'link' && item.file !== undefined) await readFile(turn, item.file);
    }
    await turn.say(describeAttached(ask.attached));
  },
};

export function describeAttached(attached: readonly Attached[]): string {
  const items = attached.map(item => `- ${describe(item)}`);
  const first = attached.find(item => item.text !== undefined)?.text;
  const quote = first === undefined ? '' : `\n\nIt begins:\n\n${quoted(first)}`;
  return `\n\nThis reached me with your message:\n\n${items.join('\n')}${quote}\n`;
}

function describe(item: Attached): string {
  const facts: string[] = [];
  if (item.mimeType !== undefined) facts.push(item.mimeType);
  if (item.text !== undefined) facts.push(count(item.text));
  if (item.size !== undefined) facts.push(`${Math.ceil(item.size / 1024)} KB`);
  if (item.kind === 'link') facts.push('a link: I read it when I need it');
  if (item.kind === 'text') facts.push('the text itself');
  return `**${item.label}**${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function count(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines === 1 ? '1 line' : `${lines} lines`;
}

/** The first lines, indented: nothing in them can end an indented block. */
function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .slice(0, 6)
    .map(line => `    ${line.slice(0, 200)}`)
    .join('\n');
}
