// Writes some 20 MB to stderr, synchronously, before it answers initialize.
import { writeSync } from 'node:fs';
import { serve } from './lib/agent.mjs';

const line = `debug: ${'x'.repeat(1000)}\n`;
const block = Buffer.from(line.repeat(100));
for (let written = 0; written < 20_000_000;) {
  try {
    written += writeSync(2, block);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
}
serve();
