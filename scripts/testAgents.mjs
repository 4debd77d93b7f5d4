// Real agents: `node scripts/testAgents.mjs [--raw] [agent…]`.
//
// Installs pinned agents from npm into the cache and drives them against a scripted model on loopback:
// through the installed extension in a real workbench, or with --raw by themselves, without Parley.
import { bundleTests } from './lib/bundleTests.mjs';
import { runNodeTests } from './lib/nodeTest.mjs';

const raw = process.argv.includes('--raw');
const agents = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const suite = raw ? 'agents-raw' : 'agents';
const files = [`test/realAgents/agents.${raw ? 'raw' : 'e2e'}.ts`];
process.exitCode = await runNodeTests(suite, await bundleTests(files, `test/${suite}`), {
  env: agents.length > 0 ? { PARLEY_AGENTS: agents.join(',') } : {},
});
