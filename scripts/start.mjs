// Opens a real VS Code with Parley, a sample workspace and the demo agent: `npm start`.
//
// The VS Code of this machine if there is one, else a downloaded one, else the workbench from npm, which is
// served at an address until Ctrl+C. PARLEY_VSCODE=installed|download|npm asks for one of them.
import { ensureDependencies } from './lib/dependencies.mjs';

/** @param {string} line */
const log = line => console.log(line);

try {
  await ensureDependencies(log);
  // Only now are the packages there that the rest needs.
  const { startParley } = await import('./lib/startParley.mjs');
  await startParley(log);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
