import type { CatalogAgent } from './catalogAgent';

/** By convention; of the packages below that were run, all but those said otherwise print it and end. */
const VERSION = ['--version'];

/**
 * The agents that Parley looks for, those that most people have first. Each says where its arguments are from:
 * *run* means that the package was started with them and answered `initialize`, *registry* that the public ACP
 * registry has them, *docs* that the agent's own documentation does.
 */
export const CATALOG: readonly CatalogAgent[] = [
  {
    // Run: claude-agent-acp 0.101.0. Its sign-in is Claude Code's; on macOS that is in the keychain.
    id: 'claude-acp',
    name: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    versionArgs: VERSION,
    adapts: 'claude',
    kind: 'claude',
    npm: '@agentclientprotocol/claude-agent-acp',
    website: 'https://github.com/agentclientprotocol/claude-agent-acp',
    signIn: {
      files: ['.claude/.credentials.json'],
      variables: [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CODE_USE_BEDROCK',
        'CLAUDE_CODE_USE_VERTEX',
      ],
      completeOn: ['linux'],
    },
  },
  {
    // Run: codex-acp 0.16.0 of the package's former owner, which has no --version; registry for this one.
    id: 'codex-acp',
    name: 'Codex',
    command: 'codex-acp',
    args: [],
    adapts: 'codex',
    kind: 'codex',
    npm: '@agentclientprotocol/codex-acp',
    website: 'https://github.com/agentclientprotocol/codex-acp',
    signIn: { files: ['.codex/auth.json'], variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'] },
  },
  {
    // Run: gemini-cli 0.61.0.
    id: 'gemini',
    name: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    versionArgs: VERSION,
    npm: '@google/gemini-cli',
    website: 'https://geminicli.com',
    signIn: {
      files: ['.gemini/oauth_creds.json', '.gemini/gemini-credentials.json'],
      variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
    },
  },
  {
    // Run: opencode-ai 1.18.33. It has models that need no sign-in.
    id: 'opencode',
    name: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    versionArgs: VERSION,
    npm: 'opencode-ai',
    website: 'https://opencode.ai',
    signIn: { files: ['.local/share/opencode/auth.json'], variables: [] },
  },
  {
    // Registry. The docs name the variables; a sign-in is in the system's keychain.
    id: 'github-copilot-cli',
    name: 'GitHub Copilot',
    command: 'copilot',
    args: ['--acp'],
    versionArgs: VERSION,
    npm: '@github/copilot',
    website: 'https://github.com/features/copilot/cli/',
    signIn: { files: [], variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'] },
  },
  {
    // Registry.
    id: 'qwen-code',
    name: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    versionArgs: VERSION,
    npm: '@qwen-code/qwen-code',
    website: 'https://github.com/QwenLM/qwen-code',
    signIn: { files: ['.qwen/oauth_creds.json'], variables: [] },
  },
  {
    // Registry.
    id: 'goose',
    name: 'Goose',
    command: 'goose',
    args: ['acp'],
    versionArgs: VERSION,
    website: 'https://block.github.io/goose/',
  },
  {
    // Registry.
    id: 'cursor',
    name: 'Cursor',
    command: 'cursor-agent',
    args: ['acp'],
    versionArgs: VERSION,
    website: 'https://cursor.com/docs/cli/acp',
    signIn: { files: [], variables: ['CURSOR_API_KEY'] },
  },
  {
    // Registry.
    id: 'kimi',
    name: 'Kimi CLI',
    command: 'kimi',
    args: ['acp'],
    versionArgs: VERSION,
    website: 'https://github.com/MoonshotAI/kimi-cli',
  },
  {
    // Registry.
    id: 'cline',
    name: 'Cline',
    command: 'cline',
    args: ['--acp'],
    versionArgs: VERSION,
    npm: 'cline',
    website: 'https://cline.bot/cli',
  },
  {
    // Registry.
    id: 'kilo',
    name: 'Kilo',
    command: 'kilo',
    args: ['acp'],
    versionArgs: VERSION,
    npm: '@kilocode/cli',
    website: 'https://kilo.ai/',
  },
  {
    // Registry.
    id: 'factory-droid',
    name: 'Factory Droid',
    command: 'droid',
    args: ['exec', '--output-format', 'acp-daemon'],
    versionArgs: VERSION,
    npm: 'droid',
    website: 'https://factory.ai/product/cli',
    signIn: { files: [], variables: ['FACTORY_API_KEY'] },
  },
  {
    // Registry.
    id: 'auggie',
    name: 'Auggie CLI',
    command: 'auggie',
    args: ['--acp'],
    versionArgs: VERSION,
    npm: '@augmentcode/auggie',
    website: 'https://www.augmentcode.com/',
  },
  {
    // Run: pi-acp 0.0.34, which has no --version.
    id: 'pi-acp',
    name: 'pi',
    command: 'pi-acp',
    args: [],
    adapts: 'pi',
    npm: 'pi-acp',
    website: 'https://github.com/svkozak/pi-acp',
    signIn: { files: ['.pi/agent/auth.json'], variables: [] },
  },
  {
    // Registry.
    id: 'grok-build',
    name: 'Grok Build',
    command: 'grok',
    args: ['agent', 'stdio'],
    versionArgs: VERSION,
    npm: '@xai-official/grok',
    website: 'https://x.ai/cli',
    signIn: { files: [], variables: ['XAI_API_KEY'] },
  },
  {
    // Registry.
    id: 'qoder',
    name: 'Qoder CLI',
    command: 'qodercli',
    args: ['--acp'],
    versionArgs: VERSION,
    npm: '@qoder-ai/qodercli',
    website: 'https://qoder.com',
  },
  {
    // Docs: "hermes acp".
    id: 'hermes-agent',
    name: 'Hermes Agent',
    command: 'hermes',
    args: ['acp'],
    versionArgs: VERSION,
    website: 'https://hermes-agent.nousresearch.com/docs/user-guide/features/acp',
  },
];
