import type { IBufferCell, IBufferLine } from '@xterm/headless';

/** A row of a screen: its characters, and the same with colours (SGR) and links (OSC 8). */
export interface RowText {
  readonly plain: string;
  readonly styled: string;
}

/** Where the links of cells are kept. */
export type LinkLookup = (cell: IBufferCell) => string | undefined;

/**
 * @param cell to be used for reading
 * @param goesOn the next row is a part of the same line: blanks at the end count
 */
export function rowText(
  line: IBufferLine,
  cell: IBufferCell,
  linkOf: LinkLookup,
  goesOn: boolean,
): RowText {
  let plain = '';
  let styled = '';
  let style = '';
  let link = '';
  // Blanks without a look are written when something follows them.
  let blanks = 0;
  for (let x = 0; x < line.length; x += 1) {
    line.getCell(x, cell);
    if (cell.getWidth() === 0) continue;
    const isPlain = cell.isAttributeDefault();
    const chars = cell.getChars() || ' ';
    const uri = linkOf(cell) ?? '';
    if (isPlain && chars === ' ' && uri === '') {
      blanks += 1;
      continue;
    }
    const next = isPlain ? '' : styleOf(cell);
    if (blanks > 0) {
      if (style !== '') styled += '\x1b[0m';
      if (link !== '') styled += linkTo('');
      style = link = '';
      const gap = ' '.repeat(blanks);
      plain += gap;
      styled += gap;
      blanks = 0;
    }
    if (uri !== link) styled += linkTo(uri);
    if (next !== style) styled += next || '\x1b[0m';
    [link, style] = [uri, next];
    plain += chars;
    styled += chars;
  }
  if (link !== '') styled += linkTo('');
  if (style !== '') styled += '\x1b[0m';
  if (!goesOn) return { plain: plain.trimEnd(), styled };
  // A character of two columns that found but one left goes to the next row.
  const end = ' '.repeat(cell.getChars() === '' && blanks > 0 ? blanks - 1 : blanks);
  return { plain: plain + end, styled: styled + end };
}

function linkTo(uri: string): string {
  return `\x1b]8;;${uri}\x1b\\`;
}

/** From a reset on, so that each stands for itself. */
function styleOf(cell: IBufferCell): string {
  const parameters = ['0'];
  if (cell.isBold()) parameters.push('1');
  if (cell.isDim()) parameters.push('2');
  if (cell.isItalic()) parameters.push('3');
  if (cell.isUnderline()) parameters.push('4');
  if (cell.isInverse()) parameters.push('7');
  if (cell.isInvisible()) parameters.push('8');
  if (cell.isStrikethrough()) parameters.push('9');
  if (!cell.isFgDefault()) parameters.push(color(cell.getFgColor(), cell.isFgRGB(), 30));
  if (!cell.isBgDefault()) parameters.push(color(cell.getBgColor(), cell.isBgRGB(), 40));
  return `\x1b[${parameters.join(';')}m`;
}

/** @param base 30 for the foreground, 40 for the background */
function color(value: number, isRgb: boolean, base: 30 | 40): string {
  if (isRgb) return `${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (value < 8) return String(base + value);
  if (value < 16) return String(base + 60 + value - 8);
  return `${base + 8};5;${value}`;
}
