/** What an agent sends to its model, in one shape for all APIs. */
import type { Json } from './json';

export interface Conversation {
  readonly items: readonly Item[];
  readonly tools: readonly Tool[];
  /** The agent has been asked to look for tools that it had not offered. */
  readonly searched?: boolean;
  /** Set when the answer must be JSON of this schema (side questions of agents: titles, checks). */
  readonly answerSchema?: Json;
}

export interface Item {
  readonly role: 'user' | 'model' | 'toolResult';
  readonly text: string;
}

export interface Tool {
  readonly name: string;
  /** Of OpenAI's responses API: tools may come in groups. */
  readonly namespace?: string;
  readonly schema: Json;
  /** True when the tool takes one free text instead of arguments. */
  readonly freeform: boolean;
}

export interface Call {
  readonly tool: Tool;
  /** The arguments, or the one text of a freeform tool. */
  readonly input: Json | string;
}

/** What the model answers. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** An HTTP status instead of an answer. */
  | { readonly kind: 'status'; readonly status: number }
  /** Nothing at all, until the agent gives up. */
  | { readonly kind: 'silence' };

export interface Answer {
  readonly thought?: string;
  readonly text: string;
  /** Extra pieces of text, one every so many milliseconds: an answer that takes its time. */
  readonly drip?: { readonly pieces: number; readonly everyMs: number };
  readonly calls: readonly Call[];
  readonly ending: 'complete' | 'length' | 'refused';
}

export function call(tool: Tool, input: Json | string): Call {
  return { tool, input };
}

/** Arguments as APIs without freeform tools want them. */
export function argumentsOf({ input }: Call): Json {
  return typeof input === 'string' ? { input } : input;
}
