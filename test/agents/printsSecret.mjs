// Prints $SECRET in several forms and ends: at its start, or at the first prompt.
import { serve } from './lib/agent.mjs';

const { SECRET = '', WHEN } = process.env;
const end = () => {
  const lines = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64')];
  process.stderr.write(`${lines.map(line => `auth failed: ${line}`).join('\n')}\n`, () =>
    process.exit(3),
  );
  return new Promise(() => {});
};
if (WHEN === 'start') void end();
else serve({ 'session/prompt': end });
