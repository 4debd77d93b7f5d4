/** Answers with what is more than prose: code, a diff, what folds, footnotes, formulas. */
import type { SessionAction } from '../../src/session/state/actions';
import type { DiffLine, DiffView } from '../../src/session/state/content';
import { T0, TURN, asked, ended, said } from './story';

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

/** Each kind of word on each ground: unchanged, removed, added. */
const LINE = 'export const wait = 30; // "s" or `${ms}`';
const WORDS: readonly DiffLine[] = ([' ', '-', '+'] as const).flatMap(sign => [
  { sign, text: LINE },
  { sign, text: "  if (typeof wait !== 'number') return /* none */ true;" },
]);
export const WORDS_DIFF: DiffView = {
  ref: 'diff-words',
  path: '/work/parcel-api/src/http/wait.ts',
  change: 'modified',
  added: 2,
  removed: 2,
  truncated: false,
  hunks: [{ line: 4, lines: WORDS }],
};

/** An edit that is done and one that is asked for. */
export const wordsEdited = (): SessionAction[] => {
  const call = {
    type: 'toolCallChanged',
    turnId: TURN,
    announced: true,
    title: 'Edit wait.ts',
    toolKind: 'edit',
    content: [{ kind: 'diff', diff: WORDS_DIFF }],
    at: T0 + 4000,
  } as const;
  return [
    { ...call, partId: 'words-1', toolCallId: 'words-1', status: 'completed' },
    { ...call, partId: 'words-2', toolCallId: 'words-2', status: 'pending' },
    {
      type: 'permissionRequested',
      request: {
        id: 'request-words',
        toolCallId: 'words-2',
        title: 'Edit wait.ts',
        options: [
          { optionId: 'once', name: 'Allow', kind: 'allow_once' },
          { optionId: 'no', name: 'Reject', kind: 'reject_once' },
        ],
        requestedAt: T0 + 4000,
      },
    },
  ];
};
