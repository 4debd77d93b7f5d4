import { Cancelled } from '../peer';
import type { Scene } from '../scene';

export const slow: Scene = {
  name: 'slow',
  description: 'A long answer, to stop it half way',
  hint: 'seconds',
  words: /\b(?:slow|cancel|stop|wait)\b/i,
  title: 'Stopping an agent',
  async play(turn, ask) {
    const seconds = Math.min(3600, Number(/\d+/.exec(ask.text)?.[0] ?? 60) || 60);
    await turn.say(`I count to ${seconds}, one a second. **Stop** ends it; so does **Esc**.\n\n`);
    for (let second = 1; second <= seconds; second++) {
      await turn.wait(1000);
      await turn.say(`${second} `);
    }
    await turn.say('\n\nYou let me finish. Try again and stop me.');
  },
};

export const stubborn: Scene = {
  name: 'stubborn',
  description: 'Ignores Stop for a while, as busy agents do',
  hint: 'seconds',
  title: 'A stubborn agent',
  async play(turn, ask) {
    const seconds = Math.min(600, Number(/\d+/.exec(ask.text)?.[0] ?? 10) || 10);
    await turn.say(
      `For ${seconds} seconds I do not react to **Stop**. Parley then offers to end the process.`,
    );
    await new Promise(resolve => setTimeout(resolve, seconds * 1000));
    if (turn.signal.aborted) throw new Cancelled();
    await turn.say('\n\nHere I am again.');
  },
};

export const long: Scene = {
  name: 'long',
  description: 'A very long answer at full speed',
  hint: 'kilobytes',
  title: 'A long answer',
  async play(turn, ask) {
    const wanted = Math.min(4096, Number(/\d+/.exec(ask.text)?.[0] ?? 64) || 64) * 1024;
    let sent = 0;
    for (let part = 1; sent < wanted; part++) {
      const text = section(part);
      await turn.say(text);
      sent += text.length;
    }
  },
};

function section(part: number): string {
  return (
    `### Part ${part}\n\nThe panel draws at most once a frame, and only the end of the answer: what ` +
    'is finished stays as it is. So a long answer costs no more at its end than at its start.\n\n' +
    `- point one of part ${part}\n- point two, with \`code\`\n\n` +
    `\`\`\`ts\nexport const part${part} = { finished: true, number: ${part} };\n\`\`\`\n\n`
  );
}
