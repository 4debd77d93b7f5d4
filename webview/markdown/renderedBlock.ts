import type { Links, Token, Tokens } from 'marked';
import { lexInline, visitInline, type Block } from './blocks';
import { createCodeBlock, highlightIn, setCode, type CodeBlock } from './codeBlock';
import { grown } from './growNodes';
import { inlineToHtml, tokensToHtml } from './htmlRenderer';
import { sanitize, wrapTable } from './sanitize';

/**
 * The DOM of one top-level block. While the block is the message's tail, `update` keeps what did not
 * change: code grows by appending, lists and tables keep their items and rows.
 */
export class RenderedBlock {
  /** The nodes in the container, in order; never empty, so that the place is known. */
  nodes: ChildNode[] = [];
  private block: Block;
  private code: CodeBlock | undefined;
  private list: { readonly element: HTMLElement; readonly keys: string[] } | undefined;
  private table: { readonly body: HTMLElement; readonly keys: string[] } | undefined;

  constructor(block: Block, links: Links) {
    this.block = block;
    this.nodes = this.create(links);
  }

  get raw(): string {
    return this.block.raw;
  }

  /** The text of a block of code, while it is one piece. */
  get codeText(): Text | undefined {
    const node = this.code?.code.firstChild;
    return node instanceof Text ? node : undefined;
  }

  /** Labels that may be references: what a later definition can change. */
  get labels(): ReadonlySet<string> {
    const labels = new Set<string>();
    for (const match of this.block.raw.matchAll(/\[((?:[^[\]\\]|\\.)+)\]/g)) {
      labels.add((match[1] ?? '').trim().replace(/\s+/g, ' ').toLowerCase());
    }
    return labels;
  }

  /** Shows `block`, the same place of the message after more text has come. */
  update(block: Block, links: Links): void {
    const before = this.block;
    const same = before.raw === block.raw && before.token.type === block.token.type;
    this.block = block;
    if (same) return;
    if (this.updateCode(block.token) || this.updateList(before, links)) return;
    if (this.updateTable(before, links)) return;
    this.replace(links);
  }

  /** Makes the block again: a reference in it means something else now. */
  replace(links: Links): void {
    const old = this.nodes;
    const opened = detailsIn(old).map(({ open }) => open);
    const next = this.create(links);
    detailsIn(next).forEach((details, index) => {
      details.open = opened[index] ?? details.open;
    });
    if (this.code ?? this.list ?? this.table) {
      old[0]?.before(...next);
      for (const node of old) node.remove();
      this.nodes = next;
    } else {
      this.nodes = grown(old, next);
    }
  }

  remove(): void {
    for (const node of this.nodes) node.remove();
  }

  /** Nothing will change any more: time for colours and links. */
  finish(): void {
    for (const node of this.nodes) {
      if (!(node instanceof HTMLElement)) continue;
      highlightIn(node);
      drawMathIn(node);
      drawDiagramsIn(node);
      node.dispatchEvent(new CustomEvent('parley-prose', { bubbles: true }));
    }
  }

  private create(links: Links): ChildNode[] {
    this.code = undefined;
    this.list = undefined;
    this.table = undefined;
    const { token } = this.block;
    if (token.type === 'code') {
      const { text, lang } = token as Tokens.Code;
      this.code = createCodeBlock(text, lang ?? '');
      return [this.code.element];
    }
    if (token.type === 'list') return [this.createList(token as Tokens.List, links)];
    if (token.type === 'table') return [this.createTable(token as Tokens.Table, links)];
    if (token.type === 'space' || token.type === 'def') return [document.createComment('')];
    lexInline(this.block, links);
    const nodes = inParagraphs(sanitize(tokensToHtml([token])));
    return nodes.length > 0 ? nodes : [document.createComment('')];
  }

  private updateCode(token: Token): boolean {
    if (!this.code || token.type !== 'code') return false;
    const { text, lang } = token as Tokens.Code;
    if (this.code.element.dataset['info'] !== (lang ?? '')) return false;
    setCode(this.code.code, text);
    return true;
  }

