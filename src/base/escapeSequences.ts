/** Escape sequences of terminals: what a program prints is read for them wherever it is shown. */

/** Control characters other than tabs and line ends. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * CSI … (colours, the cursor); OSC, DCS, APC, PM and SOS … up to their end or that of the line; ESC and what it changes; and
 * control characters alone. What has only begun goes too, so that a text that grows never takes back what was shown.
 */
const SEQUENCES = new RegExp(
  [
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?',
    '(?:\\x1b[\\]P_^X]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x9c\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?',
    '\\x1b[ -/]*[0-~]?',
    CONTROL.source,
  ].join('|'),
  'g',
);

/** The text without escape sequences and control characters, tabs and line ends apart. */
export function withoutEscapes(text: string): string {
  return CONTROL.test(text) ? text.replace(SEQUENCES, '') : text;
}
