import { parseLink, withoutControls } from '../../src/shared/links';

/**
 * What a link in an agent's prose may point at: what `parseLink` reads as a web page or a file.
 *
 * @returns the target for an `openLink` intent; undefined when the text must stay plain.
 */
export function linkTarget(href: string): string | undefined {
  return parseLink(href).kind === 'refused' ? undefined : withoutControls(href).trim();
}
