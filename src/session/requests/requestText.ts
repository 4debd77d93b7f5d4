/** All that a request asks, as one text: for what does not fit its card. Pure. */
import { toJson } from '../../base/json';
import { cutRefs, isCut, type PermissionRequest } from '../state/permission';
import type { ToolContent } from '../state/state';
import { diffText } from '../translate/contentText';
import type { Contents } from '../translate/contents';

/** Undefined when some of it is not kept any more. */
export function requestText(request: PermissionRequest, contents: Contents): string | undefined {
  const { asked, options } = request;
  if (isCut(request) || cutRefs(request).some(ref => !contents.get(ref))) return undefined;
  const terminal = asked.terminal && `${asked.terminal.command}\n${asked.terminal.cwd ?? ''}`;
  return [
    request.title,
    terminal,
    asked.rawInput && contents.whole(asked.rawInput),
    ...asked.content.map(item => contentOf(item, contents)),
    asked.locations.map(({ path }) => path).join('\n'),
    options.map(({ name, kind }) => `${name} (${kind})`).join('\n'),
  ]
    .filter(text => text !== undefined && text.trim() !== '')
    .join('\n\n');
}

function contentOf(item: ToolContent, contents: Contents): string | undefined {
  if (item.kind === 'terminal') return undefined;
  if (item.kind === 'diff') {
    const kept = contents.get(item.diff.ref);
    if (kept?.kind === 'diff') return diffText(kept.diff);
    const lines = item.diff.hunks.flatMap(hunk => hunk.lines);
    return [item.diff.path, ...lines.map(({ sign, text }) => sign + text)].join('\n');
  }
  const { block } = item;
  if (block.kind === 'text') return contents.whole(block.text);
  if (block.kind === 'resource' && block.text) return contents.whole(block.text);
  if (block.kind === 'unknown') return contents.whole(block.json);
  return toJson(block, 2);
}
