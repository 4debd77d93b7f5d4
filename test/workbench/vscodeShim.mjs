#!/usr/bin/env node
/**
 * Stands in for VS Code's executable where there is none: @vscode/test-electron starts it as
 * `vscodeExecutablePath`. It understands the arguments of an extension test run, runs the tests in the
 * extension host of the workbench from npm, and exits with their code.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { runExtensionTests } from './page.mjs';
import { startServer } from './server.mjs';

const TIMEOUT = 600_000;

/** @param {readonly string[]} args */
function parse(args) {
  /** @param {string} name */
  const values = name =>
    args.filter(arg => arg.startsWith(`--${name}=`)).map(arg => arg.slice(name.length + 3));
  const place = args.find(arg => !arg.startsWith('-'));
  const isWorkspace = place?.endsWith('.code-workspace') ?? false;
  return {
    development: values('extensionDevelopmentPath'),
    tests: values('extensionTestsPath')[0],
    ...(place ? { [isWorkspace ? 'workspace' : 'folder']: path.resolve(place) } : {}),
  };
}

async function main() {
  const { tests, ...options } = parse(process.argv.slice(2));
  if (!tests || options.development.length === 0) {
    console.error(
      'This runs extension tests only: pass --extensionDevelopmentPath and --extensionTestsPath.',
    );
    return 64;
  }
  const root = mkdtempSync(path.join(os.tmpdir(), 'parley-integration-'));
  // VS Code's git extension writes to a git that may have ended already, and the error is the whole host's.
  const settings = { 'git.enabled': false };
  const server = await startServer({ root, settings });
  try {
    const browser = await launchBrowser();
    try {
      const entry = existsSync(tests) ? tests : `${tests}.js`;
      return await runExtensionTests(browser, server, {
        ...options,
        tests: entry,
        timeout: TIMEOUT,
      });
    } finally {
      await browser.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(readFileSync(server.log, 'utf8').slice(-2000));
    return 1;
  } finally {
    await server.stop();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

process.exitCode = await main();
