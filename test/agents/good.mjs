// Behaves well: answers everything, echoes prompts, ends with its input.
import { serve } from './lib/agent.mjs';

serve();
