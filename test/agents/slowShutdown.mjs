// Takes a minute to end after its input has ended; SIGTERM ends it.
import { serve } from './lib/agent.mjs';

serve({}, { onEnd: () => setTimeout(() => process.exit(0), 60_000) });
