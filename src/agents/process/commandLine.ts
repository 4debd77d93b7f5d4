/** Nothing in these words means anything to a shell. Backslashes are part of paths on Windows only. */
const PLAIN = process.platform === 'win32' ? /^[\w@%+=:,./\\-]+$/ : /^[\w@%+=:,./-]+$/;

/** A command line for display, quoted so that a POSIX shell would understand it the same way. */
export function formatCommandLine(command: string, args: readonly string[]): string {
  // A leading `~` is what people write for the command, and expands in a shell as it does here.
  const first = /^~\/[\w./-]+$/.test(command) ? command : quote(command);
  return [first, ...args.map(quote)].join(' ');
}

function quote(word: string): string {
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
