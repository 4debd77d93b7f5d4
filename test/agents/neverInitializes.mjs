// Reads everything and never answers initialize.
import { NO_ANSWER, serve } from './lib/agent.mjs';

console.error('still downloading…');
serve({ initialize: () => NO_ANSWER });
