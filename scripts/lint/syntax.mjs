/** @typedef {import('./rule.mjs').Rule} Rule */

/**
 * An interface is named for what it is, without a leading I.
 * @type {Rule}
 */
export const interfaceNames = {
  create: context => ({
    TSInterfaceDeclaration: ({ id }) => {
      if (!/^(?!I[A-Z])[A-Z][a-zA-Z0-9]*$/.test(id.name)) {
        context.report({
          node: id,
          message: `${id.name} should be PascalCase, without a leading I.`,
        });
      }
    },
  }),
};

/** @type {Rule} */
export const noBarrels = {
  create: context => ({
    ExportAllDeclaration: node => {
      if (node.exportKind === 'type') return;
      context.report({ node, message: 'Import from the file that defines a thing; no barrels.' });
    },
  }),
};

/** What one file alone does for all others, and why. */
const DOORS = [
  {
    property: /^show(Information|Warning|Error)Message$/,
    file: 'src/vscode/messages.ts',
    why: 'VS Code makes links of what agents say in messages',
  },
  {
    property: /^affectsConfiguration$/,
    file: 'src/vscode/settings/watchValue.ts',
    why: 'Settings may come late in an event that names none',
  },
];

/** @type {Rule} */
export const oneDoor = {
  create: context => ({
    MemberExpression: node => {
      const name = node.property.name ?? node.property.value;
      const door = DOORS.find(({ property }) => property.test(String(name)));
      if (!door || context.filename.split('\\').join('/').endsWith(`/${door.file}`)) return;
      context.report({ node, message: `${door.why}: use ${door.file}.` });
    },
  }),
};
