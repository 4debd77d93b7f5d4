import { deflateSync, crc32 } from 'node:zlib';
import type { Scene } from '../scene';

export const image: Scene = {
  name: 'image',
  description: 'A picture in the answer',
  words: /\b(?:image|picture|screenshot)\b/i,
  title: 'A picture',
  async play(turn, ask) {
    const given = ask.attached.filter(item => item.kind === 'image').length;
    if (given > 0) {
      await turn.say(`${given === 1 ? 'Your picture' : `Your ${given} pictures`} reached me. `);
    }
    await turn.say('Here is one that I drew just now:\n\n');
    turn.show({ type: 'image', mimeType: 'image/png', data: drawing(240, 120).toString('base64') });
  },
};

/** A PNG with two overlapping speech bubbles on a gradient. */
export function drawing(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + width * 3) + 1 + x * 3;
      const [red, green, blue] = colourAt(x / width, y / height, width / height);
      rows[at] = red;
      rows[at + 1] = green;
      rows[at + 2] = blue;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function colourAt(x: number, y: number, ratio: number): [number, number, number] {
  const inside = (cx: number, cy: number, radius: number): boolean =>
    Math.hypot((x - cx) * ratio, y - cy) < radius;
  if (inside(0.4, 0.42, 0.27)) return [255, 255, 255];
  if (inside(0.6, 0.58, 0.27)) return [214, 232, 255];
  return [Math.round(30 + 40 * x), Math.round(80 + 60 * y), Math.round(170 + 60 * x)];
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
