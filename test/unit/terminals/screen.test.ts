import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Screen } from '../../../src/terminals/screen';

const LINK = '\x1b]8;;https://example.com/a\x1b\\';
const END = '\x1b]8;;\x1b\\';

async function screenOf(text: string): Promise<Screen> {
  const screen = new Screen({ columns: 20, rows: 4 });
  await new Promise<void>(resolve => screen.write(text, resolve));
  return screen;
}

for (const [what, text, styled] of [
  ['that ends with a link', `plain ${LINK}page`, `plain ${LINK}\x1b[0;4mpage${END}\x1b[0m`],
  ['with text after a link', `${LINK}page${END}no`, `${LINK}\x1b[0;4mpage${END}\x1b[0mno`],
  [
    'with colors and a link',
    `\x1b[31mred\x1b[0m${LINK}a${END}`,
    `\x1b[0;31mred${LINK}\x1b[0;4ma${END}\x1b[0m`,
  ],
] as const) {
  test(`a row ${what} is the same each time it is read`, async t => {
    const screen = await screenOf(text);
    t.after(() => screen.dispose());
    for (let time = 0; time < 3; time++) assert.equal(screen.rest().styled, styled);
  });
}
