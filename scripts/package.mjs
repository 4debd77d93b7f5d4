// Builds for production and packs parley-acp-<version>.vsix at the root: `npm run package`.
import { packageExtension } from './lib/package.mjs';

try {
  await packageExtension(console.log);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
