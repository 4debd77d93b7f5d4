/** A command line for display, quoted so that a user could paste it into a POSIX shell. */
export function formatCommandLine(command: string, args: readonly string[]): string {
  return [command, ...args].map(quote).join(' ');
}

function quote(word: string): string {
  if (word !== '' && /^[\w@%+=:,./\\~${}-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
