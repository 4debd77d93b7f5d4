/** What axe-core finds in a page, as sentences. */
import { readFileSync } from 'node:fs';
import type { AxeResults, NodeResult, RunOptions } from 'axe-core';
import type { Panel } from './harness';

const source = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** Each violation of `rules`; by default of all that axe-core has on. */
export async function axeFindings(
  { page }: Panel,
  rules?: readonly string[],
): Promise<readonly string[]> {
  // Not a script element: the page's own policy forbids those.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Of the level that is asked for, but off by default.
    rules: { 'target-size': { enabled: true } },
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const { violations } = await page.evaluate(
    given =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(
        given,
      ),
    options,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(node => !isReachedWithArrows(id, node))
      .map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
  );
}

/** The conversation is one tab stop; arrows go to its parts, and Tab into what scrolls in the part that has the focus. */
function isReachedWithArrows(rule: string, { html }: NodeResult): boolean {
  return (
    rule === 'scrollable-region-focusable' &&
    /^<(?:pre|p|div class="drawing")[^>]* tabindex="-1"/.test(html)
  );
}
