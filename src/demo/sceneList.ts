/** All scenes, and which one answers a request. */
import type * as schema from '../acp/schema/schema';
import type { Ask } from './ask';
import type { Scene } from './scene';
import { context } from './scenes/context';
import { edit, newFile } from './scenes/edit';
import { hello, unsure } from './scenes/hello';
import { image } from './scenes/image';
import { markdown } from './scenes/markdown';
import { planScene } from './scenes/plan';
import { read, searchScene } from './scenes/read';
import { run } from './scenes/run';
import { long, slow, stubborn } from './scenes/slow';
import { think } from './scenes/think';
import { tools } from './scenes/tools';
import { tour } from './scenes/tour';
import { crash, end, fail, fill, notice } from './scenes/trouble';

/** In the order in which the slash menu shows them. */
const SCENES: readonly Scene[] = [
  tour,
  edit,
  newFile,
  run,
  read,
  searchScene,
  planScene,
  think,
  markdown,
  image,
  context,
  tools,
  slow,
  long,
  fill,
  notice,
  end,
  fail,
  crash,
  stubborn,
  hello,
];

export function availableCommands(): schema.AvailableCommand[] {
  return SCENES.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint === undefined ? {} : { input: { hint } }),
  }));
}

/** @param first whether nothing was said in this session before. */
export function chooseScene(ask: Ask, first: boolean): Scene {
  if (ask.command !== undefined) {
    const named = SCENES.find(scene => scene.name === ask.command);
    return named ?? unknownCommand(ask.command);
  }
  const asked = SCENES.find(scene => scene !== hello && scene.words?.test(ask.text));
  if (asked) return asked;
  if (ask.attached.length > 0) return context;
  return first || hello.words?.test(ask.text) ? hello : unsure;
}

function unknownCommand(name: string): Scene {
  return {
    name,
    description: '',
    title: 'Getting to know Parley',
    async play(turn) {
      await turn.say(`I know no command \`/${name}\`. Type \`/\` to see those I know.`);
    },
  };
}
