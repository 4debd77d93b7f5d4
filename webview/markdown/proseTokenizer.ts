import { Tokenizer, type Tokens } from 'marked';

/** `[text](path with spaces)`, which Markdown wants in angle brackets and agents write without. */
const SPACED =
  /^(\[[^[\]\n]{1,300}\]\()([^()<>\s"'][^()<>\n"']{0,300} [^()<>\n"']{0,300}[^()<>\s"'])\)/;
/** `[text](C:\folder\file)` or `\\server\file`, whose backslashes are no escapes. */
const BACKSLASHES = /\]\(<?((?:[a-z]:|\\)\\[^<>()\n"]*[^<>()\n"\s])/i;

/** Quotes and lists in each other; deeper ones are shown as written. marked reads each text again for every level. */
export const MAX_NESTING = 20;

/** Markdown as agents write it: paths are links as they stand. */
export class ProseTokenizer extends Tokenizer {
  private nesting = 0;

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.nested(() => super.blockquote(source));
  }

  override list(source: string): Tokens.List | undefined {
    return this.nested(() => super.list(source));
  }

  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    const spaced = SPACED.exec(source);
    const link = spaced ? super.link(`${spaced[1]}<${spaced[2]}>)`) : super.link(source);
    if (!link) return undefined;
    if (spaced) link.raw = spaced[0];
    const path = BACKSLASHES.exec(link.raw)?.[1];
    if (path !== undefined) link.href = path;
    return link;
  }

  private nested<T>(read: () => T | undefined): T | undefined {
    if (this.nesting >= MAX_NESTING) return undefined;
    this.nesting += 1;
    try {
      return read();
    } finally {
      this.nesting -= 1;
    }
  }
}
