// Answers initialize with a version of the protocol that does not exist yet.
import { serve } from './lib/agent.mjs';

serve({ initialize: () => ({ protocolVersion: 99, agentCapabilities: {} }) });
