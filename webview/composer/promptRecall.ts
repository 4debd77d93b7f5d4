/** Walks through earlier prompts with the arrow keys, as a shell does. */
export class PromptRecall {
  private place: number | undefined;

  /**
   * The prompt to show for this key, or undefined when the key means something else now.
   * @param prompts oldest first
   * @param atEdge whether the caret stands at the start or the end of the text
   */
  key(
    key: 'ArrowUp' | 'ArrowDown',
    text: string,
    prompts: readonly string[],
    atEdge: boolean,
  ): string | undefined {
    const recalled = this.place !== undefined && prompts[this.place] === text;
    if (!recalled && text !== '') return undefined;
    if (recalled && !atEdge) return undefined;
    if (key === 'ArrowUp') {
      const next = recalled ? (this.place ?? 0) - 1 : prompts.length - 1;
      if (next < 0 || prompts[next] === undefined) return undefined;
      this.place = next;
      return prompts[next];
    }
    if (!recalled) return undefined;
    this.place = (this.place ?? 0) + 1;
    return prompts[this.place] ?? '';
  }
}
