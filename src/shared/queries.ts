/**
 * What a view may ask the host and is answered, beside intents, which are not. The host checks each with
 * `parseQuery`: like an intent, a query may come from a page that shows what a model wrote.
 */
import type { ChatMatch } from '../session/history/searchChats';
import { parseFields, type Shape } from './fields';

/** By kind: what is asked, and what is answered. */
export interface QueryTable {
  /** Which of these links, as written in prose or code, lead to a file or folder of the chat's workspace. */
  readonly existingLinks: {
    readonly query: { readonly links: readonly string[] };
    readonly answer: { readonly existing: readonly string[] };
  };
  /** What `@` and that text may stand for: what is known at once. */
  readonly mentions: {
    readonly query: { readonly text: string };
    readonly answer: { readonly groups: readonly MentionGroup[] };
  };
  /** The same of what other programs are asked for, which may take their time. */
  readonly slowMentions: {
    readonly query: { readonly text: string };
    readonly answer: { readonly groups: readonly MentionGroup[] };
  };
  /** An image that is attached to a message of the chat. */
  readonly image: {
    readonly query: { readonly attachmentId: string };
    /** Base64; absent when it is not kept any more. */
    readonly answer: { readonly data?: string };
  };
  /** How often a text stands in contents of which the chat shows a part only. */
  readonly heldMatches: {
    readonly query: {
      readonly text: string;
      readonly isCase: boolean;
      readonly refs: readonly string[];
    };
    /** Of those that are still kept. */
    readonly answer: {
      readonly found: readonly { readonly ref: string; readonly count: number }[];
    };
  };
  /** In which chats a text stands, with a line of each. */
  readonly searchChats: {
    readonly query: { readonly text: string };
    readonly answer: { readonly found: readonly ChatMatch[] };
  };
  /** Chats of other folders in which a text stands; all if it is empty. */
  readonly otherFolders: {
    readonly query: { readonly text: string };
    readonly answer: { readonly folders: readonly FolderChats[] };
  };
  /** Where code that was pasted comes from. */
  readonly pastedCode: {
    readonly query: { readonly text: string };
    readonly answer: { readonly item?: MentionItem };
  };
}

export interface FolderChats {
  /** For the intent `openFolder`; says nothing else. */
  readonly folderId: string;
  readonly name: string;
  /** Where it is. */
  readonly title: string;
  readonly chats: readonly (ChatMatch & {
    readonly title: string;
    readonly agentName: string;
    readonly updatedAt: number;
  })[];
}

export interface MentionGroup {
  readonly name: string;
  readonly items: readonly MentionItem[];
}

export interface MentionItem {
  /** For the intent `mention`; says nothing else. */
  readonly id: string;
  /** The name of a codicon. */
  readonly icon: string;
  readonly name: string;
  /** Places of the typed letters in `name`. */
  readonly hits: readonly number[];
  /** Where it is, or what it is about. */
  readonly detail: string;
  /** The word for it in the text: `@src/retry.ts`. */
  readonly mention: string;
}

export type QueryType = keyof QueryTable;
export type QueryOf<T extends QueryType> = { readonly type: T } & QueryTable[T]['query'];
export type AnswerOf<T extends QueryType> = QueryTable[T]['answer'];
export type Query = { [T in QueryType]: QueryOf<T> }[QueryType];
export type QueryAnswer = AnswerOf<QueryType>;

export interface QueryContext {
  /** The chat that was shown. */
  readonly chatId: string | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Who answers, by kind. */
export type QueryHandlers = {
  readonly [T in QueryType]: (query: QueryOf<T>, context: QueryContext) => Promise<AnswerOf<T>>;
};

const SHAPES: { readonly [T in QueryType]: Shape } = {
  existingLinks: { links: 'string[]' },
  mentions: { text: 'string' },
  slowMentions: { text: 'string' },
  image: { attachmentId: 'string' },
  heldMatches: { text: 'string', isCase: 'boolean', refs: 'string[]' },
  searchChats: { text: 'string' },
  otherFolders: { text: 'string' },
  pastedCode: { text: 'string' },
};

/** The query in `value`, with unknown fields dropped; undefined when it is not one. */
export function parseQuery(value: unknown): Query | undefined {
  return parseFields(value, SHAPES) as Query | undefined;
}
