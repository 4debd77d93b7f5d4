import path from 'node:path';

/**
 * File names are camelCase: `sessionStore.ts`, `agentHost.test.ts`.
 * @type {import('./rule.mjs').Rule}
 */
export const fileNames = {
  create(context) {
    return {
      Program(node) {
        const name = path.basename(context.filename);
        if (/^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)*\.(ts|mjs)$/.test(name)) return;
        context.report({ node, message: `${name} should be camelCase.` });
      },
    };
  },
};
