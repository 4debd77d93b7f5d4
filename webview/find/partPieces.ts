import { withoutEscapes } from '../../src/base/escapeSequences';
import type { ContentView, Preview } from '../../src/session/state/content';
import type { Part, SessionState, ToolCallPart, Turn } from '../../src/session/state/state';
import { restOfCall } from '../transcript/restOfCall';
import { terminalLines } from '../transcript/terminalText';
import { toolText } from '../transcript/toolText';
import { proseLines } from './proseText';

/** A place of a part in which something can be found. */
export interface Piece {
  /** The element that shows it, by its fold; `head`: the line of a call; absent: the part itself. */
  readonly scope?: string;
  /** What has to be open for it to be seen. */
  readonly folds: readonly string[];
  readonly lines: () => readonly string[];
  /** All the text that is written in it, as the agent sent it: where this holds nothing, `lines` do not either. */
  readonly source: string;
  /** Names the whole of what is only begun here. */
  readonly held?: string;
}

/** What the user said, in the places of a part. */
export function promptPieces({ prompt }: Turn): readonly Piece[] {
  if (!prompt) return [];
  const text = withoutEscapes(prompt.text);
  return [{ folds: [`${prompt.id}#prompt`], lines: () => [text], source: text }];
}

export function partPieces(session: SessionState, part: Part): readonly Piece[] {
  switch (part.kind) {
    case 'text':
      return [prose(part.text, [])];
    case 'thought':
      return [prose(part.text, [part.id])];
    case 'content':
      return content(part.block, part.id, []);
    case 'tool':
      return tool(session, part);
    case 'plan':
      return part.entries.map(entry => plain(entry.content, { folds: [part.id] }));
    case 'user':
      return [plain(part.message.text, {})];
    case 'notice':
      return [
        plain([part.text, part.detail ?? ''].join('\n'), {}),
        ...(part.body ? [prose(part.body, [`${part.id}#body`], `${part.id}#body`)] : []),
      ];
  }
}

function tool(session: SessionState, part: ToolCallPart): readonly Piece[] {
  const id = part.content.find(each => each.kind === 'terminal')?.terminalId;
  const terminal = id === undefined ? undefined : session.terminals[id];
  const { before, object, after } = toolText(part, session.cwd, terminal);
  const open = [part.id];
  const pieces = [plain([before, object, after].filter(Boolean).join(' '), { scope: 'head' })];
  for (const [index, each] of part.content.entries()) {
    const key = `${part.id}#${index}`;
    const folds = [...open, key];
    if (each.kind === 'diff') {
      const lines = each.diff.hunks.flatMap(hunk => hunk.lines.map(({ text }) => text));
      const source = lines.join('\n');
      pieces.push({ scope: key, folds, lines: () => lines, source });
    } else if (each.kind === 'terminal') {
      const { output = '', screen = '' } = session.terminals[each.terminalId] ?? {};
      pieces.push(printed(output + screen, key, folds));
    } else if (part.toolKind === 'execute' && each.block.kind === 'text') {
      pieces.push(printed(each.block.text.text, key, folds));
    } else {
      pieces.push(...content(each.block, key, open));
    }
  }
  const { input, output } = restOfCall(part, session.cwd);
  if (input) pieces.push(preview(input, `${part.id}#input`, open));
  if (output) pieces.push(preview(output, `${part.id}#output`, open));
  return pieces;
}

function content(block: ContentView, key: string, open: readonly string[]): readonly Piece[] {
  switch (block.kind) {
    case 'text': {
      const isFolded = block.annotations?.audience?.includes('user') === false;
      const folds = isFolded ? [...open, `${key}#audience`] : open;
      return [{ ...prose(block.text.text, folds, key), ...heldOf(block.text) }];
    }
    case 'link':
      return [
        plain([block.title ?? block.name, block.description ?? ''].join('\n'), { scope: key }),
      ];
    case 'resource':
      return block.text ? [preview(block.text, `${key}#resource`, open)] : [];
    case 'unknown':
      return [preview(block.json, `${key}#unknown`, open)];
    case 'image':
    case 'audio':
      return [];
  }
}

function preview(text: Preview, key: string, open: readonly string[]): Piece {
  return { ...plain(text.text, { scope: key, folds: [...open, key] }), ...heldOf(text) };
}

function heldOf({ truncated, ref }: Preview): { readonly held?: string } {
  return truncated && ref !== undefined ? { held: ref } : {};
}

/** Output as a terminal shows it. */
function printed(output: string, scope: string, folds: readonly string[]): Piece {
  const lines = (): readonly string[] => terminalLines(output).lines.map(withoutEscapes);
  return { scope, folds, lines, source: withoutEscapes(output) };
}

function prose(text: string, folds: readonly string[], scope?: string): Piece {
  // Signs of Markdown may stand within a word.
  const source = text.replace(/[*_~`\\]/g, '');
  return { folds, lines: () => proseLines(text), source, ...(scope !== undefined && { scope }) };
}

function plain(
  text: string,
  { scope, folds = [] }: { readonly scope?: string; readonly folds?: readonly string[] },
): Piece {
  const source = withoutEscapes(text);
  const lines = source.split('\n');
  return { folds, lines: () => lines, source, ...(scope !== undefined && { scope }) };
}
