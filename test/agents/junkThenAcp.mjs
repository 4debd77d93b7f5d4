// Prints a banner on stdout, then behaves well.
import { serve } from './lib/agent.mjs';

console.log('Welcome to Fixture 1.0!');
console.log('\x1b[33mA new version is available.\x1b[0m');
console.log('{ not json');
serve();
