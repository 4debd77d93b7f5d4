import type { MarkedOptions } from 'marked';
import { detailsBlock, detailsHtml } from './detailsBlock';
import { footnoteBlock, footnoteHtml } from './footnotes';
import { mathBlock, mathHtml, mathInline, mathInlineStart, mathStart } from './mathText';

/** What agents write beyond GitHub's Markdown: footnotes, `<details>`, math. */
export const EXTENSIONS: NonNullable<MarkedOptions['extensions']> = {
  block: [detailsBlock, footnoteBlock, mathBlock],
  startBlock: [mathStart],
  inline: [mathInline],
  startInline: [mathInlineStart],
  renderers: { details: detailsHtml, footnote: footnoteHtml, math: mathHtml },
  childTokens: {},
};
