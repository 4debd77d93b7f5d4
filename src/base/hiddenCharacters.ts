/** Classes of characters, for regular expressions. Format characters that are drawn (Arabic number signs …) are not hidden. */
export const DRAWN = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
export const UNSEEN =
  '\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}' +
  '\\u2028\\u2029\\ufffc\\u{1d159}';

/** What is not in a text in which nothing is hidden and nothing looks like something else. */
export const REMARKABLE = /[^\t\n\r -~]|\r(?!\n)/;

const HIDDEN_ALL = new RegExp(`(?![${DRAWN}])[${UNSEEN}]`, 'gu');

/** The text without what `visibleText` would ever name as hidden, blanks apart. */
export function withoutHidden(text: string): string {
  return REMARKABLE.test(text) ? text.replace(HIDDEN_ALL, '') : text;
}
