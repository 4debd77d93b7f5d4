/** The tools of the CLI as ACP shows them: title, kind, places and what they will do. */
import * as l10n from '@vscode/l10n';
import type { Json } from '../../../acp/schema/guards/primitives';
import type * as schema from '../../../acp/schema/schema';
import { fenced, shownPath, textContent } from '../inProcess/content';
import { number, objects, text } from '../inProcess/json';

/** One use of a tool, as the model asks for it. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  /** As far as it is known. */
  readonly input: Json;
}

export interface ShownUse {
  readonly title: string;
  readonly kind: schema.ToolKind;
  readonly content: readonly object[];
  readonly locations: readonly { readonly path: string; readonly line?: number }[];
}

/** @param cwd of the session: places in it are named from there */
export function shownUse({ id, name, input }: ToolUse, cwd: string): ShownUse {
  const { kind, title, content = [], locations = [] } = readerOf(name)(input, cwd, id);
  return { title: title ?? name, kind, content, locations };
}

/** Commands are shown as terminals. */
export function runsCommand(name: string): boolean {
  return name === 'Bash' || name === 'PowerShell';
}

/** Tools that give work to a subagent. */
export function startsSubagent(name: string): boolean {
  return name === 'Task' || name === 'Agent';
}

type Shown = Partial<ShownUse> & Pick<ShownUse, 'kind'>;
type Reader = (input: Json, cwd: string, id: string) => Shown;

const command: Reader = ({ command: line, description }, _cwd, id) => ({
  title: text(line) ?? l10n.t('Terminal'),
  kind: 'execute',
  content: [
    ...(text(description) === undefined ? [] : [textContent(String(description))]),
    { type: 'terminal', terminalId: id },
  ],
});

const subagent: Reader = ({ description, prompt }) => ({
  title: text(description) ?? l10n.t('Task'),
  kind: 'think',
  content: text(prompt) === undefined ? [] : [textContent(String(prompt))],
});

const READERS: Readonly<Record<string, Reader>> = {
  Bash: command,
  PowerShell: command,
  Task: subagent,
  Agent: subagent,
  Read({ file_path: path, offset, limit }, cwd) {
    const file = text(path);
    const [from, count] = [number(offset), number(limit)];
    const last = count === undefined ? '' : ` - ${(from ?? 1) + count - 1}`;
    const lines = from === undefined && last === '' ? '' : ` (${from ?? 1}${last})`;
    return {
      title: `${l10n.t('Read {0}', shownPath(file, cwd))}${lines}`,
      kind: 'read',
      locations: file === undefined ? [] : [{ path: file, line: Math.max(from ?? 1, 1) }],
    };
  },
  Write({ file_path: path, content }, cwd) {
    const file = text(path);
    if (file === undefined) return { title: l10n.t('Write file'), kind: 'edit' };
    const newText = typeof content === 'string' ? content : undefined;
    return {
      title: l10n.t('Write {0}', shownPath(file, cwd)),
      kind: 'edit',
      locations: [{ path: file }],
      content: newText === undefined ? [] : [{ type: 'diff', path: file, oldText: null, newText }],
    };
  },
  Edit({ file_path: path, old_string: oldText, new_string: newText }, cwd) {
    const file = text(path);
    const isWhole = typeof oldText === 'string' && typeof newText === 'string';
    return {
      title: l10n.t('Edit {0}', shownPath(file, cwd)),
      kind: 'edit',
      locations: file === undefined ? [] : [{ path: file }],
      content: file && isWhole ? [{ type: 'diff', path: file, oldText, newText }] : [],
    };
  },
  NotebookEdit({ notebook_path: path, new_source: source }, cwd) {
    const file = text(path);
    return {
      title: l10n.t('Edit {0}', shownPath(file, cwd)),
      kind: 'edit',
      locations: file === undefined ? [] : [{ path: file }],
      content: text(source) === undefined ? [] : [textContent(fenced(String(source)))],
    };
  },
  Glob: ({ path, pattern }) => ({
    title: l10n.t('Find {0}', [text(path), text(pattern)].filter(Boolean).join(' ')),
    kind: 'search',
    locations: text(path) === undefined ? [] : [{ path: String(path) }],
  }),
  Grep: ({ pattern, path, glob }) => ({
    title: [
      'grep',
      text(glob) && `--include="${text(glob)}"`,
      text(pattern) && `"${text(pattern)}"`,
      text(path),
    ]
      .filter(Boolean)
      .join(' '),
    kind: 'search',
  }),
  WebFetch: ({ url, prompt }) => ({
    title: l10n.t('Fetch {0}', text(url) ?? ''),
    kind: 'fetch',
    content: text(prompt) === undefined ? [] : [textContent(String(prompt))],
  }),
  WebSearch: ({ query }) => ({
    title: l10n.t('Search "{0}"', text(query) ?? ''),
    kind: 'fetch',
  }),
  Skill: ({ skill }) => ({
    title: l10n.t('Load skill: {0}', text(skill) ?? ''),
    kind: 'other',
  }),
  ExitPlanMode: ({ plan }) => ({
    title: l10n.t('Approve plan'),
    kind: 'switch_mode',
    content: text(plan) === undefined ? [] : [textContent(String(plan))],
  }),
  EnterPlanMode: () => ({ title: l10n.t('Enter plan mode'), kind: 'switch_mode' }),
  AskUserQuestion: ({ questions }) => {
    const asked = objects(questions).flatMap(({ question }) => text(question) ?? []);
    const [only] = asked;
    return {
      title: asked.length === 1 && only !== undefined ? only : l10n.t('Questions'),
      kind: 'other',
      content: asked.map(textContent),
    };
  },
};

/** Tools of MCP servers, and those that are new. */
const other: Reader = () => ({ kind: 'other' });

function readerOf(name: string): Reader {
  return (Object.hasOwn(READERS, name) ? READERS[name] : undefined) ?? other;
}
