/** What came in pieces of the message that is being written: the whole message follows, and says it again. */
export class StreamedText {
  private messageId: string | undefined;
  private readonly pieces = { text: '', thinking: '' };

  /** A message begins. */
  begin(messageId: string | undefined): void {
    this.messageId = messageId;
    this.pieces.text = this.pieces.thinking = '';
  }

  get id(): string | undefined {
    return this.messageId;
  }

  add(kind: 'text' | 'thinking', piece: string): void {
    this.pieces[kind] += piece;
  }

  /** What of a block of the whole message was not there in pieces before. */
  rest(messageId: string | undefined, kind: 'text' | 'thinking', whole: string): string {
    if (messageId !== this.messageId) return whole;
    const streamed = this.pieces[kind];
    if (streamed.startsWith(whole)) {
      this.pieces[kind] = streamed.slice(whole.length);
      return '';
    }
    if (!whole.startsWith(streamed)) return whole;
    this.pieces[kind] = '';
    return whole.slice(streamed.length);
  }
}
