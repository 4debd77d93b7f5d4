/** How much of the context is in use, what the session has cost, and what is used of the user's subscription. */
import type { Json } from '../../../acp/schema/guards/primitives';
import { number, object, objects } from '../inProcess/json';

/** Tokens, until the CLI says how many the model takes. */
const USUAL_WINDOW = 200_000;

export class Usage {
  private used = 0;
  private size = USUAL_WINDOW;
  private cost = 0;

  /** @returns a `usage_update`; undefined when the message says nothing new of it */
  update(message: Json): object | undefined {
    switch (message['type']) {
      case 'assistant':
        return this.afterMessage(message);
      case 'result':
        return this.afterTurn(message);
      case 'rate_limit_event':
        return this.limited(message['rate_limit_info']);
      default:
        return undefined;
    }
  }

  /** As claude-agent-acp says it. Before the context is known the update has no size. */
  private limited(info: unknown): object {
    const shown =
      this.used > 0 ? this.shown() : { sessionUpdate: 'usage_update', used: 0, size: 0 };
    return { ...shown, _meta: { '_claude/rateLimit': info } };
  }

  private afterMessage(message: Json): object | undefined {
    // What a subagent uses is its own context.
    if (typeof message['parent_tool_use_id'] === 'string') return undefined;
    const used = tokensIn(object(object(message['message'])['usage']));
    if (used === 0 || used === this.used) return undefined;
    this.used = used;
    return this.shown();
  }

  private afterTurn(result: Json): object {
    const windows = objects(Object.values(object(result['modelUsage']))).map(
      ({ contextWindow }) => number(contextWindow) ?? 0,
    );
    // The largest is that of the agent's own model: helpers have small ones.
    const largest = Math.max(0, ...windows);
    if (largest > 0) this.size = largest;
    this.cost = number(result['total_cost_usd']) ?? this.cost;
    return this.shown();
  }

  private shown(): object {
    const { used, size, cost } = this;
    const amount = cost > 0 && { cost: { amount: cost, currency: 'USD' } };
    return { sessionUpdate: 'usage_update', used, size, ...amount };
  }
}

function tokensIn(usage: Json): number {
  return [
    usage['input_tokens'],
    usage['cache_creation_input_tokens'],
    usage['cache_read_input_tokens'],
    usage['output_tokens'],
  ].reduce<number>((sum, tokens) => sum + (number(tokens) ?? 0), 0);
}
