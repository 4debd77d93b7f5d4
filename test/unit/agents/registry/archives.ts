/** Archives as servers send them, and as nobody should. */
import { crc32, gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { pack, type Header } from 'tar-stream';

export interface ArchiveEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** `0o755` for what can be run. */
  readonly mode?: number;
  readonly type?: Header['type'];
  readonly link?: string;
}

export async function tarGz(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, content = '', mode = 0o644, type = 'file', link } of entries) {
    const header = { name, mode, type, ...(link !== undefined && { linkname: link }) };
    if (type === 'file') tar.entry(header, content);
    else tar.entry(header);
  }
  tar.finalize();
  return gzipSync(await buffer(tar));
}

/** Written by hand, since those who write archives for a living refuse the names that matter here. */
export function zip(entries: readonly ArchiveEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o644, link } of entries) {
    const data = Buffer.from(link ?? content);
    const file = Buffer.from(name);
    const type = link === undefined ? 0o100000 : 0o120000;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    // Names are UTF-8.
    common.writeUInt16LE(0x800, 2);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(file.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, file, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((type | mode) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    // Made on a Unix: modes and links count.
    const made = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, common, tail, file]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}

/** A tar with `goose`, a script that says "from bzip2", and `README`. */
export const TAR_BZ2 = Buffer.from(
  'QlpoOTFBWSZTWaoOY+YAAGl/gcqQAQBoAf+AJgIQYH/j3hAIAAQIIACUhqTaEmh6Ro0Yj1GJtT0j1G2oJSUyMEwBNGAAAQ/erXhZsU0oAFeERBCWCORwGo3jsMiCCgFvOCmj6EiHx/UzsuumjvHSoIQj1lwCAQtW5Pn8XfBzKKEzKJN+OT3vnAv0BVlnphjBk64xP2yWe2S1NEJKaYpBimsRA/i7kinChIVQcx8w',
  'base64',
);
