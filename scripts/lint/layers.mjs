import path from 'node:path';
import { isBuiltin } from 'node:module';

/**
 * Who may import whom: the layer rules of ARCHITECTURE.md as a lint rule. Paths are prefixes from the
 * project's root; the first layer whose `files` match a file decides.
 *
 * @typedef {{
 *   files: readonly string[],
 *   imports: readonly string[],
 *   types?: readonly string[],
 *   packages?: readonly string[],
 *   typePackages?: readonly string[],
 *   node?: boolean,
 * }} Layer `imports` may be imported in any way, `types` only as types; `packages` are the npm packages (no
 * list: any but `vscode`), `typePackages` those used only as types; `node` allows Node's own modules.
 */
const SDK = '@agentclientprotocol/sdk';
const TOOLKIT = '@vscode/webview-ui-toolkit';
const PURE_PACKAGES = ['@vscode/l10n', 'diff'];

/** The part of the session that a webview runs too. */
const PURE_SESSION = ['src/session/state/'];

/** What of the wire others may import. */
const ACP = ['src/acp/transport/', 'src/acp/rpc/', 'src/acp/schema/', 'src/acp/v2/'];
/** The one door to what real agents do otherwise than the schema. */
const COMPATIBILITY = 'src/acp/compat/compatibility.ts';

/** What the editor's side may import. */
const HOST = [
  'src/base/',
  ...ACP,
  'src/agents/',
  'src/terminals/',
  'src/session/',
  'src/shared/',
  'src/review/',
  'src/git/',
  'src/vscode/',
  'src/host/',
];

/** @type {readonly Layer[]} */
const LAYERS = [
  { files: ['src/acp/schema/schema.ts'], imports: [], types: [SDK], packages: [SDK] },
  { files: ['src/base/'], imports: ['src/base/'], packages: ['diff'] },
  {
    files: ['src/shared/'],
    imports: ['src/base/', 'src/session/', 'src/shared/'],
    packages: PURE_PACKAGES,
  },
  {
    files: ['src/session/'],
    imports: ['src/base/', 'src/session/', 'src/acp/rpc/errors.ts', 'src/acp/schema/'],
    types: ['src/acp/'],
    packages: PURE_PACKAGES,
  },
  { files: ['src/acp/compat/'], imports: ['src/base/', ...ACP, 'src/acp/compat/'], node: true },
  { files: ['src/acp/'], imports: ['src/base/', ...ACP, COMPATIBILITY], node: true },
  {
    // No protocol and no process: those are the backends'.
    files: ['src/agents/supervisor.ts'],
    imports: [
      'src/base/',
      'src/session/',
      'src/agents/backend.ts',
      'src/agents/backends/backends.ts',
      'src/agents/definitions.ts',
      'src/agents/idleWatch.ts',
      'src/agents/problems.ts',
      'src/agents/restartPolicy.ts',
    ],
    packages: [],
    node: true,
  },
  {
    files: ['src/agents/', 'src/terminals/'],
    imports: ['src/base/', ...ACP, 'src/session/', 'src/agents/', 'src/terminals/'],
    node: true,
  },
  { files: ['src/git/'], imports: ['src/base/', 'src/git/'], packages: [], node: true },
  {
    files: ['src/review/'],
    imports: ['src/base/', 'src/session/', 'src/shared/', 'src/review/', 'src/git/'],
    node: true,
  },
  { files: ['src/demo/'], imports: ['src/demo/'], types: ['src/'], packages: [], node: true },
  {
    files: ['src/vscode/', 'src/host/window.ts', 'src/extension.ts'],
    imports: HOST,
    packages: ['vscode', 'jsonc-parser', ...PURE_PACKAGES],
    node: true,
  },
  // The composition hands the editor on; what is done with it is in `src/vscode`.
  { files: ['src/host/'], imports: HOST, packages: [], typePackages: ['vscode'], node: true },
  { files: ['webview/ui/toolkit.ts'], imports: ['webview/'], packages: [TOOLKIT, 'lit'] },
  {
    files: ['webview/'],
    imports: ['webview/', 'src/base/', 'src/shared/', ...PURE_SESSION],
    types: ['src/session/'],
  },
];

/** Packages that one layer alone may use. */
const RESERVED = ['vscode', SDK, TOOLKIT];

/**
 * Why `file` may not import `source`, or undefined when it may.
 * @param {string} file from the root, with forward slashes
 * @param {string} source the module specifier
 * @param {boolean} typeOnly
 * @returns {string | undefined}
 */
export function layerProblem(file, source, typeOnly) {
  const layer = LAYERS.find(({ files }) => files.some(prefix => file.startsWith(prefix)));
  if (!layer) return undefined;
  const place = layer.files.find(prefix => file.startsWith(prefix)) ?? '';
  if (source.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(file), source);
    const candidates = [target, `${target}.ts`];
    /** @param {readonly string[]} prefixes */
    const within = prefixes =>
      candidates.some(candidate => prefixes.some(prefix => candidate.startsWith(prefix)));
    if (within(layer.imports) || (typeOnly && layer.types && within(layer.types))) return undefined;
    return layer.types && within(layer.types)
      ? `${place} may import only types from ${target}.`
      : `${place} must not import ${target}.`;
  }
  if (isBuiltin(source)) {
    if (layer.node) return undefined;
    return `${place} must run without Node, so it must not import ${source}.`;
  }
  const name = source.split('/', source.startsWith('@') ? 2 : 1).join('/');
  const allowed = layer.packages?.includes(name) ?? !RESERVED.includes(name);
  if (!allowed && layer.typePackages?.includes(name)) {
    return typeOnly ? undefined : `${place} may import only types from ${name}.`;
  }
  if (!allowed) return `${place} must not import ${name}.`;
  if (name === SDK && !typeOnly) return `${SDK} must be imported with \`import type\` only.`;
  return undefined;
}

/** @type {import('./rule.mjs').Rule} */
export const layers = {
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    /**
     * @param {any} node
     * @param {any} source
     * @param {boolean} typeOnly
     */
    const check = (node, source, typeOnly) => {
      if (typeof source?.value !== 'string') return;
      const problem = layerProblem(file, source.value, typeOnly);
      if (problem) context.report({ node, message: problem });
    };
    /** @param {any} node */
    const declaration = node =>
      check(node, node.source, (node.importKind ?? node.exportKind) === 'type');
    return {
      ImportDeclaration: declaration,
      ExportNamedDeclaration: declaration,
      ExportAllDeclaration: declaration,
      ImportExpression: node => check(node, node.source, false),
      TSImportType: node => check(node, node.source, true),
      TSExternalModuleReference: node => check(node, node.expression, false),
      'CallExpression[callee.name="require"]': node => check(node, node.arguments[0], false),
    };
  },
};
