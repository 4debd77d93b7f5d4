import { cpSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot } from './root.mjs';

/**
 * Copies the sample workspace, so that what is done to it does not change the project.
 * @param {string} into an existing directory
 * @returns {string} the copy, absolute
 */
export function copySampleWorkspace(into) {
  const copy = path.join(into, 'sample');
  cpSync(inRoot('test/workbench/sample-workspace'), copy, { recursive: true });
  return copy;
}

/**
 * A new directory for one run; the caller removes it.
 * @param {string} name
 */
export function temporaryDirectory(name) {
  return mkdtempSync(path.join(os.tmpdir(), `parley-${name}-`));
}
