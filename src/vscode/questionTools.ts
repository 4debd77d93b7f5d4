import { domainToUnicode } from 'node:url';
import * as vscode from 'vscode';
import type { QuestionTools } from '../session/ports';
import { matchesPattern } from './settings/patternTest';

/** Answers to agents' questions, with what the editor has for them. */
export const questionTools: QuestionTools = {
  // As it was shown and consented to: `Uri.toString` would write it in another way.
  openPage: async url => vscode.env.openExternal(vscode.Uri.parse(url, true)),
  hostInLetters: domainToUnicode,
  matches: matchesPattern,
};
