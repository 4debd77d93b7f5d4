import type { Scene } from '../scene';
import { describeAttached } from './context';

/** The first answer to words that no scene knows. */
export const hello: Scene = {
  name: 'help',
  description: 'What this agent is and what to try',
  words: /\b(?:help|hello|hi|hey|what can you do|who are you)\b/i,
  title: 'Getting to know Parley',
  next: '`/tour` shows one whole task, start to finish.',
  async play(turn, ask) {
    await turn.think(
      'A friendly hello first, then what there is to see.',
      'No model stands behind this: it is a script, and it should say so at once.',
    );
    await turn.say(HELLO);
    if (ask.attached.length > 0) await turn.say(describeAttached(ask.attached));
  },
};

/** What is said to unknown words later on. */
export const unsure: Scene = {
  ...hello,
  async play(turn, ask) {
    await turn.say(
      'I am a script, so I know a few scenes rather than your question. ' +
        'A real agent would take it from here: **Parley: Edit Agents** adds one, and ' +
        '**Parley: New Chat With…** starts it.\n\n' +
        'With me, type `/` for everything I can show.',
    );
    if (ask.attached.length > 0) await turn.say(describeAttached(ask.attached));
  },
};

const HELLO = `**Hello! I am the Parley demo agent.** I am a script, not a model: I need no key and no
network, and nothing leaves this machine. Any agent that speaks the Agent Client Protocol looks and
works like this.

| type | and see |
| --- | --- |
| \`/tour\` | a whole task: reading, a plan, an edit you approve, a command |
| \`/edit\` | a change to a file, as a diff, that waits for your answer |
| \`/run npm test\` | a command with its output as it comes |
| \`/markdown\` | how answers look |
| \`/slow\` | a long answer: stop it with **Esc** |

Three things worth knowing:

- **Nothing is written or run before you allow it.** The mode below the message box changes that.
- **Add Context** hands me a file or a selection; I tell you what reached me.
- You can write the next message while I work. It waits its turn.
`;
