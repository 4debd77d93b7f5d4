import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import * as esbuild from 'esbuild';

/**
 * Makes a program of a file of this folder, for the tests of the file that calls it.
 * @param name of the file, without `.ts`
 * @returns where the program is: absolute
 */
export function builtProgram(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `parley-${name}-`));
  const outfile = path.join(folder, `${name}.cjs`);
  before(async () => {
    await esbuild.build({
      entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      outfile,
      logLevel: 'warning',
    });
  });
  after(() => rmSync(folder, { recursive: true }));
  return outfile;
}
