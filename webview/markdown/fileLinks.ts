import { mayBePath, pathWords } from './pathWords';

/** The host answers for so many at once. */
const BATCH = 500;
/** Blocks that finish within so many milliseconds are asked about together. */
const PATIENCE = 60;
/** Longer texts are no prose, in UTF-16 units. */
const MAX_TEXT = 50_000;

/** A piece of a text node that may become a link. */
interface Candidate {
  readonly node: Text;
  readonly at: number;
  readonly text: string;
}

/**
 * Makes links of the names of files in finished prose: those that the host finds in the workspace. It is
 * asked in the background, about each name once; what was not there is asked again when a turn has ended.
 */
export class FileLinks {
  /** Whether they are there; false while it is asked. */
  private known = new Map<string, boolean>();
  /** Have names that are not there, or not known. */
  private readonly unlinked = new Set<Element>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(private readonly find: (links: readonly string[]) => Promise<readonly string[]>) {}

  /** Looks for names in `root`, whose text is final. */
  add(root: Element): void {
    if (this.link(root)) return;
    this.unlinked.add(root);
    this.timer ??= setTimeout(() => void this.ask(), PATIENCE);
  }

  /** The agent may have made what was not there. */
  async again(): Promise<void> {
    for (const [name, exists] of this.known) if (!exists) this.known.delete(name);
    await this.ask();
  }

  /** Another chat is shown, which may work in another folder. */
  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.round += 1;
    this.known = new Map();
    this.unlinked.clear();
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { round, known } = this;
    const unknown = this.names().filter(name => !known.has(name));
    for (const name of unknown) known.set(name, false);
    for (let from = 0; from < unknown.length; from += BATCH) {
      // Without an answer the names stay words.
      const existing = await this.find(unknown.slice(from, from + BATCH)).catch(() => []);
      if (round !== this.round) return;
      for (const name of existing) known.set(name, true);
    }
    for (const root of this.unlinked) if (this.link(root)) this.unlinked.delete(root);
  }

  /** In what is shown. What is not shown any more is let go: it comes back as something new. */
  private names(): readonly string[] {
    const names = new Set<string>();
    for (const root of this.unlinked) {
      if (!root.isConnected) this.unlinked.delete(root);
      else for (const { text } of candidates(root)) names.add(text);
    }
    return [...names];
  }

  /** @returns whether all names are known and there */
  private link(root: Element): boolean {
    let done = true;
    let linkedTo = Infinity;
    let linkedIn: Text | undefined;
    // From the end: what comes before a link keeps its place in the text.
    for (const candidate of candidates(root).reverse()) {
      const { node, at, text } = candidate;
      const exists = this.known.get(text);
      const free = node !== linkedIn || at + text.length <= linkedTo;
      if (exists !== true) done &&= !free;
      else if (free) {
        wrap(candidate);
        linkedIn = node;
        linkedTo = at;
      }
    }
    return done;
  }
}

/** In order; a piece of code comes after its words as a whole, since names may have spaces. */
function candidates(root: Element): Candidate[] {
  const found: Candidate[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, node =>
    isPlain(node.parentElement) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
  );
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.length > MAX_TEXT) continue;
    for (const word of pathWords(node.data)) found.push({ node, ...word });
    const text = node.data.trim();
    if (/\s/.test(text) && node.parentElement?.localName === 'code' && mayBePath(text)) {
      found.push({ node, at: node.data.indexOf(text), text });
    }
  }
  return found;
}

/** No link yet, and no code that is colored: its spans cut names in pieces. */
function isPlain(element: Element | null): boolean {
  if (!element || element.closest('a, .bar, .vh')) return false;
  const code = element.closest<HTMLElement>('figure code');
  return code === null || code.dataset['coloured'] === undefined;
}

function wrap({ node, at, text }: Candidate): void {
  const link = document.createElement('a');
  link.dataset['href'] = text;
  link.className = 'path';
  link.setAttribute('role', 'link');
  link.tabIndex = -1;
  link.title = text;
  const middle = node.splitText(at);
  middle.splitText(text.length);
  middle.replaceWith(link);
  link.append(middle);
}
