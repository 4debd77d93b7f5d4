import * as l10n from '@vscode/l10n';
import { fieldsOf, isRecord } from '../../../base/isRecord';
import { RemoteError, statusEnd } from '../remoteChannel';
import type { HttpAnswer } from './httpRequests';

/** Statuses that say more than what else is answered. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/**
 * Reads the answer to `initialize`, the only one that comes as an answer to its POST.
 * @returns the message, and whether the agent refuses to begin
 * @throws RemoteError when it is none
 */
export async function initializeAnswer(
  { status, headers, body }: HttpAnswer,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isRefusal: boolean }> {
  const { location } = headers;
  const type = headers['content-type'] ?? '';
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(type);
  const refused = new RemoteError(statusEnd(status, location));
  if (REFUSALS.has(status) || (status !== 200 && !isJson)) {
    body.destroy();
    throw refused;
  }
  if (!isJson) {
    body.destroy();
    throw notAcp(
      type === ''
        ? l10n.t('It answered something that is not JSON.')
        : l10n.t('It answered "{0}" instead of "{1}".', type, 'application/json'),
    );
  }
  const text = await read(body, maxBytes);
  const message = parsed(text);
  const isRefusal = isRecord(fieldsOf(message)['error']);
  if (status !== 200 && !isRefusal) throw refused;
  if (!isRecord(message)) throw notAcp(l10n.t('Its answer is not an ACP message.'));
  return { text, isRefusal };
}

async function read(body: HttpAnswer['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) throw new RemoteError({ kind: 'tooLong' });
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notAcp(evidence: string): RemoteError {
  return new RemoteError({ kind: 'notAcp', evidence });
}
