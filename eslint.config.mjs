// Lint rules. What matters most is `parley/layers`: who may import whom (scripts/lint/layers.mjs).
import tseslint from 'typescript-eslint';
import { fileNames } from './scripts/lint/fileNames.mjs';
import { layers } from './scripts/lint/layers.mjs';
import { words } from './scripts/lint/words.mjs';

const NODE_GLOBALS = [
  'process',
  'Buffer',
  'require',
  'module',
  '__dirname',
  '__filename',
  'global',
];
const DOM_GLOBALS = [
  'window',
  'document',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'requestAnimationFrame',
  'HTMLElement',
  'Element',
  'Node',
  'customElements',
  'setImmediate',
  'clearImmediate',
];

/**
 * @param {string} message
 * @returns {import('eslint').Linter.RuleEntry}
 */
function noGlobals(message) {
  return ['error', ...[...NODE_GLOBALS, ...DOM_GLOBALS].map(name => ({ name, message }))];
}

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'out/', '.cache/', 'test/golden/transcripts/'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] },
          ],
        },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      // A method of a port is async so that it rejects instead of throwing, whether it awaits or not.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: 'interface',
          format: ['PascalCase'],
          custom: { regex: '^I[A-Z]', match: false },
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts', 'test/**/*.ts', 'scripts/**/*.mjs'],
    plugins: { parley: { rules: { layers, fileNames, words } } },
    rules: {
      'parley/layers': 'error',
      'parley/fileNames': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    rules: {
      'parley/words': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration[exportKind!="type"]',
          message: 'Import from the file that defines a thing; no barrels.',
        },
      ],
    },
  },
  {
    files: ['src/vscode/**/*.ts', 'src/host/**/*.ts', 'src/*.ts'],
    ignores: ['src/vscode/messages.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration[exportKind!="type"]',
          message: 'Import from the file that defines a thing; no barrels.',
        },
        {
          selector: 'MemberExpression[property.name=/^show(Information|Warning|Error)Message$/]',
          message:
            'VS Code makes links of what agents say in messages: use src/vscode/messages.ts.',
        },
        {
          selector: 'MemberExpression[property.name="affectsConfiguration"]',
          message:
            'Settings may come late in an event that names none: use src/vscode/settings/watchValue.ts.',
        },
      ],
    },
  },
  {
    files: ['src/base/**/*.ts', 'src/session/**/*.ts', 'src/shared/**/*.ts'],
    rules: {
      'no-restricted-globals': noGlobals('This code runs in the host and in the webview.'),
    },
  },
  {
    files: ['src/session/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Times come in from outside.' },
        { object: 'Math', property: 'random', message: 'Ids come in from outside.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
