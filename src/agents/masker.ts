/** Shorter values ("1", "true") are no secrets, and masking them would make logs unreadable. */
const MIN_SECRET = 6;
/** A shorter piece of an encoded secret stands in too much else. */
const MIN_PIECE = 8;
const MASK = '•••';

/** Replaces secrets by dots wherever they stand, also escaped, in a URL, in Base64 or in hexadecimal digits. */
export class Masker {
  private readonly forms = new Set<string>();
  private pattern: RegExp | undefined;

  /** Values of environment variables, headers, tokens. */
  add(values: Iterable<string>): void {
    const before = this.forms.size;
    for (const value of values) {
      if (value.length < MIN_SECRET) continue;
      for (const form of formsOf(value)) this.forms.add(form);
      // Of a key in lines, each line: logs are read line by line.
      for (const line of value.includes('\n') ? value.split(/\r?\n/) : []) {
        if (line.length >= 2 * MIN_PIECE) for (const form of formsOf(line)) this.forms.add(form);
      }
    }
    if (this.forms.size !== before) this.pattern = undefined;
  }

  readonly mask = (text: string): string => {
    if (this.forms.size === 0) return text;
    // Longest first: one secret may contain another.
    this.pattern ??= new RegExp(
      [...this.forms]
        .sort((a, b) => b.length - a.length)
        .map(form => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
        .join('|'),
      'g',
    );
    return text.replace(this.pattern, MASK);
  };
}

function* formsOf(secret: string): Iterable<string> {
  yield secret;
  yield JSON.stringify(secret).slice(1, -1);
  const percent = encodedForUrl(secret);
  yield percent;
  yield percent.replaceAll('%20', '+');
  yield percent.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase());
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  yield hex;
  yield hex.toUpperCase();
  for (let offset = 0; offset < 3; offset++) {
    const piece = base64Piece(bytes, offset);
    if (piece.length < MIN_PIECE) continue;
    yield piece;
    yield piece.replaceAll('+', '-').replaceAll('/', '_');
  }
}

/** By way of bytes, which have no halves of characters. */
function encodedForUrl(secret: string): string {
  return encodeURIComponent(Buffer.from(secret, 'utf8').toString('utf8'));
}

/** What of Base64 only the secret decides when so many bytes stand before it (`user:` of a header, say). */
function base64Piece(bytes: Uint8Array, offset: number): string {
  const encoded = Buffer.concat([new Uint8Array(offset), bytes]).toString('base64');
  const bits = 8 * (offset + bytes.length);
  return encoded.slice(Math.ceil((8 * offset) / 6), Math.floor(bits / 6));
}
