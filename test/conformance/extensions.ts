/** What Parley understands outside the stable schema, and where that is tested. */

export interface Extension {
  /** What agents send; of `_meta`, the path of the key. */
  readonly what: string;
  /** What Parley makes of it: one line. */
  readonly does: string;
  /** The files that read it. */
  readonly read: readonly string[];
  /** A file, and the name of the test in it. */
  readonly tested: readonly [file: string, name: string];
}

const ACP = 'src/acp';
const COMPAT = `${ACP}/compat`;
const EDITS = 'src/session/translate/edits';
const LINES = 'test/unit/acp/linesOfMessages.test.ts';
const LOOSE = 'test/unit/acp/looseShapes.test.ts';
const DRAFT = 'test/unit/acp/compatibility.test.ts';
const AGENTS = 'test/unit/session/looseAgents.test.ts';
const SUBAGENTS = 'test/unit/session/subagents.test.ts';
const VENDORS = 'test/unit/acp/vendorQuestions.test.ts';
const FAMILIES = 'test/unit/session/familyAgents.test.ts';
const SIGN_IN = 'test/unit/agents/signIn.test.ts';
const UPDATES = 'test/conformance/cases/updates.ts';
const METHODS = 'test/conformance/cases/methods.ts';

export const lines: readonly Extension[] = [
  {
    what: 'several messages in a line, batches, text around them, marks and NULs',
    does: 'taken apart; what is no message goes to the log',
    read: [`${ACP}/transport/messagesInLine.ts`],
    tested: [LINES, 'byte order marks, NULs and separators of records'],
  },
  {
    what: "ids as numeric strings, `result` left out, `error` as a text, LSP's `$/cancelRequest`",
    does: 'put right',
    read: [`${ACP}/rpc/envelope.ts`],
    tested: ['test/unit/acp/cancellation.test.ts', '$/cancelRequest'],
  },
  {
    what: 'messages beyond `parley.limits.lineBytes`',
    does: 'a short one in their place',
    read: [`${ACP}/transport/longMessages.ts`],
    tested: ['test/unit/acp/longMessages.test.ts', 'an update that is too long becomes a notice'],
  },
];

