/**
 * A lint rule as Oxlint and ESLint take it.
 * @typedef {{ filename: string, cwd: string, report: (problem: { node: any, message: string }) => void }} Context
 * @typedef {{ create: (context: Context) => Record<string, (node: any) => void> }} Rule `node`: of the ESTree, with types
 */
export {};
