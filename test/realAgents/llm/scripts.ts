/**
 * What the scripted model does. A marker in the latest user message that has one chooses the script:
 *
 *   [[PLAIN]]          text in several pieces
 *   [[THINK]]          a thought, then text
 *   [[READ path]]      reads, then says so
 *   [[WRITE path]]     creates a file
 *   [[EDIT path]]      replaces "alpha" by "beta"
 *   [[READEDIT path]]  reads first (some agents insist)
 *   [[SHELL command]]  runs a command
 *   [[BACKGROUND command]] runs a command in the background, for agents that can
 *   [[PLAN]]           keeps a plan of two steps
 *   [[ASK]]            asks the user a question
 *   [[TASK script]]    has a subagent follow that script: `[[TASK SHELL command]]`
 *   [[PROPOSE]]        proposes a plan, in a mode for plans: with a tool, or between tags where none is for it
 *   [[MCP text]]       shouts, with the tool of an MCP server
 *   [[SLOW]]           a piece every 200 ms for a minute
 *   [[HANG]]           no answer at all
 *   [[HTTP status]]    an HTTP error
 *   [[LENGTH]] [[REFUSE]]  stops for another reason
 *   [[BADTOOL]]        calls a tool that does not exist
 */
import { call, type Answer, type Call, type Conversation, type Reply } from './conversation';
import { chooseTool, sample, type Purpose } from './toolChoice';

const MARKER =
  /\[\[(PLAIN|THINK|READEDIT|READ|WRITE|EDIT|SHELL|BACKGROUND|PLAN|ASK|TASK|PROPOSE|MCP|SLOW|HANG|HTTP|LENGTH|REFUSE|BADTOOL)(?: ([^\]]*))?\]\]/g;

/** Pieces of this are what tests look for. */
export const PLAIN_TEXT =
  'Hello from the scripted model. This comes **in pieces**.\n\n```js\nconsole.log(1);\n```\n\nDone, ünïcödé 🎉.';

interface Script {
  readonly marker: string;
  readonly argument: string;
  /** Tool results since the message with the marker. */
  readonly results: readonly string[];
}

export function replyTo(conversation: Conversation): Reply {
  if (conversation.answerSchema) {
    return say(JSON.stringify(sample(conversation.answerSchema)));
  }
  const script = readScript(conversation);
  if (!script) return say('The scripted model has nothing to say without a marker.');
  const { marker, argument, results } = script;
  const use = (purpose: Purpose, text: string): Reply =>
    answerWith(conversation, purpose, text, script);
  const done = results.length > 0;
  switch (marker) {
    case 'PLAIN':
      return say(PLAIN_TEXT);
    case 'THINK':
      return say('I have thought about it.', { thought: 'First one thing. Then another.' });
    case 'READ':
      return done ? report(script) : use('read', 'I read the file. ');
    case 'WRITE':
      return done ? report(script) : use('write', 'I write the file. ');
    case 'EDIT':
      return done ? report(script) : use('edit', 'I edit the file. ');
    case 'READEDIT':
      if (results.length > 1) return report(script);
      return done ? use('edit', 'Now I edit it. ') : use('read', 'I read it first. ');
    case 'SHELL':
      return done ? report(script) : use('shell', 'I run a command. ');
    case 'BACKGROUND':
      return done ? report(script) : use('background', 'I start a command. ');
    case 'PLAN':
      return results.length > 1 ? report(script) : use('plan', done ? '' : 'I make a plan. ');
    case 'ASK':
      return done ? report(script) : use('ask', 'I have a question. ');
    case 'TASK':
      return done ? report(script) : use('task', 'I have it done. ');
    case 'PROPOSE': {
      // Claude's plan is what it wrote into the file that it was told of.
      const file = planFile(conversation);
      const isWritten = done || file === undefined;
      if (!isWritten) {
        return answerWith(conversation, 'write', 'I write a plan. ', { ...script, argument: file });
      }
      if (results.length > Number(file !== undefined)) return report(script);
      return chooseTool(conversation.tools, { purpose: 'propose', subject: '', round: 0 })
        ? use('propose', 'I propose it. ')
        : say('<proposed_plan>\n# The plan\n\n- First step\n- Second step\n</proposed_plan>\n');
    }
    case 'MCP':
      return done ? report(script) : use('shout', 'I shout. ');
    case 'SLOW':
      return say('Slowly: ', { drip: { pieces: 300, everyMs: 200 } });
    case 'HANG':
      return { kind: 'silence' };
    case 'HTTP':
      return { kind: 'status', status: Number(argument) || 500 };
    case 'LENGTH':
      return say('This answer is cut in the mid', { ending: 'length' });
    case 'REFUSE':
      return say('I would rather not', { ending: 'refused' });
    case 'BADTOOL':
      return done ? report(script) : say('I call what is not there. ', { calls: [badCall()] });
    default:
      return say(`There is no script ${marker}.`);
  }
}

function readScript({ items }: Conversation): Script | undefined {
  const start = items.findLastIndex(item => item.role === 'user' && item.text.match(MARKER));
  const match = [...(items[start]?.text ?? '').matchAll(MARKER)].at(-1);
  if (!match?.[1]) return undefined;
  const results = items.slice(start + 1).filter(item => item.role === 'toolResult');
  return {
    marker: match[1],
    argument: (match[2] ?? '').trim(),
    results: results.map(item => item.text),
  };
}

function answerWith(
  conversation: Conversation,
  purpose: Purpose,
  text: string,
  script: Script,
): Reply {
  // Agents ask side questions (a title, a summary) about the same message, without tools.
  if (conversation.tools.length === 0) return say('A side answer.');
  const wish = { purpose, subject: script.argument, round: script.results.length };
  const chosen = chooseTool(conversation.tools, wish);
  if (chosen) return say(text, { calls: [chosen] });
  const search = conversation.tools.find(({ name }) => name === 'tool_search');
  if (search && !conversation.searched)
    return say(text, { calls: [call(search, { query: purpose })] });
  const offered = conversation.tools.map(tool => tool.name).join(', ');
  return say(`There is no tool to ${purpose} among ${offered}.`);
}

function planFile({ items }: Conversation): string | undefined {
  return items
    .flatMap(({ text }) => [...text.matchAll(/[^\s`'"]+\/plans\/[\w-]+\.md/g)])
    .at(-1)?.[0];
}

/** The last word: repeats what the tool answered, since not every agent shows it. */
function report({ marker, results }: Script): Reply {
  return say(`${marker} is done. The tool answered:\n\n${results.at(-1)?.slice(0, 2000) ?? ''}\n`);
}

function say(text: string, more: Partial<Answer> = {}): Reply {
  return { kind: 'answer', answer: { text, calls: [], ending: 'complete', ...more } };
}

function badCall(): Call {
  return call({ name: 'no_such_tool', schema: {}, freeform: false }, { x: 1 });
}
