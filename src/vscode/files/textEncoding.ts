import * as vscode from 'vscode';
import { FileError } from '../../session/ports';

/** How a file's text is laid down in bytes. */
export interface TextFormat {
  /** VS Code's name of the encoding: `utf8`, `utf16le`, `windows1252`… */
  readonly encoding: string;
  readonly bom: boolean;
  /** The line ending all lines share; undefined for mixed ones and single lines. */
  readonly eol: '\n' | '\r\n' | undefined;
}

const BINARY_PROBE_BYTES = 8192;

const BOMS: Readonly<Record<string, readonly number[]>> = {
  utf8: [0xef, 0xbb, 0xbf],
  utf16le: [0xff, 0xfe],
  utf16be: [0xfe, 0xff],
};

/**
 * How a file that is new, or whose bytes nobody knows, is laid down.
 * @param wanted what `files.encoding` says; VS Code marks UTF-16, and reads it by its mark
 */
export function newFileFormat(wanted = 'utf8'): TextFormat {
  const encoding = wanted === 'utf8bom' ? 'utf8' : wanted;
  const bom = wanted === 'utf8bom' || isWide(wanted);
  return { encoding, bom, eol: undefined };
}

/**
 * Text and format of `bytes`. The encoding is the byte-order mark's, else `preferred` (that of the open
 * document or of `files.encoding`), else one that represents every byte: so that text which an agent
 * reads and writes back does not damage what it did not touch.
 * @throws FileError `notText`
 */
export async function decodeText(
  bytes: Uint8Array,
  preferred: string | undefined,
): Promise<{ readonly text: string; readonly format: TextFormat }> {
  for (const [encoding, mark] of Object.entries(BOMS)) {
    if (!startsWith(bytes, mark)) continue;
    const text = await decodeAs(bytes.subarray(mark.length), encoding);
    if (text === undefined) throw notText();
    return { text, format: { encoding, bom: true, eol: commonEol(text) } };
  }
  const wanted = preferred === undefined || preferred === 'utf8bom' ? 'utf8' : preferred;
  const hasZero = bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
  if (hasZero && !isWide(wanted)) throw notText();
  for (const encoding of hasZero ? [wanted] : [wanted, 'utf8', 'windows1252', 'iso88591']) {
    const text = await decodeAs(bytes, encoding);
    if (text === undefined) continue;
    return { text, format: { encoding, bom: false, eol: commonEol(text) } };
  }
  throw notText();
}

/**
 * Bytes of `text` in `format`: its line endings, byte-order mark and encoding survive. Text that the
 * encoding cannot represent makes the file UTF-8 rather than losing characters.
 */
export async function encodeText(text: string, format: TextFormat): Promise<Uint8Array> {
  const lines = withEol(format.bom ? text.replace(/^\uFEFF/, '') : text, format.eol);
  const mark = format.bom ? (BOMS[format.encoding] ?? []) : [];
  const body = await bytesIn(format.encoding, lines);
  if (body) return concat(mark, body);
  return concat(format.bom ? (BOMS['utf8'] ?? []) : [], new TextEncoder().encode(lines));
}

/** `text` with its line endings turned into `eol`, or as it is when there is none to keep. */
export function withEol(text: string, eol: '\n' | '\r\n' | undefined): string {
  return eol === undefined ? text : text.replace(/\r\n|\n/g, eol);
}

/** Text of `bytes` if they are exactly a text in `encoding`, so that nothing is lost on the way back. */
async function decodeAs(bytes: Uint8Array, encoding: string): Promise<string | undefined> {
  if (encoding === 'utf8') {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  }
  if (isWide(encoding)) {
    return bytes.length % 2 === 0 ? inOrder(bytes, encoding).toString('utf16le') : undefined;
  }
  try {
    const text = await vscode.workspace.decode(bytes, { encoding });
    const back = await vscode.workspace.encode(text, { encoding });
    return Buffer.compare(back, bytes) === 0 ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when `encoding` cannot represent all of `text`. */
async function bytesIn(encoding: string, text: string): Promise<Uint8Array | undefined> {
  if (encoding === 'utf8') return new TextEncoder().encode(text);
  if (isWide(encoding)) return inOrder(Buffer.from(text, 'utf16le'), encoding);
  const bytes = await vscode.workspace.encode(text, { encoding });
  return (await vscode.workspace.decode(bytes, { encoding })) === text ? bytes : undefined;
}

/** Not left to VS Code, which takes some texts in UTF-16 without a mark for something else. */
function isWide(encoding: string): boolean {
  return encoding === 'utf16le' || encoding === 'utf16be';
}

/** The lower byte first, or back again. */
function inOrder(bytes: Uint8Array, encoding: string): Buffer {
  const copy = Buffer.from(bytes);
  return encoding === 'utf16be' ? copy.swap16() : copy;
}

function commonEol(text: string): '\n' | '\r\n' | undefined {
  const crlf = text.split('\r\n').length - 1;
  const all = text.split('\n').length - 1;
  if (all === 0) return undefined;
  if (crlf === all) return '\r\n';
  return crlf === 0 ? '\n' : undefined;
}

function notText(): FileError {
  return new FileError('notText', 'The file is not a text file.');
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.length > 0 && mark.every((byte, index) => bytes[index] === byte);
}

function concat(mark: readonly number[], body: Uint8Array): Uint8Array {
  if (mark.length === 0) return body;
  const whole = new Uint8Array(mark.length + body.length);
  whole.set(mark);
  whole.set(body, mark.length);
  return whole;
}