export const shapes: readonly Extension[] = [
  {
    what: 'names in snake case',
    does: "read as the schema's",
    read: [`${COMPAT}/snakeCase.ts`],
    tested: [LOOSE, "names in snake case, except in what is the agent's own"],
  },
  {
    what: 'sessions with numbers for ids',
    does: 'the agent gets its number back',
    read: [`${COMPAT}/sessionIds.ts`],
    tested: [AGENTS, 'a numbered session is taken up again by its number'],
  },
  {
    what: '`session/update` without `update`, with kinds in other words, several at once',
    does: "each as the schema's update",
    read: [`${COMPAT}/updates.ts`],
    tested: [DRAFT, 'a chunk of content without an update loses nothing'],
  },
  {
    what: 'statuses by other words',
    does: "read as the schema's",
    read: [`${COMPAT}/statuses.ts`],
    tested: [LOOSE, 'plans: steps as bare texts, statuses by other names'],
  },
  {
    what: 'content as a text, `embedded_resource`, blocks without their wrapping',
    does: "read as the schema's",
    read: [`${COMPAT}/content.ts`],
    tested: [DRAFT, 'embedded resources, plan entries with ids, writing tools'],
  },
  {
    what: 'tool calls with fields by other names, and content that is no list',
    does: "read as the schema's",
    read: [`${COMPAT}/calls.ts`],
    tested: [LOOSE, 'tool calls: ids, statuses and fields by other names'],
  },
  {
    what: 'changes sent only in the input of a tool',
    does: 'shown as diffs, and reviewed',
    read: [
      `${EDITS}/proposals.ts`,
      `${EDITS}/applyPatch.ts`,
      `${EDITS}/unifiedDiff.ts`,
      `${EDITS}/filePatch.ts`,
    ],
    tested: ['test/unit/acp/patches.test.ts', 'every file of a patch appears with its fate'],
  },
  {
    what: 'deletions with `newText: null`, and deletions and moves marked in `_meta.kind`',
    does: 'read as such',
    read: [`${COMPAT}/content.ts`, `${EDITS}/diffs.ts`],
    tested: ['test/unit/session/reportedChanges.test.ts', 'a deletion is one in each of its forms'],
  },
  {
    what: 'Claude: diffs of `Write` without an old text, whether the file exists or not',
    does: 'the whole new text; a new file once the tool has said so',
    read: [`${EDITS}/claudeWrites.ts`],
    tested: [
      'test/unit/session/reportedChanges.test.ts',
      'a file that Claude writes is new once told',
    ],
  },
  {
    what: 'permission asked with `permissionId`, with `permission`, or with nothing to choose from',
    does: "answered as it was asked: `decision`, `granted`, Allow and Reject of Parley's own",
    read: [`${COMPAT}/permissions.ts`],
    tested: [DRAFT, 'a permission with an id and a title is answered with a decision'],
  },
  {
    what: 'options as words, with numbers, with kinds by other names',
    does: 'answered with what the agent called it',
    read: [`${COMPAT}/permissionOptions.ts`],
    tested: [LOOSE, 'permission: bare words, other names, kinds left to be told from the words'],
  },
  {
    what: '`terminal/create` with `env` as an object and `outputBytesLimit`',
    does: 'run, and answered in that shape',
    read: [`${COMPAT}/terminals.ts`],
    tested: [DRAFT, 'terminals: the environment as an object, and the old name of the limit'],
  },
  {
    what: 'sign-in methods as words, `modes` and `models` as lists, other versions and stop reasons',
    does: "read as the schema's",
    read: [`${COMPAT}/answers.ts`],
    tested: [DRAFT, 'sessions: modes as a list, models by id, options of the seeds'],
  },
  {
    what: 'agents of the early draft',
    does: 'get `content`, `mcpServers` as local and remote, and `method` too',
    read: [`${COMPAT}/earlyRequests.ts`],
    tested: [DRAFT, 'an agent that speaks the draft is spoken to in it; others are not'],
  },
  {
    what: 'error codes of their own (-31xxx), HTTP statuses, and errors in words',
    does: 'a sentence with a next step',
    read: ['src/session/lifecycle/errorMeaning.ts'],
    tested: ['test/unit/session/problems.test.ts', 'codes of agents become a sentence'],
  },
  {
    what: 'Cursor: `cursor/ask_question`, `cursor/create_plan`, `cursor/update_todos`',
    does: "a form, a plan to agree to, the plan's steps; answered as Cursor documents it",
    read: [`${COMPAT}/vendorQuestions.ts`],
    tested: [VENDORS, 'Cursor asks questions: a form in the chat of the call'],
  },
  {
    what: 'Grok: `_x.ai/ask_user_question`, `_x.ai/exit_plan_mode`',
    does: 'a form, a plan to agree to; answered as Grok expects it',
    read: [`${COMPAT}/vendorQuestions.ts`],
    tested: [VENDORS, 'Grok asks questions: answered by their texts'],
  },
  {
    what: 'Qwen Code: permission asked for the answers to `_meta.qwenQuestions`',
    does: 'a form; the answers stand beside the permission',
    read: [`${COMPAT}/vendorQuestions.ts`],
    tested: [VENDORS, 'Qwen Code asks questions as permission'],
  },
  {
    what: 'Gemini CLI and its descendants: `[MODE_UPDATE]` in a message, a file read before it is made',
    does: 'the mode changes; the missing file is empty',
    read: [`${COMPAT}/families.ts`],
    tested: [FAMILIES, 'Gemini and its descendants'],
  },
  {
    what: 'sign-in methods of type `env_var`',
    does: 'asks for the variables, and keeps them in the secret storage',
    read: ['src/agents/backends/acp/authMethods.ts'],
    tested: [SIGN_IN, 'variables of an env_var method are kept'],
  },
];

