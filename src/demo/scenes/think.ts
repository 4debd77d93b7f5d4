import type { Scene } from '../scene';

export const think: Scene = {
  name: 'think',
  description: 'Thinks aloud before it answers',
  words: /\b(?:think|reason|why)\b/i,
  title: 'Thinking aloud',
  next: 'the **Thinking** selector decides how much of this you see.',
  async play(turn) {
    await turn.think(
      'The question is how to show thinking without getting in the way. Folded by default, one line, ' +
        'with the time it took.',
      'Someone who wants to follow it opens the fold and reads along while it streams. Someone who ' +
        'does not sees the answer first. And when the thought is over, the line says how long it ' +
        'took, which is often the more useful thing to know.',
    );
    await turn.say(
      turn.session.settings.thoughts === 'off'
        ? 'Thinking is off, so I answer at once. Set **Thinking** to *Brief* or *Detailed* first.'
        : 'That was a thought: one quiet line above this answer. Open it to read what went on.',
    );
  },
};
