/** Commands of Codex are run by a shell: what is shown is what the shell runs. */

const BY_SHELL = /^(?:\S*[/\\])?(?:bash|zsh|sh|dash)(?:\.exe)? -l?c ([\s\S]+)$/;

export function shownCommand(line: string): string {
  const script = BY_SHELL.exec(line)?.[1];
  return (script === undefined ? undefined : onlyWord(script)) ?? line;
}

/** A word of a shell without its quotes; undefined where there is more than one. */
function onlyWord(quoted: string): string | undefined {
  let word = '';
  let quote: string | undefined;
  for (let at = 0; at < quoted.length; at += 1) {
    const character = quoted.charAt(at);
    if (character === quote) quote = undefined;
    else if (quote === "'") word += character;
    else if (character === '\\') {
      at += 1;
      const next = quoted.charAt(at);
      word += quote === undefined || '"\\$`'.includes(next) ? next : `\\${next}`;
    } else if (quote === undefined && (character === '"' || character === "'")) quote = character;
    else if (quote === undefined && /\s/.test(character)) return undefined;
    else word += character;
  }
  return quote === undefined ? word : undefined;
}
