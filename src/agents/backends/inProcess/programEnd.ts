import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import type { ProgramEnded } from './jsonLines';

/** A program has ended in the middle of a turn, or before it was ready. @param title what users call it */
export function endedError(title: string, { exit, output }: ProgramEnded): RequestError {
  const how =
    exit.signal === null
      ? l10n.t('{0} ended with exit code {1}.', title, String(exit.code))
      : l10n.t('{0} was ended by the signal {1}.', title, exit.signal);
  const words = output.at(-1);
  const next = l10n.t('The next message starts it again, with the same conversation.');
  return new RequestError(
    ErrorCode.internal,
    [how, ...(words === undefined ? [] : [words]), next].join(' '),
  );
}

/** The system does not run the program. @param command what was to be run */
export function notRunError(command: string, error: unknown): RequestError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const words = l10n.t('The system could not run {0} ({1}).', command, code);
  return new RequestError(ErrorCode.internal, words);
}