  private createList(list: Tokens.List, links: Links): HTMLElement {
    const element = document.createElement(list.ordered ? 'ol' : 'ul');
    if (list.ordered && list.start !== 1) element.setAttribute('start', String(list.start));
    this.list = { element, keys: [] };
    this.fillList(list, links);
    return element;
  }

  private updateList(before: Block, links: Links): boolean {
    if (!this.list || this.block.token.type !== 'list') return false;
    const old = before.token as Tokens.List;
    const list = this.block.token as Tokens.List;
    if (old.ordered !== list.ordered || old.start !== list.start) return false;
    this.fillList(list, links);
    return true;
  }

  private fillList(list: Tokens.List, links: Links): void {
    if (!this.list) return;
    const { element, keys } = this.list;
    const changed = list.items.flatMap((item, index) => {
      const key = `${item.loose ? 'loose' : 'tight'} ${String(item.checked)} ${item.text}`;
      if (keys[index] === key) return [];
      keys[index] = key;
      return [{ item, index, html: '' }];
    });
    lexInline(
      this.block,
      links,
      changed.flatMap(({ item }) => inlineOf(item)),
    );
    for (const change of changed) change.html = `<li>${tokensToHtml(change.item.tokens)}</li>`;
    const made = sanitizeEach(
      changed.map(({ html }) => html),
      changed.map(({ item }) => item.raw),
      'ul',
    );
    changed.forEach(({ item, index }, position) => {
      const li = made[position] ?? document.createElement('li');
      if (item.task) li.classList.add('task');
      place(element, index, li);
    });
    keys.length = list.items.length;
    while (element.children.length > keys.length) element.lastElementChild?.remove();
  }

  private createTable(table: Tokens.Table, links: Links): HTMLElement {
    const element = document.createElement('table');
    const head = document.createElement('thead');
    head.append(...this.rows([table.header], links));
    const body = document.createElement('tbody');
    element.append(head, body);
    this.table = { body, keys: [] };
    this.fillTable(table, links);
    return wrapTable(element);
  }

  private updateTable(before: Block, links: Links): boolean {
    if (!this.table || this.block.token.type !== 'table') return false;
    const old = before.token as Tokens.Table;
    const table = this.block.token as Tokens.Table;
    if (rowKey(old.header) !== rowKey(table.header)) return false;
    this.fillTable(table, links);
    return true;
  }

  private fillTable(table: Tokens.Table, links: Links): void {
    if (!this.table) return;
    const { body, keys } = this.table;
    const changed = table.rows.flatMap((row, index) => {
      const key = rowKey(row);
      if (keys[index] === key) return [];
      keys[index] = key;
      return [{ row, index }];
    });
    const made = this.rows(
      changed.map(({ row }) => row),
      links,
    );
    changed.forEach(({ index }, position) => {
      place(body, index, made[position] ?? document.createElement('tr'));
    });
    keys.length = table.rows.length;
    while (body.children.length > keys.length) body.lastElementChild?.remove();
  }

  private rows(
    rows: readonly (readonly Tokens.TableCell[])[],
    links: Links,
  ): readonly HTMLElement[] {
    lexInline(
      this.block,
      links,
      rows.flatMap(row => row.map(cell => cell.tokens)),
    );
    return sanitizeEach(
      rows.map(row => `<tr>${row.map(cellHtml).join('')}</tr>`),
      rows.map(row => row.map(cell => cell.text).join('')),
      'tbody',
    );
  }
}

/**
 * The elements that `htmls` give, one each. Those without HTML of the agent's own (`sources` says so) are
 * well formed and cleaned together; the others one by one, so that nothing spills from one into the next.
 */
