/** The other window of `agents.e2e.first.ts`. */
import './window1';
import './agents.e2e';
