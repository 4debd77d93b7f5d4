import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * The licences of every npm package that went into the bundles, as their licences ask.
 * @param {Record<string, import('esbuild').Metafile>} metafiles
 * @returns {string}
 */
export function thirdPartyNotices(metafiles) {
  const packages = new Set(
    Object.values(metafiles)
      .flatMap(metafile => Object.keys(metafile.inputs))
      .map(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
      .filter(directory => directory !== undefined),
  );
  const notices = [...packages].sort().map(directory => {
    const place = path.join(root, directory);
    const { name, version, license } = JSON.parse(
      readFileSync(path.join(place, 'package.json'), 'utf8'),
    );
    const file = readdirSync(place).find(entry => /^(licen[cs]e|copying)/i.test(entry));
    const text =
      file && existsSync(path.join(place, file))
        ? readFileSync(path.join(place, file), 'utf8')
        : '';
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return `Parley contains these packages:\n\n${notices.join(`\n${'-'.repeat(79)}\n\n`)}`;
}
