/** Claude Code without an adapter: its CLI, spoken to in its own protocol. */
import type { Backend } from '../../backend';
import type { ClaudeCodeAgent } from '../../definitions';
import type { Product } from '../inProcess/product';
import { startProduct } from '../inProcess/startProduct';
import { ClaudeAgent } from './claudeAgent';

const CLAUDE_CODE: Product = {
  title: 'Claude Code',
  install: 'npm install -g @anthropic-ai/claude-code',
  update: 'claude update',
  version: /(\d+)\.(\d+)\.(\d+) \(Claude Code\)/,
  least: [2, 0, 0],
};

export const claudeBackend: Backend<ClaudeCodeAgent> = {
  start: (definition, start, signal) =>
    startProduct(CLAUDE_CODE, definition, start, parts => new ClaudeAgent(parts), signal),
};
