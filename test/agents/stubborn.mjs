// Behaves well until it is to end: ignores SIGTERM and the end of its input.
import { serve } from './lib/agent.mjs';

process.on('SIGTERM', () => {});
setInterval(() => {}, 1e9);
serve({}, { onEnd: () => {} });
