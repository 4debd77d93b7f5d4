// Never answers session/new.
import { NO_ANSWER, serve } from './lib/agent.mjs';

serve({ 'session/new': () => NO_ANSWER });
