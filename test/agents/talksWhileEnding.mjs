// Writes a megabyte to stdout when its input ends, and ends only when all of it was read.
import { serve } from './lib/agent.mjs';

serve(
  {},
  {
    onEnd: () => process.stdout.write('saving session\n'.repeat(70_000), () => process.exit(0)),
  },
);
