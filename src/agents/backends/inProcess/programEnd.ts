import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import { withoutEscapes } from '../../../base/escapeSequences';
import type { ProgramEnded } from './jsonLines';

/** A program has ended in the middle of a turn. @param title what users call it */
export function endedError(title: string, end: ProgramEnded): RequestError {
  const next = l10n.t('The next message starts it again, with the same conversation.');
  return new RequestError(ErrorCode.internal, `${howEnded(title, end)} ${next}`);
}

/** Why a program is gone, with its last words. */
export function howEnded(title: string, { exit, output }: ProgramEnded): string {
  const how =
    exit.signal === null
      ? l10n.t('{0} ended with exit code {1}.', title, String(exit.code))
      : l10n.t('{0} was ended by the signal {1}.', title, exit.signal);
  const words = output.at(-1);
  return words === undefined ? how : `${how} ${withoutEscapes(words)}`;
}

/** The system does not run the program. @param command what was to be run */
export function notRunError(command: string, error: unknown): RequestError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const words = l10n.t('The system could not run {0} ({1}).', command, code);
  return new RequestError(ErrorCode.internal, words);
}
