/** A chat as text that people can read and compare: what the panel would show, without times and ids. */
import type { ConfigOption } from '../../src/session/state/config';
import type { ContentView } from '../../src/session/state/content';
import { allTurns } from '../../src/session/state/selectors';
import type { Part, SessionState, Terminal, ToolCallPart, ToolContent, Turn } from '../../src/session/state/state';
import type { ReplayedChats } from './replayChats';

export function render({ states, answers, initialized }: ReplayedChats): string {
  const info = initialized?.agentInfo;
  return [
    `agent: ${info?.title ?? info?.name ?? '(no name)'} ${info?.version ?? ''}`.trimEnd(),
    ...states.flatMap((state, index) => ['', `═══ chat ${index + 1}`, ...chat(state)]),
    ...(answers.length > 0 ? ['', '═══ permissions', ...answers] : []),
    '',
  ].join('\n');
}

function chat(state: SessionState): string[] {
  const { connection } = state;
  return [
    `connection: ${connection.kind}${connection.kind === 'failed' ? ` (${connection.problem.title}: ${connection.problem.detail})` : ''}`,
    ...(connection.kind === 'signIn'
      ? connection.methods.map(({ name }) => `  sign in: ${name}`)
      : []),
    ...(state.title === undefined ? [] : [`title: ${state.title}`]),
    ...state.configOptions.map(option),
    ...(state.commands.length > 0
      ? [`commands: ${state.commands.map(({ name, hint }) => `/${name}${hint ? ` <${hint}>` : ''}`).join(' ')}`]
      : []),
    ...(state.usage ? [`context: ${state.usage.used} of ${state.usage.size}`] : []),
    ...(state.plan ?? []).map(entry => `plan: [${entry.status}] ${entry.content}`),
    ...allTurns(state).flatMap(turn => rendered(turn, state)),
  ];
}

function option(value: ConfigOption): string {
  const choices =
    value.type === 'boolean'
      ? 'true | false'
      : value.groups
          .map(({ name, choices: list }) =>
            (name ? `${name}: ` : '') + list.map(choice => choice.name).join(' | '),
          )
          .join(' || ');
  return `option ${value.name} (${value.category ?? value.source}) = ${value.value}: ${choices}`;
}

function rendered(turn: Turn, state: SessionState): string[] {
  const { prompt } = turn;
  return [
    '',
    prompt ? `> ${indented(prompt.text)}${prompt.attachments.map(({ label }) => ` [${label}]`).join('')}` : '> (unasked)',
    ...turn.parts.flatMap(part => partLines(part, state).map(line => `  ${line}`)),
    `  ── ${turn.end?.reason ?? 'open'}`,
  ];
}

function partLines(part: Part, state: SessionState): string[] {
  switch (part.kind) {
    case 'text':
      return [indented(part.text)];
    case 'thought':
      return [`(thought) ${indented(part.text)}`];
    case 'notice':
      return [`!${part.level} ${part.text}${part.detail ? ` | ${part.detail}` : ''}`];
    case 'plan':
      return part.entries.map(entry => `plan: [${entry.status}] ${entry.content}`);
    case 'user':
      return [`> ${indented(part.message.text)}`];
    case 'content':
      return [block(part.block)];
    case 'tool':
      return tool(part, state);
  }
}

function tool(part: ToolCallPart, state: SessionState): string[] {
  const places = part.locations.map(({ path, line }) => (line ? `${path}:${line}` : path));
  return [
    `[${part.toolKind}] ${part.title || '(no title)'} · ${part.status}${places.length > 0 ? ` @ ${places.join(', ')}` : ''}`,
    ...part.content.flatMap(content => toolContent(content, state).map(line => `    ${line}`)),
  ];
}

function toolContent(content: ToolContent, state: SessionState): string[] {
  switch (content.kind) {
    case 'block':
      return [block(content.block)];
    case 'terminal':
      return terminal(state.terminals[content.terminalId]);
    case 'diff': {
      const { path, change, added, removed, hunks } = content.diff;
      return [
        `${change} ${path} +${added} −${removed}`,
        ...hunks.flatMap(({ line, lines }) => [
          `@@ ${line}`,
          ...lines.map(({ sign, text }) => `${sign}${text}`),
        ]),
      ];
    }
  }
}

function terminal(value: Terminal | undefined): string[] {
  if (!value) return ['$ (unknown terminal)'];
  const exit = value.exit ? ` → ${value.exit.exitCode ?? value.exit.signal}` : '';
  return [`$ ${value.command}${exit}`, ...(value.output ? [indented(value.output.trimEnd())] : [])];
}

function block(view: ContentView): string {
  switch (view.kind) {
    case 'text':
      return indented(view.text.text);
    case 'image':
      return `(image ${view.mimeType}, ${view.bytes} bytes)`;
    case 'audio':
      return `(audio ${view.mimeType}, ${view.bytes} bytes)`;
    case 'link':
      return `(link ${view.name} ${view.uri})`;
    case 'resource':
      return `(resource ${view.uri}) ${view.text ? indented(view.text.text) : ''}`;
    case 'unknown':
      return `(unknown ${view.type}) ${view.json.text}`;
  }
}

/** Ids that change from run to run, and long texts cut. */
function indented(text: string): string {
  const cut = text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text;
  return cut.replaceAll('\n', '\n      ');
}
