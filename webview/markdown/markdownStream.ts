import type { Links } from 'marked';
import { definitionsIn, lexBlocks, NO_LINKS, withLinks, type Block } from './blocks';
import { RenderedBlock } from './renderedBlock';

/** Blocks at the end that more text may still change (blank lines not counted). */
const TAIL = 2;

/**
 * Renders a message that grows. Blocks before the last two are final: they are never lexed again and
 * their DOM is never touched again. So a chunk costs what the tail costs, however long the message is.
 * The one exception: a reference definition that comes late makes links of what was plain `[text]`.
 *
 * Whatever the chunks, the result is the one that the whole text gives at once (a test says so).
 */
export class MarkdownStream {
  private text = '';
  /** The text from the first block that is not final, with `\n` line ends. */
  private tail = '';
  private endsInReturn = false;
  private readonly tailBlocks: RenderedBlock[] = [];
  /** Final blocks that a late definition may change, with the labels in them. */
  private readonly open: { readonly block: RenderedBlock; readonly labels: ReadonlySet<string> }[] =
    [];
  private finalLinks: Links = NO_LINKS;
  private links: Links = NO_LINKS;
  private fence: OpenFence | undefined;
  /** The tail's blocks are what lexing the tail gives: nothing was appended without. */
  private lexed = true;

  constructor(private readonly container: HTMLElement) {}

  /** Shows `text`; `finished` says that no more will come. */
  update(text: string, finished: boolean): void {
    if (!text.startsWith(this.text)) this.reset();
    const added = this.normalise(text.slice(this.text.length));
    this.text = text;
    if (added !== '') {
      this.tail += added;
      this.lexed = !this.fence?.append(added);
      if (this.lexed) this.lexTail();
    }
    if (!finished) return;
    if (!this.lexed) this.lexTail();
    this.lexed = true;
    for (const block of this.tailBlocks) block.finish();
  }

  private reset(): void {
    this.container.replaceChildren();
    this.text = '';
    this.tail = '';
    this.endsInReturn = false;
    this.tailBlocks.length = 0;
    this.open.length = 0;
    this.finalLinks = NO_LINKS;
    this.links = NO_LINKS;
    this.fence = undefined;
    this.lexed = true;
  }

  private normalise(added: string): string {
    if (added === '') return added;
    const rest = this.endsInReturn && added.startsWith('\n') ? added.slice(1) : added;
    this.endsInReturn = added.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }

  private lexTail(): void {
    const { blocks, links } = lexBlocks(this.tail, this.finalLinks);
    this.applyLinks(links);
    blocks.forEach((block, index) => {
      const shown = this.tailBlocks[index];
      if (shown) {
        shown.update(block, this.links);
      } else {
        const created = new RenderedBlock(block, this.links);
        this.container.append(...created.nodes);
        this.tailBlocks.push(created);
      }
    });
    for (const surplus of this.tailBlocks.splice(blocks.length)) surplus.remove();
    this.freeze(blocks);
    this.fence = OpenFence.at(this.tail, blocks, this.tailBlocks);
  }

  private freeze(blocks: readonly Block[]): void {
    const count = finalBlocks(blocks);
    if (count === 0) return;
    const final = blocks.slice(0, count);
    const raw = final.map(block => block.raw).join('');
    // marked merges some blocks and then gives a `raw` that is not quite what was written.
    if (!this.tail.startsWith(raw)) return;
    for (const block of final) this.finalLinks = withLinks(this.finalLinks, definitionsIn(block));
    for (const block of this.tailBlocks.splice(0, count)) {
      block.finish();
      const { labels } = block;
      if (labels.size > 0) this.open.push({ block, labels });
    }
    this.tail = this.tail.slice(raw.length);
  }

  private applyLinks(links: Links): void {
    const changed = changedLabels(this.links, links);
    this.links = links;
    if (changed.length === 0) return;
    for (const { block, labels } of this.open) {
      if (changed.some(label => labels.has(label))) {
        block.replace(links);
        block.finish();
      }
    }
    for (const block of this.tailBlocks) block.replace(links);
  }
}

/**
 * How many blocks at the start are final: all but the last two that are not blank, and never so that what
 * is left begins right after a paragraph, which it might belong to.
 */
function finalBlocks(blocks: readonly Block[]): number {
  let index = blocks.length;
  for (let left = TAIL; index > 0 && left > 0; index -= 1) {
    if (blocks[index - 1]?.token.type !== 'space') left -= 1;
  }
  while (
    index > 0 &&
    /^(?:paragraph|text|def|footnote)$/.test(blocks[index - 1]?.token.type ?? '')
  ) {
    index -= 1;
  }
  return index;
}

function changedLabels(before: Links, after: Links): string[] {
  if (before === after) return [];
  const labels = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...labels].filter(
    label =>
      before[label]?.href !== after[label]?.href || before[label]?.title !== after[label]?.title,
  );
}

/**
 * The last block is a fence that is not closed: lines that cannot close it are appended without lexing
 * the block again, which would cost more with every line.
 */
class OpenFence {
  private constructor(
    private readonly marker: string,
    private readonly code: Text,
    private line: string,
  ) {}

  static at(
    tail: string,
    blocks: readonly Block[],
    shown: readonly RenderedBlock[],
  ): OpenFence | undefined {
    const last = blocks.at(-1);
    if (last?.token.type !== 'code' || !tail.endsWith(last.raw)) return undefined;
    const marker = /^(`{3,}|~{3,})[^\n]*\n/.exec(last.raw)?.[1];
    const code = shown.at(-1)?.codeText;
    const line = last.raw.slice(last.raw.lastIndexOf('\n') + 1);
    // At the very start of the code, or where a fence may stand, let the lexer say.
    if (!marker || !code || line.trimStart().startsWith(marker)) return undefined;
    const begun = last.raw.slice(last.raw.indexOf('\n') + 1) === code.data;
    return begun ? new OpenFence(marker, code, line) : undefined;
  }

  /** @returns false when the lexer has to look. */
  append(added: string): boolean {
    const lines = (this.line + added).split('\n');
    const char = this.marker.charAt(0);
    if (lines.some(line => line.trimStart().startsWith(char))) return false;
    this.code.appendData(added);
    this.line = lines.at(-1) ?? '';
    return true;
  }
}
