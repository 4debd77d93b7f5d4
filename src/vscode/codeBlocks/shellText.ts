/** Longer commands cannot be read in a question, in lines and in UTF-16 units. */
const MAX_LINES = 30;
const MAX_UNITS = 3000;

/** What a shell would be given of a code block: of a recorded session (`console`), the lines behind its prompts. */
export function shellText(info: string, text: string): string {
  const lines = text.replace(/\s+$/, '').split('\n');
  const typed = lines.filter(line => /^[$%] /.test(line)).map(line => line.slice(2));
  return /^(?:console|shellsession)\b/i.test(info) && typed.length > 0
    ? typed.join('\n')
    : lines.join('\n');
}

/** Whether a question can show all of it. */
export function canBeAsked(command: string): boolean {
  return command.length <= MAX_UNITS && command.split('\n').length <= MAX_LINES;
}
