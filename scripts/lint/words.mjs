import path from 'node:path';

/**
 * Words that a stranger would not search for. Names are the schema's, VS Code's or the field's: `report`, `log`,
 * `notify` or `show` instead of `tell`; `received` or `raw` instead of `told`; `again` or `new` instead of `anew`.
 */
const WORDS = new Set([
  ...['tell', 'tells', 'telling', 'told', 'aside', 'late', 'anew', 'desk', 'intake'],
  ...['seed', 'seeds'],
]);

/** Fields of formats that are stored on users' disks: they cannot be renamed. */
const STORED = new Map([['late', ['src/session/']]]);

/**
 * The word in `name` that should be another one, if any.
 * @param {string} name in camelCase, PascalCase or CAPITALS
 * @returns {string | undefined}
 */
export function wrongWord(name) {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|[^a-zA-Z0-9]+/)
    .map(word => word.toLowerCase())
    .find(word => WORDS.has(word));
}

/**
 * Names declared in a file, and the file's own, say what they mean in words that are searched for.
 * @type {import('./rule.mjs').Rule}
 */
export const words = {
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    /**
     * @param {any} node
     * @param {string} name
     */
    const check = (node, name) => {
      const word = wrongWord(name);
      if (word === undefined || STORED.get(name)?.some(place => file.startsWith(place))) return;
      const message = `"${name}": say it without "${word}" (scripts/lint/words.mjs).`;
      context.report({ node, message });
    };
    /** @param {any} node */
    const named = node => {
      if (node?.type === 'Identifier') check(node, node.name);
    };
    /** @param {any} pattern */
    const bound = pattern => {
      switch (pattern?.type) {
        case 'Identifier':
          return named(pattern);
        case 'AssignmentPattern':
          return bound(pattern.left);
        case 'RestElement':
          return bound(pattern.argument);
        case 'TSParameterProperty':
          return bound(pattern.parameter);
        case 'ArrayPattern':
          return pattern.elements.forEach(bound);
        case 'ObjectPattern':
          return pattern.properties.forEach((/** @type {any} */ property) =>
            bound(property.type === 'RestElement' ? property : property.value),
          );
      }
    };
    /** @param {any} node */
    const callable = node => {
      named(node.id);
      node.params.forEach(bound);
    };
    return {
      Program: node => check(node, path.basename(file).replace(/\.\w+$/, '')),
      VariableDeclarator: node => bound(node.id),
      FunctionDeclaration: callable,
      FunctionExpression: callable,
      ArrowFunctionExpression: callable,
      ClassDeclaration: node => named(node.id),
      MethodDefinition: node => named(node.key),
      PropertyDefinition: node => named(node.key),
      TSInterfaceDeclaration: node => named(node.id),
      TSTypeAliasDeclaration: node => named(node.id),
      TSPropertySignature: node => named(node.key),
      TSMethodSignature: node => named(node.key),
    };
  },
};
