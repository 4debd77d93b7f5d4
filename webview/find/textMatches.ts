/** More places are not counted. */
const MAX_MATCHES = 5000;

/** What is no part of what was said: icons, buttons, words for screen readers alone. */
const SKIPPED =
  '.vh, .codicon, .endline, .work, .bar, [aria-hidden="true"], button:not(.turner), audio';

/** Elements that end a line; what is inside a line is found across elements. */
const LINES = new Set(
  (
    'ARTICLE BLOCKQUOTE BUTTON DETAILS DIV FIGURE H1 H2 H3 H4 H5 H6 LI OL P PARLEY-MARKDOWN PRE SECTION SUMMARY ' +
    'TABLE TD TH TR UL'
  ).split(' '),
);

/** A piece of text without a break, and where its nodes begin in it. */
interface Line {
  text: string;
  readonly nodes: { readonly node: Text; readonly from: number }[];
}

/** What is one blank on screen may be a line's end in the document. */
export function patternOf(query: string, isCase: boolean): RegExp {
  const words = query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(words, isCase ? 'gu' : 'giu');
}

/** Where `query` stands in what `root` shows or has folded away, in order. */
export function textMatches(root: Element, query: string, isCase: boolean): readonly StaticRange[] {
  if (query === '') return [];
  const pattern = patternOf(query, isCase);
  const found: StaticRange[] = [];
  for (const line of linesIn(root)) {
    for (const match of line.text.matchAll(pattern)) {
      found.push(rangeOf(line, match.index, match.index + match[0].length));
      if (found.length >= MAX_MATCHES) return found;
    }
  }
  return found;
}

function* linesIn(root: Element): Generator<Line> {
  const walker = document.createTreeWalker(
    root,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    node =>
      node instanceof Element && node.matches(SKIPPED)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
  );
  let line: Line = { text: '', nodes: [] };
  let owner: Element | undefined;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const now = lineOf(node, root);
    if (now !== owner) {
      if (line.nodes.length > 0) yield line;
      line = { text: '', nodes: [] };
      owner = now;
    }
    line.nodes.push({ node, from: line.text.length });
    line.text += node.data;
  }
  if (line.nodes.length > 0) yield line;
}

function lineOf(node: Text, root: Element): Element {
  let element = node.parentElement ?? root;
  while (element !== root && !LINES.has(element.tagName) && !element.matches('.diff .l')) {
    element = element.parentElement ?? root;
  }
  return element;
}

function rangeOf({ nodes }: Line, from: number, to: number): StaticRange {
  const start = nodes.findLast(each => each.from <= from) ?? nodes[0];
  const end = nodes.findLast(each => each.from < to) ?? start;
  if (!start || !end) throw new Error('A line has nodes.');
  return new StaticRange({
    startContainer: start.node,
    startOffset: from - start.from,
    endContainer: end.node,
    endOffset: to - end.from,
  });
}
