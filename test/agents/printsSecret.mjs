// Prints $SECRET in several forms and ends: at its start, or at the first prompt. Or it has them in the error that it answers
// the name in $WHEN with.
import { serve } from './lib/agent.mjs';

const { SECRET = '', WHEN } = process.env;
const lines = [SECRET, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64')];
const end = () => {
  process.stderr.write(`${lines.map(line => `auth failed: ${line}`).join('\n')}\n`, () =>
    process.exit(3),
  );
  return new Promise(() => {});
};
const fail = () => {
  throw Object.assign(new Error(`auth failed: ${lines.join(' ')}`), {
    code: -32603,
    data: { details: lines },
  });
};
if (WHEN === 'start') void end();
else if (WHEN === 'prompt') serve({ 'session/prompt': end });
else serve({ [WHEN]: fail });
