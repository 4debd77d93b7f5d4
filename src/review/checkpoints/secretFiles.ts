import * as path from 'node:path';

/** Names of files that as a rule hold keys, tokens and passwords; in lower case. */
const NAMES: readonly RegExp[] = [
  /^\.env(?!\.(?:example|sample|template|dist|defaults)$)(?:[.-].*)?$/,
  /\.env$/,
  /^\.(?:npmrc|yarnrc|pypirc|netrc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg|vault-token|boto|s3cfg)$/,
  /^_netrc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /\.(?:pem|key|p12|pfx|pkcs12|p8|keystore|jks|kdbx|ppk|asc|gpg|ovpn|tfvars|publishsettings)$/,
  /^(?:.*[._-])?(?:credentials?|secrets?|passwords?|tokens?)(?:\.(?:json|ya?ml|toml|ini|txt|xml|properties|cfg|conf))?$/,
  /^(?:kubeconfig|service-?account.*\.json|application_default_credentials\.json|terraform\.tfstate(?:\.backup)?)$/,
];

/** Folders whose files are: `.aws/config`, `.docker/config.json`. */
const FOLDERS = new Set(['.aws', '.azure', '.docker', '.gnupg', '.kube', '.ssh']);

/** Whether `file` is one that its name says to hold secrets. */
export function isSecretFile(file: string): boolean {
  const name = path.basename(file).toLowerCase();
  return (
    NAMES.some(pattern => pattern.test(name)) ||
    FOLDERS.has(path.basename(path.dirname(file)).toLowerCase())
  );
}
