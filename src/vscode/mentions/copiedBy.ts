import { KeyedQueue } from '../files/keyedQueue';

interface Clipboard {
  readText(): PromiseLike<string>;
  writeText(text: string): PromiseLike<void>;
}

/**
 * The text that a command copies, one command after the other. The user's own text is put back. An image cannot be: it
 * is touched only where the command copies something.
 */
export function copiedBy(
  clipboard: Clipboard,
  run: (command: string) => PromiseLike<unknown>,
): (command: string) => Promise<string> {
  const queue = new KeyedQueue();
  const copied = async (command: string) => {
    const before = await clipboard.readText();
    const mark = before === '' ? '' : `parley ${Math.random()}`;
    if (mark !== '') await clipboard.writeText(mark);
    try {
      await run(command);
      const text = await clipboard.readText();
      return text === mark ? '' : text;
    } finally {
      if (before !== '') await clipboard.writeText(before);
    }
  };
  return command => queue.run('clipboard', () => copied(command));
}
