/** Answers with what is more than prose: code, a diff, what folds, footnotes, formulas. */
import type { SessionAction } from '../../src/session/state/actions';
import { T0, asked, ended, said } from './story';

const CODE = `Three tries are not enough here:

\`\`\`ts src/http/retry.ts
export const RETRIES = 5;
const at = Date.parse(value);
\`\`\`

As a diff:

\`\`\`diff
@@ -4,2 +4,2 @@
-export const RETRIES = 3;
+export const RETRIES = 5;
 const at = Date.parse(value);
\`\`\`

Then test it:

\`\`\`sh
npm test -- retry
\`\`\`
`;

const TEXT = `The wait grows with each try[^1], up to a cap[^cap]. For try $n$ it is $w_n = \\min(c, b \\cdot 2^n)$, so that

$$
\\sum_{n=0}^{k} w_n \\le \\frac{b\\,(2^{k+1} - 1)}{\\sqrt{1 + \\epsilon}}
$$

<details>
<summary>Why not a fixed wait?</summary>

Many clients that were refused **together** would come back together.

</details>

[^1]: Each try waits twice as long.
[^cap]: Five minutes, for both forms of the header.
`;

const DIAGRAM = `So a retry goes:

\`\`\`mermaid
flowchart TD
  accTitle: How a retry is decided
  A[Request] --> B{Failed?}
  B -->|no| C[Done]
  B -->|yes| D[Read Retry-After]
  D --> A
\`\`\`

and this one is not finished:

\`\`\`mermaid
flowchart TD
  A -->
\`\`\`
`;

export const diagramAnswer = (): SessionAction[] => said(DIAGRAM, 'text-diagram');

/** A conversation of several prompts, with the answers between. */
export const conversation = (): SessionAction[] =>
  ['Why does it fail?', 'And without the header?', 'Add a test', 'Run it', 'Commit it'].flatMap(
    (prompt, index) => [
      ...asked(prompt, `turn-${index}`, T0 + index),
      ...said(
        `${'It reads only the first form of the header. '.repeat(6)}`,
        `t-${index}`,
        `turn-${index}`,
      ),
      ...ended('end_turn', T0 + index),
    ],
  );

export const codeAnswer = (): SessionAction[] => said(CODE, 'text-code');
export const textAnswer = (): SessionAction[] => said(TEXT, 'text-rich');
