import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { filesBelow } from './files.mjs';
import { inRoot } from './root.mjs';

/**
 * Every text given to `l10n.t`, in alphabetical order; a text is its own key. A call whose text is not a
 * literal cannot be translated and is an error.
 * @returns {Record<string, string>}
 */
export function collectTexts() {
  /** @type {Set<string>} */
  const texts = new Set();
  for (const file of filesBelow(['src', 'webview'], '.ts')) {
    const source = ts.createSourceFile(
      file,
      readFileSync(inRoot(file), 'utf8'),
      ts.ScriptTarget.Latest,
    );
    /** @param {ts.Node} node */
    const visit = node => {
      if (ts.isCallExpression(node) && isTranslation(node.expression)) {
        const [text] = node.arguments;
        if (!text || !ts.isStringLiteralLike(text)) {
          const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
          throw new Error(`${file}:${line + 1}: the text must be a literal.`);
        }
        texts.add(text.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return Object.fromEntries([...texts].sort().map(text => [text, text]));
}

/** @param {ts.Expression} callee `l10n.t` or `vscode.l10n.t` */
function isTranslation(callee) {
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 't') return false;
  const { expression } = callee;
  return (
    (ts.isIdentifier(expression) && expression.text === 'l10n') ||
    (ts.isPropertyAccessExpression(expression) && expression.name.text === 'l10n')
  );
}
