/** The command that a call's input names. Pure; the host and the page read it the same way. */

/** The input of a call as a value, or as the text that it is. */
export function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface CommandInput {
  readonly line: string;
  /** The shell that runs `line`, where the input is an argument list that says so: `bash -lc`. */
  readonly shell?: string;
  /** The folder to run it in, where the input names one. */
  readonly folder?: string;
  /** The fields of the input that say all this. */
  readonly fields: readonly string[];
}

/** `command` or `cmd`: agents send a string, an argument list, or a command and arguments. */
export function commandInput(input: unknown): CommandInput | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const values = input as Readonly<Record<string, unknown>>;
  const field = isMissing(values['command']) ? 'cmd' : 'command';
  const command = commandOf(values[field], values['args']);
  if (!command) return undefined;
  const folderField = FOLDERS.find(key => typeof values[key] === 'string' && values[key] !== '');
  return {
    ...command,
    ...(folderField !== undefined && { folder: values[folderField] as string }),
    fields: [
      field,
      ...(typeof values[field] === 'string' && Array.isArray(values['args']) ? ['args'] : []),
      ...(folderField === undefined ? [] : [folderField]),
    ],
  };
}

function commandOf(
  command: unknown,
  args: unknown,
): Pick<CommandInput, 'line' | 'shell'> | undefined {
  if (typeof command === 'string' && command.trim() !== '') {
    return { line: Array.isArray(args) ? [command, ...args.map(quoted)].join(' ') : command };
  }
  if (!Array.isArray(command) || command.length === 0) return undefined;
  const [shell, flag, script] = command as readonly unknown[];
  return command.length === 3 &&
    typeof script === 'string' &&
    SHELL.test(String(shell)) &&
    /^-\w*c$/.test(String(flag))
    ? { line: script, shell: `${String(shell)} ${String(flag)}` }
    : { line: command.map(quoted).join(' ') };
}

/** Fields that name the folder of a command. */
export const FOLDERS: readonly string[] = [
  'cwd',
  'workdir',
  'working_directory',
  'workingDirectory',
  'directory',
];

/** Shells where systems have them: a program that is called like one is shown as any other. */
const SHELL = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|z|da|fi)?sh$/;

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function quoted(word: unknown): string {
  const text = typeof word === 'string' ? word : JSON.stringify(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}
