/** What the user can do about an error that an agent answered, where its code says so. */
import * as l10n from '@vscode/l10n';
import { assertNever } from '../../base/assertNever';
import { meaningOf } from './errorMeaning';

/** A sentence, or two; undefined when the code says nothing that the message does not. */
export function nextStep(error: unknown): string | undefined {
  const meaning = meaningOf(error);
  switch (meaning) {
    case 'authRequired':
      return l10n.t('Sign in to the agent, then send your message again.');
    case 'connectionLost':
      return l10n.t('The agent lost its connection. Check the network, then try again.');
    case 'timeout':
      return l10n.t('It took too long. Try again, or ask for a smaller step.');
    case 'unsupportedVersion':
      return l10n.t('The agent needs another version of the protocol. Update the agent or Parley.');
    case 'methodNotFound':
      return l10n.t('The agent cannot do this. A newer version of it may.');
    case 'sessionNotFound':
    case 'sessionExpired':
      return l10n.t('The agent no longer has this chat. Start a new one to continue.');
    case 'sessionLocked':
      return l10n.t('Another program uses this chat. Close it there, then try again.');
    case 'toolNotFound':
    case 'toolDisabled':
      return l10n.t(
        'A tool that the agent needs is not available. Enable it in the agent, or ask for another approach.',
      );
    case 'toolTimeout':
      return l10n.t('A tool took too long. Try again, or ask for a smaller step.');
    case 'fileNotFound':
      return l10n.t('A file that the agent needs does not exist. Check its name, then try again.');
    case 'fileDenied':
      return l10n.t(
        'The agent has no permission for that file. Check its permissions, then try again.',
      );
    case 'fileTooLarge':
      return l10n.t('The file is too large for the agent. Attach only the part that matters.');
    case 'mcpFailed':
    case 'mcpUnavailable':
      return l10n.t(
        'An MCP server does not answer the agent. Check its settings and that it runs, then try again.',
      );
    case 'modelRefusedRequest':
      return l10n.t('The service rejected the request. Try another model, or start a new chat.');
    case 'credentialsRefused':
      return l10n.t(
        'The service rejected the credentials. Sign in to the agent again, or check its API key.',
      );
    case 'paymentRequired':
      return l10n.t('Check the plan or balance of your account.');
    case 'notAllowed':
      return l10n.t(
        'Your account is not allowed to do this. Try another model, or check the permissions of your account.',
      );
    case 'modelNotFound':
      return l10n.t(
        "The service does not offer it. Choose another model, or check the address in the agent's settings.",
      );
    case 'requestTooLarge':
      return l10n.t('The message is too large for the model. Attach less, or start a new chat.');
    case 'rateLimited':
      return l10n.t('Too many requests, or your quota is used up. Wait, or choose another model.');
    case 'serviceFailed':
      return l10n.t('The service that the agent uses failed. Try again in a moment.');
    case 'serviceOverloaded':
      return l10n.t('The service that the agent uses is overloaded. Try again in a moment.');
    case 'other':
      return undefined;
    default:
      return assertNever(meaning);
  }
}
