/** Signing in to Codex: by its own pages in the browser, with a code on another device, or with a key. */
import * as l10n from '@vscode/l10n';
import { ErrorCode, RequestError } from '../../../acp/rpc/errors';
import { ClientMethod } from '../../../acp/schema/methods';
import type { Json } from '../../../acp/schema/guards/primitives';
import { Deferred } from '../../../base/deferred';
import type { InProcessClient } from '../inProcess/agentSide';
import { object, text } from '../inProcess/json';
import type { AppServer } from './appServer';

export const API_KEY_METHOD = 'api-key';
const BROWSER = 'chatgpt';
const DEVICE_CODE = 'chatgpt-device-code';

/** As `authMethods` of ACP. */
export function signInMethods(): readonly object[] {
  return [
    { id: BROWSER, name: l10n.t('ChatGPT'), description: l10n.t('In the browser') },
    {
      id: DEVICE_CODE,
      name: l10n.t('ChatGPT, with a code'),
      description: l10n.t('In a browser on any device'),
    },
    {
      id: API_KEY_METHOD,
      name: l10n.t('API key'),
      type: 'env_var',
      vars: [{ name: 'OPENAI_API_KEY', label: l10n.t('OpenAI API key') }],
    },
  ];
}

export class SignIn {
  /** Sign-ins by their ids, until they are done. */
  private readonly open = new Map<string, Deferred<Json>>();

  constructor(private readonly client: InProcessClient) {}

  /** @param params of `authenticate`  @throws RequestError in the user's words */
  async run(server: AppServer, params: Json, signal: AbortSignal): Promise<object> {
    switch (params['methodId']) {
      case BROWSER:
        return this.onPage(server, { type: 'chatgpt' }, signal);
      case DEVICE_CODE:
        return this.onPage(server, { type: 'chatgptDeviceCode' }, signal);
      case API_KEY_METHOD: {
        const { apiKey } = object(params['_meta']);
        if (text(apiKey) === undefined) throw RequestError.invalidParams('There is no key.');
        await server.request('account/login/start', { type: 'apiKey', apiKey });
        return {};
      }
      default:
        throw RequestError.invalidParams(`Unknown method: ${String(params['methodId'])}`);
    }
  }

  /** @param params of `account/login/completed` */
  completed(params: Json): void {
    this.open.get(text(params['loginId']) ?? '')?.resolve(params);
  }

  private async onPage(server: AppServer, params: Json, signal: AbortSignal): Promise<object> {
    const started = await server.request('account/login/start', params);
    const loginId = text(started['loginId']) ?? '';
    const done = new Deferred<Json>();
    this.open.set(loginId, done);
    const closing = new AbortController();
    const gaveUp = this.show(started, loginId, AbortSignal.any([signal, closing.signal]));
    try {
      const ended = server.ended.then(() => ({ success: false }));
      const { success, error }: Json = await Promise.race([done.promise, gaveUp, ended]);
      if (success === true) return {};
      throw new RequestError(
        ErrorCode.internal,
        text(error) ?? l10n.t('Sign-in was not completed. Try again, or sign in another way.'),
      );
    } finally {
      this.open.delete(loginId);
      closing.abort();
      await this.client.notify(ClientMethod.completeElicitation, { elicitationId: loginId });
      // What is over is not cancelled any more.
      await server.request('account/login/cancel', { loginId }).catch(() => undefined);
    }
  }

  /** Resolves when the user does not want to see the page. */
  private async show(started: Json, loginId: string, signal: AbortSignal): Promise<Json> {
    const code = text(started['userCode']);
    const message =
      code === undefined
        ? l10n.t('Sign in to ChatGPT in the browser.')
        : l10n.t('Sign in to ChatGPT in a browser, and enter the code {0}.', code);
    const page = {
      mode: 'url',
      message,
      url: started['authUrl'] ?? started['verificationUrl'],
      elicitationId: loginId,
      requestId: loginId,
    };
    const asked = this.client.request(ClientMethod.createElicitation, page, signal);
    const { action } = object(await asked.catch(() => ({ action: 'cancel' })));
    return action === 'accept' ? new Promise(() => undefined) : { success: false };
  }
}
