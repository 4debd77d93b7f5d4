import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root directory. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** @param {...string} segments relative to the root */
export const inRoot = (...segments) => path.join(root, ...segments);
