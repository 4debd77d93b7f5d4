/** Servers behind TLS with a certificate that nobody has signed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { supervise } from './remoteSupport';
import { problemOf } from './support';

/** A key and its certificate; undefined where no program makes them. */
function selfSigned(): { readonly key: Buffer; readonly cert: Buffer } | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-tls-'));
  try {
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
    ]);
    return made.status === 0 ? { key: readFileSync(key), cert: readFileSync(cert) } : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a certificate that is not accepted is said with what to do', async t => {
  const signed = selfSigned();
  if (!signed) {
    t.skip('openssl makes the certificate');
    return;
  }
  const server = createServer(signed).listen(0, 'localhost');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const scheme of ['wss', 'https']) {
    const { host } = supervise(t, { url: `${scheme}://localhost:${port}/acp` });
    const problem = await problemOf(host.connect());
    assert.match(problem.title, /could not be reached/);
    assert.match(
      problem.detail,
      /The certificate of \w+:.* is not accepted: self-signed certificate\. Add its issuer to the trusted/,
    );
  }
});
