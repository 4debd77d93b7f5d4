import { label } from '../ask';
import { text } from '../toolRun';
import type { Turn } from '../turn';
import { search, type Match } from '../workspace';

/** Looks for `term` in the working directory, in front of the user. */
export async function searchFiles(turn: Turn, term: string): Promise<readonly Match[]> {
  const tool = turn.tool({
    title: `Search "${term}"`,
    kind: 'search',
    rawInput: { pattern: term },
  });
  tool.running();
  await turn.pause(350);
  const matches = search(turn.cwd, term, 30);
  const files = new Set(matches.map(match => match.file));
  const lines = matches.map(match => `${label(match.file, turn.cwd)}:${match.line}: ${match.text}`);
  tool.done({
    locations: matches.slice(0, 10).map(match => ({ path: match.file, line: match.line })),
    content: [text(lines.length === 0 ? 'No results' : `\`\`\`\n${lines.join('\n')}\n\`\`\``)],
    rawOutput: { results: matches.length, files: files.size },
  });
  return matches;
}
