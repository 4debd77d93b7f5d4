import { domainToUnicode } from 'node:url';
import type { QuestionTools } from '../../../src/session/ports';
import { matchesPattern } from '../../../src/vscode/settings/patternTest';

/** What opens no browser but remembers what would be opened; the rest is the real thing. */
export function recordingQuestions(
  opened: string[] = [],
  opens: () => boolean = () => true,
): QuestionTools {
  return {
    openPage: url => {
      if (opens()) opened.push(url);
      return Promise.resolve(opens());
    },
    hostInLetters: domainToUnicode,
    matches: matchesPattern,
  };
}
