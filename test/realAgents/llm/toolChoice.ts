/**
 * Picks the tool for a purpose among those an agent offers, and fills its arguments from its schema.
 * Nothing here knows an agent: tools are found by the names that are in use, arguments by theirs.
 */
import { call, type Call, type Tool } from './conversation';
import { asObject, asString, type Json } from './json';

export type Purpose =
  | 'read'
  | 'write'
  | 'edit'
  | 'shell'
  | 'background'
  | 'plan'
  | 'ask'
  | 'task'
  | 'propose'
  | 'shout';

const SHELLS = ['run_shell_command', 'bash', 'execute_command', 'exec_command', 'shell_command'];
SHELLS.push('local_shell', 'shell');

/** Lower case; the first that is offered wins. */
const NAMES: Readonly<Record<Purpose, readonly string[]>> = {
  read: ['read_file', 'read', 'view_file', 'view', ...SHELLS],
  write: ['write_file', 'write', 'create_file', 'create', 'apply_patch', ...SHELLS],
  edit: ['replace', 'edit', 'edit_file', 'str_replace', 'apply_patch', ...SHELLS],
  shell: SHELLS,
  background: SHELLS,
  plan: ['write_todos', 'todowrite', 'todo_write', 'update_plan', 'taskcreate', 'todo'],
  ask: ['askuserquestion', 'ask_user_question', 'request_user_input', 'ask_user', 'question'],
  task: ['agent', 'task', 'spawn_agent'],
  propose: ['exitplanmode', 'exit_plan_mode'],
  // Of an MCP server, under the names that agents give its tool.
  shout: [
    'mcp__shouting__shout',
    'mcp_shouting_shout',
    'shouting_shout',
    'shouting__shout',
    'shout',
  ],
};

export interface Wish {
  readonly purpose: Purpose;
  /** The file; for the shell the command line; what to shout. */
  readonly subject: string;
  /** How often this tool was used already. */
  readonly round: number;
}

/** What written files hold, and which word edits replace by which. */
export const WRITTEN = 'written by the scripted model\nsecond line\n';
export const BEFORE = 'alpha';
export const AFTER = 'beta';

/** The call that fulfils `wish`; undefined when no offered tool can. */
export function chooseTool(tools: readonly Tool[], wish: Wish): Call | undefined {
  const byName = new Map(tools.map(tool => [tool.name.toLowerCase(), tool]));
  const name = NAMES[wish.purpose].find(candidate => byName.has(candidate));
  const tool = byName.get(name ?? '');
  if (!tool) return undefined;
  if (tool.freeform) return call(tool, patch(wish));
  return call(tool, fill(tool, propose(tool.name.toLowerCase(), wish)));
}

/** Values by the role that an argument plays. */
type Roles = Readonly<Partial<Record<Role, unknown>>>;
type Role =
  | 'path'
  | 'content'
  | 'before'
  | 'after'
  | 'command'
  | 'background'
  | 'patch'
  | 'todos'
  | 'questions'
  | 'text'
  | 'prompt'
  | 'agentType';

function propose(tool: string, wish: Wish): Roles {
  const { purpose, subject } = wish;
  if (SHELLS.includes(tool)) {
    const background = purpose === 'background' && { background: true };
    return { command: shellLine(wish), ...background };
  }
  if (tool === 'apply_patch') return { patch: patch(wish) };
  switch (purpose) {
    case 'read':
      return { path: subject };
    case 'write':
      return { path: subject, content: WRITTEN };
    case 'edit':
      return { path: subject, before: BEFORE, after: AFTER };
    case 'shell':
      return { command: subject };
    case 'background':
      return { command: subject, background: true };
    case 'plan':
      return { todos: wish.round };
    case 'ask':
      return { questions: true };
    case 'task':
      return { prompt: `[[${subject}]] please`, agentType: 'general-purpose' };
    case 'propose':
      return {};
    case 'shout':
      return { text: subject };
  }
}

const ROLE_OF: readonly (readonly [RegExp, Role])[] = [
  [/^(?:file_?path|absolute_path|path|file)$/i, 'path'],
  [/^(?:content|contents|file_?text|file_content)$/i, 'content'],
  [/^old_?(?:string|str|text)?$/i, 'before'],
  [/^new_?(?:string|str|text)?$/i, 'after'],
  [/^(?:command|cmd)$/i, 'command'],
  [/^(?:run_in_background|yield_time_ms)$/i, 'background'],
  [/^(?:patch|patch_?text|input)$/i, 'patch'],
  [/^(?:todos|plan)$/i, 'todos'],
  [/^questions?$/i, 'questions'],
  [/^text$/i, 'text'],
  [/^(?:prompt|message)$/i, 'prompt'],
  [/^(?:subagent|agent)_type$/i, 'agentType'],
];

