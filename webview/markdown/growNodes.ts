/**
 * Makes `old` nodes of one parent look like `next`, and keeps what has only grown: a selection in it survives.
 * @returns the nodes that are there now
 */
export function grown(old: readonly ChildNode[], next: readonly ChildNode[]): ChildNode[] {
  const now = next.map((node, index) => {
    const before = old[index];
    return before && grow(before, node) ? before : node;
  });
  now.forEach((node, index) => {
    const before = old[index];
    if (node === before) return;
    if (before) before.replaceWith(node);
    else now[index - 1]?.after(node);
  });
  for (const surplus of old.slice(next.length)) surplus.remove();
  return now;
}

/** @returns false when it has to be replaced */
function grow(old: ChildNode, next: ChildNode): boolean {
  if (old instanceof Text && next instanceof Text) {
    const same = commonStart(old.data, next.data);
    if (same < old.length || same < next.length) {
      old.replaceData(same, old.length - same, next.data.slice(same));
    }
    return true;
  }
  if (!(old instanceof Element) || !old.cloneNode().isEqualNode(next.cloneNode())) return false;
  const [first] = old.childNodes;
  if (first) grown([...old.childNodes], [...next.childNodes]);
  else old.append(...next.childNodes);
  return true;
}

function commonStart(one: string, other: string): number {
  if (other.startsWith(one)) return one.length;
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return index;
}
