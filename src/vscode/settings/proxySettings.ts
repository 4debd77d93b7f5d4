import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { ProxySettings } from '../../agents/process/proxyEnvironment';
import { userValues, joined } from './userValue';

/** Where Linux keeps the certificates that it trusts, as one file. */
const SYSTEM_CERTIFICATES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** What the user, and no workspace, has set in VS Code about how programs reach the network. */
export function proxySettings(): ProxySettings {
  const http = vscode.workspace.getConfiguration('http');
  const value = (name: string): unknown => joined(userValues(http.inspect<unknown>(name)));
  const [proxy, noProxy] = [value('proxy'), value('noProxy')];
  const certificates =
    value('systemCertificates') === false ? undefined : SYSTEM_CERTIFICATES.find(existsSync);
  return {
    ...(typeof proxy === 'string' && { proxy: proxy.trim() }),
    ...(Array.isArray(noProxy) && {
      noProxy: noProxy.filter((host): host is string => typeof host === 'string'),
    }),
    ...(value('proxyStrictSSL') === false && { strictSsl: false }),
    ...(certificates !== undefined && { certificates }),
  };
}
