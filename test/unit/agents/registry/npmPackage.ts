import { createHash } from 'node:crypto';
import { tarGz } from './archives';
import type { RegistryServer } from './registryServer';

/** Publishes a package with one program of its name, as npm's own server would, in these versions. */
export async function publishPackage(
  { files, origin }: RegistryServer,
  name: string,
  versions: readonly string[],
  program: string,
): Promise<void> {
  const published = await Promise.all(
    versions.map(async version => {
      const manifest = { name, version, bin: { [name]: 'cli.js' } };
      const tarball = await tarGz([
        { name: 'package/package.json', content: JSON.stringify(manifest) },
        { name: 'package/cli.js', content: program, mode: 0o755 },
      ]);
      const file = `${name}-${version}.tgz`;
      files.set(file, tarball);
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      return [version, { ...manifest, dist: { tarball: `${origin}/files/${file}`, integrity } }];
    }),
  );
  const packument = {
    name,
    'dist-tags': { latest: versions.at(-1) },
    versions: Object.fromEntries(published) as unknown,
  };
  files.set(`/${name}`, Buffer.from(JSON.stringify(packument)));
}
