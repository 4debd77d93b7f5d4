import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import type * as schema from '../../acp/schema/schema';
import type { AgentCapabilities } from '../../session/state/state';

/** Types that models take, by the ending of the file's name. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.wav', 'audio/wav'],
  ['.mp3', 'audio/mpeg'],
  ['.ogg', 'audio/ogg'],
  ['.flac', 'audio/flac'],
  ['.m4a', 'audio/mp4'],
  ['.aac', 'audio/aac'],
]);

/** Larger ones are sent as links, in bytes. */
const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

/** The image in a file, in base64; undefined when it is not called one, is too large or cannot be read. */
export async function imageFile(file: string): Promise<string | undefined> {
  if (TYPES.get(path.extname(file).toLowerCase())?.startsWith('image/') !== true) return undefined;
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile() || info.size > MAX_MEDIA_BYTES) return undefined;
  return readFile(file, 'base64').catch(() => undefined);
}

/** An image or a sound as content for an agent that takes it; undefined for any other file. */
export async function mediaBlock(
  file: { readonly path: string; readonly uri: string; readonly size: number },
  capabilities: AgentCapabilities,
): Promise<schema.ContentBlock | undefined> {
  const mimeType = TYPES.get(path.extname(file.path).toLowerCase());
  if (mimeType === undefined || file.size > MAX_MEDIA_BYTES) return undefined;
  const isImage = mimeType.startsWith('image/');
  if (!(isImage ? capabilities.image : capabilities.audio)) return undefined;
  const data = (await readFile(file.path)).toString('base64');
  return isImage
    ? { type: 'image', data, mimeType, uri: file.uri }
    : { type: 'audio', data, mimeType };
}
