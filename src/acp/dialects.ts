import type { InitializeResponse } from './schema';

/** How an agent departs from the protocol. The one place that knows; everything else sees one shape. */
export interface Dialect {
  /**
   * What `fs/read_text_file` answers for a missing file. `empty` for agents that read a file before they
   * create it and give up on an error.
   */
  readonly missingFileAnswer: 'error' | 'empty';
  /** Whether `$/cancel_request` may be sent. */
  readonly cancelRequests: boolean;
}

const STANDARD: Dialect = { missingFileAnswer: 'error', cancelRequests: true };

/** Gemini CLI and the agents grown out of it. */
const GEMINI_FAMILY = /gemini|qwen|iflow/i;

export function dialectOf(initialized: InitializeResponse): Dialect {
  const name = initialized.agentInfo?.name ?? '';
  if (GEMINI_FAMILY.test(name)) return { ...STANDARD, missingFileAnswer: 'empty' };
  return STANDARD;
}
