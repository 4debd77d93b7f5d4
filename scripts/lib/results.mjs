import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { inRoot } from './root.mjs';

/**
 * What a suite of tests came to. Every runner writes one to out/results; `npm test` adds them up.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Result
 */

/** @param {string} suite */
export const resultFile = suite => inRoot('out/results', `${suite}.json`);

/** @param {string} suite */
export function clearResult(suite) {
  rmSync(resultFile(suite), { force: true });
}

/**
 * @param {string} suite
 * @param {Result} result
 */
export function writeResult(suite, result) {
  mkdirSync(inRoot('out/results'), { recursive: true });
  writeFileSync(resultFile(suite), JSON.stringify(result, undefined, 2));
}

/**
 * @param {string} suite
 * @returns {Result | undefined} undefined when the suite wrote none
 */
export function readResult(suite) {
  try {
    return JSON.parse(readFileSync(resultFile(suite), 'utf8'));
  } catch {
    return undefined;
  }
}
