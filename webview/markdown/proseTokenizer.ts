import { Tokenizer, type Tokens } from 'marked';

/** `[text](path with spaces)`, which Markdown wants in angle brackets and agents write without. */
const SPACED =
  /^(\[[^[\]\n]{1,300}\]\()([^()<>\s"'][^()<>\n"']{0,300} [^()<>\n"']{0,300}[^()<>\s"'])\)/;
/** `[text](C:\folder\file)` or `\\server\file`, whose backslashes are no escapes. */
const BACKSLASHES = /\]\(<?((?:[a-z]:|\\)\\[^<>()\n"]*[^<>()\n"\s])/i;

/** Markdown as agents write it: paths are links as they stand. */
export class ProseTokenizer extends Tokenizer {
  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    const spaced = SPACED.exec(source);
    const link = spaced ? super.link(`${spaced[1]}<${spaced[2]}>)`) : super.link(source);
    if (!link) return undefined;
    if (spaced) link.raw = spaced[0];
    const path = BACKSLASHES.exec(link.raw)?.[1];
    if (path !== undefined) link.href = path;
    return link;
  }
}
