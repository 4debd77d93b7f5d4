/**
 * Matches paths (relative, either slash) that one of VS Code's glob patterns fits, or that lie below a folder
 * it fits. A pattern without a slash fits at any depth. Patterns that make no sense match nothing.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.flatMap(pattern => {
    const whole = pattern.includes('/') ? pattern : `**/${pattern}`;
    try {
      return [new RegExp(`^${translated(whole.replace(/^\//, ''))}(?:/|$)`)];
    } catch {
      return [];
    }
  });
  return path => {
    const name = path.replaceAll('\\', '/');
    return expressions.some(expression => expression.test(name));
  };
}

function translated(pattern: string): string {
  let expression = '';
  let depth = 0;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? '';
    if (pattern.startsWith('**/', index)) {
      expression += '(?:[^/]+/)*';
      index += 2;
    } else if (pattern.startsWith('**', index)) {
      expression += '.*';
      index += 1;
    } else if (character === '*') expression += '[^/]*';
    else if (character === '?') expression += '[^/]';
    else if (character === '{') {
      depth++;
      expression += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      expression += ')';
    } else if (character === ',' && depth > 0) expression += '|';
    else if (character === '[') {
      const end = pattern.indexOf(']', index + 1);
      if (end < 0) expression += '\\[';
      else {
        const set = pattern
          .slice(index + 1, end)
          .replace(/^!/, '^')
          .replaceAll('\\', '\\\\');
        expression += `[${set}]`;
        index = end;
      }
    } else expression += character.replace(/[.+^$()|\\\]}]/, '\\$&');
  }
  return expression;
}
