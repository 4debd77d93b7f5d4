import * as path from 'node:path';
import { text, type ToolStart } from '../toolRun';
import type { Scene } from '../scene';

/** Every kind of tool and every way one can end. None of them does anything. */
export const tools: Scene = {
  name: 'tools',
  description: 'One row for each kind of tool',
  words: /\btools?\b/i,
  title: 'Kinds of tools',
  async play(turn) {
    await turn.say('One row for each kind of tool. I only pretend: nothing is touched.');
    const inFolder = (name: string): string => path.join(turn.cwd, name);
    const starts: ToolStart[] = [
      { kind: 'read', title: 'Read README.md', locations: [{ path: inFolder('README.md') }] },
      { kind: 'search', title: 'Search "Retry-After"', rawInput: { pattern: 'Retry-After' } },
      { kind: 'fetch', title: 'Fetch example.com/docs' },
      { kind: 'think', title: 'Consider the alternatives' },
      { kind: 'move', title: 'Move a.ts to b.ts', locations: [{ path: inFolder('b.ts') }] },
      { kind: 'delete', title: 'Delete old.ts', locations: [{ path: inFolder('old.ts') }] },
      { kind: 'switch_mode', title: 'Switch to Auto-edit' },
      { kind: 'other', title: 'Ask the calendar server', rawInput: { day: 'today', limit: 3 } },
    ];
    for (const start of starts) {
      const tool = turn.tool(start);
      tool.running();
      await turn.pause(400);
      tool.done({ content: [text(`Pretended: ${start.title}`)], rawOutput: { pretended: true } });
    }
    const failing = turn.tool({ kind: 'fetch', title: 'Fetch example.com/missing' });
    failing.running();
    await turn.pause(400);
    failing.failed('404: there is no such page');
    await turn.say('\n\nThe last one failed on purpose: failures open by themselves.');
  },
};
