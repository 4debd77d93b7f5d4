/** What agents call the tool of a call, and the files that it names. */
import { isObject, name, type Json } from '../../acp/schema/guards/primitives';

/** The tool that a call uses, where agents put it beside the call: for calls without a title. */
export function toolNameOf(call: object): string | undefined {
  const { _meta: meta, toolName, tool } = call as Json;
  const own = isObject(meta) ? meta : {};
  const claude = isObject(own['claudeCode']) ? own['claudeCode'] : {};
  return [toolName, tool, own['toolName'], own['tool_name'], claude['toolName']]
    .map(name)
    .find(Boolean);
}

/**
 * The path of a diff, which some agents give as the bare name of the file, while the call names the place
 * in full.
 */
export function fullPathOf(path: string, places: readonly { readonly path: string }[]): string {
  if (/^(?:[/\\]|[A-Za-z]:|\w+:\/\/)/.test(path)) return path;
  const ends = [`/${path}`, `\\${path}`];
  return places.find(place => ends.some(end => place.path.endsWith(end)))?.path ?? path;
}