/** Optional arguments that are worth giving all the same. */
const VOLUNTEERED: Readonly<Record<string, unknown>> = {
  description: 'A scripted command',
  // Codex asks its user only when the model asks to leave the sandbox.
  sandbox_permissions: 'require_escalated',
  justification: 'The script wants to be asked about',
};

function fill(tool: Tool, roles: Roles): Json {
  const properties = asObject(tool.schema['properties']);
  const required = Array.isArray(tool.schema['required']) ? tool.schema['required'] : [];
  const filled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    const schema = asObject(value);
    const role = ROLE_OF.find(([pattern, candidate]) => pattern.test(name) && candidate in roles);
    if (role) filled[name] = shape(roles[role[1]], role[1], schema);
    else if (name === 'edits' && 'before' in roles) filled[name] = [editItem(schema)];
    else if (name in VOLUNTEERED && 'command' in roles) filled[name] = VOLUNTEERED[name];
    else if (required.includes(name)) filled[name] = sample(schema);
  }
  return filled;
}

function shape(value: unknown, role: Role, schema: Json): unknown {
  if (role === 'command' && schema['type'] === 'array') return ['bash', '-lc', value];
  // Codex waits so long, in milliseconds, for a command that may go on.
  if (role === 'background' && schema['type'] !== 'boolean') return 250;
  if (role === 'todos') return todos(Number(value), asObject(schema['items']));
  if (role === 'questions') return question(schema);
  return value;
}

function editItem(schema: Json): Json {
  const names = Object.keys(asObject(asObject(schema['items'])['properties']));
  const before = names.find(name => /^old/i.test(name)) ?? 'oldText';
  const after = names.find(name => /^new/i.test(name)) ?? 'newText';
  return { [before]: BEFORE, [after]: AFTER };
}

function todos(round: number, item: Json): Json[] {
  return ['First step', 'Second step'].map((title, index) => {
    const status = index < round ? 'completed' : index === round ? 'in_progress' : 'pending';
    const given: Json = { content: title, step: title, description: title, activeForm: title };
    return sample(item, { ...given, status, id: String(index + 1) }) as Json;
  });
}

function question(schema: Json): unknown {
  const options = [
    { label: 'Red', description: 'the red one' },
    { label: 'Blue', description: 'the blue one' },
  ];
  const given = { id: 'colour', header: 'Colour', question: 'Which colour?', options };
  return schema['type'] === 'array' ? [sample(asObject(schema['items']), given)] : given.question;
}

function shellLine({ purpose, subject }: Wish): string {
  switch (purpose) {
    case 'read':
      return `cat '${subject}'`;
    case 'write':
      return `printf '${WRITTEN.replaceAll('\n', '\\n')}' > '${subject}'`;
    case 'edit':
      return `sed -i 's/${BEFORE}/${AFTER}/' '${subject}'`;
    default:
      return subject;
  }
}

function patch({ purpose, subject }: Wish): string {
  const added = WRITTEN.trimEnd().split('\n');
  const body =
    purpose === 'edit'
      ? [`*** Update File: ${subject}`, '@@', `-${BEFORE}`, `+${AFTER}`]
      : [`*** Add File: ${subject}`, ...added.map(line => `+${line}`)];
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
}

/** The smallest value of a schema, with `given` values for properties of those names. */
export function sample(schema: Json, given: Json = {}): unknown {
  const { type, properties, required } = schema;
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const kind = asString(Array.isArray(type) ? type[0] : type)?.toLowerCase();
  switch (kind ?? (properties ? 'object' : 'string')) {
    case 'object': {
      const entries = Object.entries(asObject(properties));
      if (entries.length === 0) return { ...given };
      const needed = Array.isArray(required) ? required : [];
      return Object.fromEntries(
        entries
          .filter(([name]) => name in given || needed.includes(name))
          .map(([name, value]) => [name, name in given ? given[name] : sample(asObject(value))]),
      );
    }
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    default:
      return 'scripted';
  }
}