function sanitizeEach(
  htmls: readonly string[],
  sources: readonly string[],
  parent: 'ul' | 'tbody',
): readonly HTMLElement[] {
  const alone = (html: string): HTMLElement =>
    elements(sanitize(wrapped(html, parent)), parent)[0] ?? document.createElement('li');
  const plain = htmls.filter((_, index) => !sources[index]?.includes('<'));
  const together = elements(sanitize(wrapped(plain.join(''), parent)), parent);
  if (together.length !== plain.length) return htmls.map(alone);
  let next = 0;
  return htmls.map((html, index) => {
    const own = sources[index]?.includes('<') ? undefined : together[next++];
    return own ?? alone(html);
  });
}

function wrapped(html: string, parent: 'ul' | 'tbody'): string {
  return parent === 'ul' ? `<ul>${html}</ul>` : `<table><tbody>${html}</tbody></table>`;
}

function elements(fragment: DocumentFragment, parent: 'ul' | 'tbody'): HTMLElement[] {
  const list = fragment.querySelector(parent);
  return list ? [...list.children].filter(child => child instanceof HTMLElement) : [];
}

function cellHtml(cell: Tokens.TableCell): string {
  const tag = cell.header ? 'th' : 'td';
  const align = cell.align ? ` align="${cell.align}"` : '';
  return `<${tag}${align}>${inlineToHtml(cell.tokens)}</${tag}>`;
}

/** What the reader opened stays open while the text in it grows. */
function detailsIn(nodes: readonly ChildNode[]): readonly HTMLDetailsElement[] {
  return nodes.flatMap(node => {
    if (!(node instanceof HTMLElement)) return [];
    const inside = [...node.querySelectorAll('details')];
    return node instanceof HTMLDetailsElement ? [node, ...inside] : inside;
  });
}

function drawMathIn(node: HTMLElement): void {
  const formulas = [...node.querySelectorAll<HTMLElement>('[data-math]')];
  if (node.matches('[data-math]')) formulas.push(node);
  if (formulas.length === 0) return;
  // Without the script formulas stay as they are written.
  void import('../math/main').then(
    ({ drawMath }) => formulas.forEach(drawMath),
    () => undefined,
  );
}

function drawDiagramsIn(node: HTMLElement): void {
  const blocks = [...node.querySelectorAll<HTMLElement>('figure.block'), node];
  const diagrams = blocks.filter(({ dataset }) => /^mermaid\b/i.test(dataset['info'] ?? ''));
  const found = diagrams.filter(({ dataset }) => dataset['drawn'] === undefined);
  if (found.length === 0) return;
  for (const { dataset } of found) dataset['drawn'] = '';
  // Without the script diagrams stay as they are written.
  void import('../diagrams/main').then(
    ({ showDiagram }) => found.forEach(showDiagram),
    () => undefined,
  );
}

function place(parent: HTMLElement, index: number, child: HTMLElement): void {
  const old = parent.children[index];
  if (old) old.replaceWith(child);
  else parent.append(child);
}

function inlineOf(item: Tokens.ListItem): Token[][] {
  const lists: Token[][] = [];
  visitInline(item, tokens => lists.push(tokens));
  return lists;
}

function rowKey(cells: readonly Tokens.TableCell[]): string {
  return cells.map(cell => `${cell.align ?? ''}:${cell.text}`).join('\n');
}

const BLOCK = /^(?:P|H[3-6]|HR|BLOCKQUOTE|UL|OL|FIGURE|DIV|DETAILS)$/;

/** Text and inline elements outside any block (left of HTML that is not allowed) get a paragraph. */
function inParagraphs(fragment: DocumentFragment): ChildNode[] {
  const nodes: ChildNode[] = [];
  let paragraph: HTMLElement | undefined;
  for (const node of [...fragment.childNodes]) {
    const blank = node instanceof Text && node.data.trim() === '';
    if (BLOCK.test(node.nodeName)) {
      paragraph = undefined;
      nodes.push(node);
    } else if (paragraph) {
      paragraph.append(node);
    } else if (!blank) {
      paragraph = document.createElement('p');
      paragraph.append(node);
      nodes.push(paragraph);
    }
  }
  return nodes;
}