export const unstable: readonly Extension[] = [
  {
    what: '`session/fork`',
    does: '"Duplicate Chat", for agents that offer it',
    read: [`${ACP}/schema/methods.ts`],
    tested: [METHODS, 'session/fork'],
  },
  {
    what: '`session/set_model`',
    does: 'a model chosen in the footer, for agents that offer `models`',
    read: [`${ACP}/schema/methods.ts`],
    tested: [METHODS, 'session/set_model'],
  },
  {
    what: '`session/set_title`',
    does: 'a chat that the user renames, for agents that offer it',
    read: [`${ACP}/schema/methods.ts`],
    tested: [METHODS, 'session/set_title'],
  },
  {
    what: '`session/archive`',
    does: 'a chat that the user archives, for agents that offer it',
    read: [`${ACP}/schema/methods.ts`],
    tested: [METHODS, 'session/archive'],
  },
  {
    what: '`session/unarchive`',
    does: 'the same chat, taken out of the archive or gone on with',
    read: [`${ACP}/schema/methods.ts`],
    tested: [METHODS, 'session/unarchive'],
  },
  {
    what: '`_session/steering`',
    does: 'what is said while the agent works, for agents that offer it',
    read: [`${ACP}/schema/methods.ts`],
    tested: [
      'test/unit/session/steering.test.ts',
      'v1: an agent that is through with its turn gets the message as the next prompt, in order',
    ],
  },
  ...[
    ['current_model_update', 'the model in the footer'],
    ['plan_update', 'a plan with a name, beside the one without'],
    ['plan_removed', 'takes it away'],
  ].map(([name = '', does = '']): Extension => ({
    what: `\`${name}\``,
    does,
    read: ['src/session/translate/updateTable.ts'],
    tested: [UPDATES, name],
  })),
  {
    what: '`session_message`',
    does: 'what a subagent is asked, under its call',
    read: ['src/session/translate/updateTable.ts', 'src/session/translate/subagents.ts'],
    tested: [SUBAGENTS, 'a session of a subagent is shown under its call'],
  },
  {
    what: '`session_message_chunk`',
    does: 'the same, in pieces',
    read: ['src/session/translate/updateTable.ts', 'src/session/translate/subagents.ts'],
    tested: [SUBAGENTS, 'what a subagent is asked in pieces is put together'],
  },
  {
    what: '`subagent_update`',
    does: 'a tool call that runs while the subagent does; its session stands under that',
    read: [`${COMPAT}/subagents.ts`, 'src/session/translate/updateTable.ts'],
    tested: [SUBAGENTS, 'a session of a subagent is shown under its call'],
  },
];

const meta = (
  path: string,
  does: string,
  read: string,
  tested: Extension['tested'],
): Extension => ({ what: `\`_meta.${path}\``, does, read: [read], tested });

const PARENT = "stands under that tool call, as a subagent's";
const APART: Extension['tested'] = [SUBAGENTS, 'what two subagents say at once stays apart'];
const TOOL = 'the name of a call that has no title';
const NAMED: Extension['tested'] = [
  'test/unit/session/partialReports.test.ts',
  'a call that was never announced is called by its tool',
];
const OWN = 'shown as the terminal of the tool call';
const SHOWN: Extension['tested'] = [FAMILIES, "terminals of the agent's own"];

export const metaKeys: readonly Extension[] = [
  meta('parentToolCallId', PARENT, 'src/session/translate/parentCalls.ts', APART),
  meta('parentToolUseId', PARENT, 'src/session/translate/parentCalls.ts', APART),
  meta(
    '<agent>.parentToolUseId',
    `${PARENT} (\`claudeCode\`)`,
    'src/session/translate/parentCalls.ts',
    APART,
  ),
  meta('<agent>.parentToolCallId', PARENT, 'src/session/translate/parentCalls.ts', APART),
  meta('toolName', TOOL, 'src/session/translate/callNames.ts', NAMED),
  meta('tool_name', TOOL, 'src/session/translate/callNames.ts', NAMED),
  meta('claudeCode.toolName', TOOL, 'src/session/translate/callNames.ts', NAMED),
  ...['terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit'].map(key =>
    meta(key, OWN, 'src/session/translate/agentTerminals.ts', SHOWN),
  ),
  meta(
    '_claude/rateLimit',
    'what of a usage window is left, beside the context',
    'src/session/translate/usageLimits.ts',
    [
      'test/unit/session/usageLimits.test.ts',
      'windows are kept beside each other, and a warning comes once for each',
    ],
  ),
  meta('terminal-auth', 'a sign-in in a terminal', 'src/agents/backends/acp/authMethods.ts', [
    'test/e2e/signIn.test.ts',
    'wantsSignIn',
  ]),
];
