import { label } from '../ask';
import { Cancelled } from '../peer';
import { text } from '../toolRun';
import type { Turn } from '../turn';

/** Reads `file` in front of the user; undefined when it cannot be read (and the reason is shown). */
export async function readFile(turn: Turn, file: string): Promise<string | undefined> {
  const tool = turn.tool({
    title: `Read ${label(file, turn.cwd)}`,
    kind: 'read',
    locations: [{ path: file }],
    rawInput: { path: file },
  });
  tool.running();
  await turn.pause(250);
  try {
    const content = await turn.client.readTextFile(file);
    tool.done({ content: [text(preview(content))], rawOutput: { characters: content.length } });
    return content;
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    tool.failed(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** The first lines in a fence that the text cannot close. */
function preview(content: string): string {
  const lines = content.split(/\r?\n/);
  const shown = lines.slice(0, 40).join('\n');
  const fence = '`'.repeat(Math.max(3, ...(shown.match(/`+/g) ?? []).map(run => run.length + 1)));
  const rest = lines.length > 40 ? `\n${lines.length - 40} more lines` : '';
  return `${fence}\n${shown}\n${fence}${rest}`;
}
