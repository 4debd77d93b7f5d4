// Answers initialize with an error.
import { serve } from './lib/agent.mjs';

serve({
  initialize: () => {
    throw Object.assign(new Error('License expired'), { code: -32603 });
  },
});
