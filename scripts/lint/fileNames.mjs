import path from 'node:path';

/**
 * File names are camelCase: `sessionStore.ts`, `agentHost.test.ts`.
 * @type {import('eslint').Rule.RuleModule}
 */
export const fileNames = {
  meta: { type: 'suggestion', schema: [], messages: { name: '{{name}} should be camelCase.' } },
  create(context) {
    return {
      Program(node) {
        const name = path.basename(context.filename);
        if (/^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)*\.(ts|mjs)$/.test(name)) return;
        context.report({ node, messageId: 'name', data: { name } });
      },
    };
  },
};
