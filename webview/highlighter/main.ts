/**
 * A script of its own, loaded with the first finished code block: Prism with the languages Parley colours.
 * Prism's parts find each other by a global name, so the order of the imports matters: settings, core, then
 * languages after those they build on.
 */
import type { Grammar, TokenStream } from 'prismjs';
import './prismSettings';
import Prism from 'prismjs/components/prism-core';
import 'prismjs/components/prism-clike';
import 'prismjs/components/prism-javascript';
import 'prismjs/components/prism-typescript';
import 'prismjs/components/prism-markup';
import 'prismjs/components/prism-css';
import 'prismjs/components/prism-json';
import 'prismjs/components/prism-bash';
import 'prismjs/components/prism-python';
import 'prismjs/components/prism-go';
import 'prismjs/components/prism-rust';
import 'prismjs/components/prism-java';
import 'prismjs/components/prism-c';
import 'prismjs/components/prism-cpp';
import 'prismjs/components/prism-csharp';
import 'prismjs/components/prism-sql';
import 'prismjs/components/prism-yaml';
import 'prismjs/components/prism-diff';

/** The pieces of `code`; undefined when the language is not one of ours. */
export function tokens(code: string, lang: string): TokenStream | undefined {
  const grammar: Grammar | (() => void) | undefined = Prism.languages[lang];
  // The collection holds helper functions too.
  return typeof grammar === 'object' ? Prism.tokenize(code, grammar) : undefined;
}
