/** Commands kept in the state; of more the oldest are forgotten. */
export const MAX_TERMINALS = 500;

/** Longest terminal output kept in the state, in UTF-16 units; the host keeps more. */
export const MAX_TERMINAL_OUTPUT = 64 * 1024;
