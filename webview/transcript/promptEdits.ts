/** How a prompt has been changed so far. Plain JSON. */
export interface PromptEdit {
  readonly text: string;
  /** Ids of its attachments that do not go along any more. */
  readonly without: readonly string[];
}
