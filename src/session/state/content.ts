/** Content of messages and tool calls as views show it. Large content stays on the host, under a `ref`. */

/** Text cut for display. `ref` opens the whole on the host. */
export interface Preview {
  readonly text: string;
  readonly truncated: boolean;
  readonly ref?: string;
}

export type ContentView = ContentKind & { readonly annotations?: ContentAnnotations };

/** What the agent says about a piece of content. */
export interface ContentAnnotations {
  /** `user`, `assistant`: whom it is meant for; absent: both. */
  readonly audience?: readonly string[];
  /** ISO 8601. */
  readonly lastModified?: string;
  /** From 0 (optional) to 1 (needed). */
  readonly priority?: number;
}

type ContentKind =
  | { readonly kind: 'text'; readonly text: Preview }
  /** `data` is base64, present when small enough to show (see MAX_INLINE_MEDIA). */
  | {
      readonly kind: 'image';
      readonly mimeType: string;
      readonly data?: string;
      readonly uri?: string;
      readonly bytes: number;
    }
  /** `data` as for images. */
  | {
      readonly kind: 'audio';
      readonly mimeType: string;
      readonly data?: string;
      readonly bytes: number;
    }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly bytes?: number;
    }
  | {
      readonly kind: 'resource';
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: Preview;
      readonly bytes?: number;
    }
  /** A kind Parley does not know: shown as JSON. */
  | { readonly kind: 'unknown'; readonly type: string; readonly json: Preview };

export interface DiffView {
  /** Opens the whole diff in the editor. */
  readonly ref: string;
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted' | 'moved';
  /** Where a file that is moved was, if known. */
  readonly oldPath?: string;
  /** True when the text that the file had was not given: what is removed is not known. */
  readonly oldTextUnknown?: true;
  /** True when the texts may be a part of the file, and where it is is not known: lines count within it. */
  readonly lineUnknown?: true;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
  /** True when lines were left out of `hunks` for size. */
  readonly truncated: boolean;
}

export interface DiffHunk {
  /** 1-based first line in the new text (the old text for a pure deletion). */
  readonly line: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}
