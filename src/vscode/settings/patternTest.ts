import { runInNewContext } from 'node:vm';

/** How long an agent's pattern may take, in milliseconds: some take hours for a short text. */
const TIMEOUT_MS = 100;

/** Whether the regular expression `pattern` matches in `text`; undefined when it is none, or takes too long. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  try {
    // Only `node:vm` can stop a regular expression that does not come to an end.
    return runInNewContext(
      'new RegExp(pattern, "u").test(text)',
      { pattern, text },
      { timeout: TIMEOUT_MS },
    ) as boolean;
  } catch {
    return undefined;
  }
}
