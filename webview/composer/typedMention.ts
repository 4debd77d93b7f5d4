/** A mention that is being typed: where its `@` stands, and what stands between it and the caret. */
export interface TypedMention {
  readonly start: number;
  readonly query: string;
}

/** What is being mentioned at the caret, if anything: an `@` that begins a word, and no blank since. */
export function typedMention(text: string, caret: number): TypedMention | undefined {
  const match = /(?:^|[^\p{L}\p{N}_@])@([^\s@]*)$/u.exec(text.slice(0, caret));
  const query = match?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
}
