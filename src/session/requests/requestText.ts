/** All that a request asks, as one text: for what does not fit its card. Pure. */
import { toJson } from '../../base/json';
import type { Preview } from '../state/content';
import { cutRefs, type PermissionRequest } from '../state/permission';
import type { ToolContent } from '../state/state';
import { diffText } from '../translate/contentText';
import type { Contents } from '../translate/contents';

/** Undefined when some of it is not kept any more. */
export function requestText(request: PermissionRequest, contents: Contents): string | undefined {
  const { asked, options } = request;
  if (asked.isCut || cutRefs(request).some(ref => !contents.get(ref))) return undefined;
  const terminal = asked.terminal && `${asked.terminal.command}\n${asked.terminal.cwd ?? ''}`;
  return [
    request.title,
    terminal,
    asked.rawInput && whole(asked.rawInput, contents),
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
  if (block.kind === 'text') return whole(block.text, contents);
  if (block.kind === 'resource' && block.text) return whole(block.text, contents);
  if (block.kind === 'unknown') return whole(block.json, contents);
  return toJson(block, 2);
}

function whole(preview: Preview, contents: Contents): string {
  const kept = preview.ref === undefined ? undefined : contents.get(preview.ref);
  return kept?.kind === 'text' ? kept.text : preview.text;
}
