import { numberText } from './language';

/** Bytes of UTF-8 in `text`. Not counted out where the answer cannot be more than `limit`. */
export function bytesOf(text: string, limit = 0): number {
  if (text.length * 3 <= limit) return text.length;
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** A number of bytes as people read it: `40 MB`, `1.5 MB`, `12 KB`. */
export function sizeText(bytes: number): string {
  const [unit, name] = bytes >= MEBIBYTE ? [MEBIBYTE, 'MB'] : [KIBIBYTE, 'KB'];
  return `${numberText(bytes / unit, 1)} ${name}`;
}
