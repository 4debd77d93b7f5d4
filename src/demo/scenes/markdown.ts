import type { Scene } from '../scene';

export const markdown: Scene = {
  name: 'markdown',
  description: 'How answers look: headings, lists, tables, code',
  words: /\b(?:markdown|table|format|code block)\b/i,
  title: 'How answers look',
  next: '`/image` adds a picture.',
  async play(turn) {
    await turn.say(SAMPLE);
  },
};

const SAMPLE = `## A heading

Prose with **bold**, *italic*, ~~struck~~ and \`inline code\`, and links: to
[the protocol](https://agentclientprotocol.com) and to a file, [README.md](README.md).

### Lists

1. Numbered lists keep their numbers.
2. They nest:
   - a point
   - another, with \`code\`
3. And tasks have boxes:
   - [x] done
   - [ ] not yet

### A table

| agent | starts with | needs |
| :--- | :--- | ---: |
| Parley Demo | nothing to install | 0 keys |
| Gemini CLI | \`gemini --acp\` | 1 key |
| your own | any command | it depends |

> Quotes are set apart.
> They can be several lines long.

### Code

\`\`\`ts
/** Waits, unless the signal fires first. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise(resolve => setTimeout(resolve, ms));
}
\`\`\`

\`\`\`python
def fibonacci(n: int) -> list[int]:
    """The first n numbers."""
    numbers = [0, 1]
    while len(numbers) < n:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[:n]
\`\`\`

\`\`\`json
{ "parley.agents": { "Gemini": { "command": "gemini", "args": ["--acp"] } } }
\`\`\`

\`\`\`diff
-  return \`Hello, \${name}!\`;
+  return \`Hello, \${name.trim() || 'stranger'}!\`;
\`\`\`

\`\`\`sh
npm test 2>&1 | tail -n 20   # a line long enough that it scrolls sideways in its own box and leaves the panel as it is
\`\`\`

---

That is most of it. Long words break where they must: \`/a/very/long/path/that/has/no/spaces/in/it/and/goes/on/and/on.txt\`.
`;
